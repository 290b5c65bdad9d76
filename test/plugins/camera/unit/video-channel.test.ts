import t from 'tap'
import { createVideoChannel } from '../../../../plugins/camera/stream/video-channel.js'
import type { VideoViewer } from '../../../../plugins/camera/stream/video-viewer.js'
import type { AccessUnit, VideoFormat, VideoSource } from '../../../../plugins/camera/video/types.js'

const FORMAT: VideoFormat = {
  codec: 'avc1.42c01e',
  width: 64,
  height: 64,
  sps: Buffer.from([0x67, 0x42, 0xC0, 0x1E, 0]),
  pps: [Buffer.from([0x68, 0, 0])]
}

const unit = (seq: number, time: number): AccessUnit =>
  ({ seq, time, at: 0, key: seq === 1, format: FORMAT, nalus: [Buffer.from([seq === 1 ? 0x65 : 0x41, 0x80, 1])] })

/** Where a fragment begins and ends, as a player reads it. */
const spanOf = (bytes: Buffer): [from: number, to: number] => {
  const tfdt = bytes.indexOf('tfdt')
  const trun = bytes.indexOf('trun')
  const from = Number(bytes.readBigUInt64BE(tfdt + 8))
  return [from, from + bytes.readUInt32BE(trun + 16)]
}

function spans (times: readonly number[]): [number, number][] {
  const seen: [number, number][] = []
  let give: (unit: AccessUnit) => void = () => {}
  const source = { attach: (onUnit: typeof give) => { give = onUnit; return () => {} } } as unknown as VideoSource
  const channel = createVideoChannel(source, () => 0)
  const show = (bytes: Buffer) => { seen.push(spanOf(bytes)) }
  const viewer: VideoViewer = { begin () {}, show, stalledMs: () => 0, end () {} }
  channel.add(viewer)
  times.forEach((time, at) => give(unit(at + 1, time)))
  return seen
}

t.test('each fragment begins where the one before ended, however unevenly pictures come', async t => {
  const times = [0, 3000, 3900, 12_000, 12_090, 40_000, 43_000, 200_000]
  const seen = spans(times)
  t.equal(seen.length, times.length)
  for (const [at, [from, to]] of seen.entries()) {
    t.ok(to > from, 'no picture without duration')
    if (at > 0) t.equal(from, seen[at - 1]?.[1])
  }
  t.same(seen.slice(0, 3), [[0, 3000], [3000, 6000], [6000, 6900]])
})

t.test('a long time without pictures is not shown as one of them', async t => {
  t.same(spans([0, 3000, 903_000, 906_000]), [[0, 3000], [3000, 6000], [903_000, 906_000], [906_000, 909_000]])
})
