import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { fragment, initSegment, mimeType } from '../../../plugins/camera/video/fragments.js'
import type { AccessUnit } from '../../../plugins/camera/video/types.js'
import { testFolder } from '../../helpers/folder.js'
import { findProgram } from '../../helpers/programs.js'
import { clip, plainUnits } from './helpers/units.js'

/** Boxes and what is in them, as far as they are containers. */
function boxes (bytes: Buffer, from = 0, end = bytes.length): [string, unknown][] {
  const found: [string, unknown][] = []
  for (let at = from; at < end;) {
    const size = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (size < 8 || at + size > end) throw new Error(`box '${type}' at ${at} is ${size} bytes long`)
    const isContainer = /^(moov|trak|mdia|minf|dinf|stbl|mvex|moof|traf)$/.test(type)
    found.push([type, isContainer ? boxes(bytes, at + 8, at + size) : size])
    at += size
  }
  return found
}

const file = (units: readonly AccessUnit[], from = 0): Buffer => Buffer.concat([
  initSegment((units[0] as AccessUnit).format),
  ...units.map((unit, at) => fragment(unit, { sequence: at + 1, time: from + unit.time, duration: 3_000 }))
])

t.test('the boxes of the head and of a fragment', async t => {
  const [unit] = plainUnits(160, 96, [100]) as [AccessUnit]
  const head = initSegment(unit.format)
  t.match(boxes(head), [['ftyp', 28], ['moov', [['mvhd', 108], ['trak', [['tkhd', 92], ['mdia', Array]]], ['mvex', [['trex', 32]]]]]])
  const bytes = fragment(unit, { sequence: 7, time: 2 ** 33 + 5, duration: 3_000 })
  const size = unit.nalus.reduce((sum, nalu) => sum + 4 + nalu.length, 0)
  t.same(boxes(bytes), [
    ['moof', [['mfhd', 16], ['traf', [['tfhd', 16], ['tfdt', 20], ['trun', 32]]]]],
    ['mdat', 8 + size]
  ])
  t.equal(bytes.readUInt32BE(20), 7)
  t.equal(Number(bytes.readBigUInt64BE(60)), 2 ** 33 + 5, 'after a day and more')
  t.equal(bytes.readUInt32BE(108), unit.nalus[0]?.length, 'lengths in place of start codes')
  t.equal(mimeType(unit.format), 'video/mp4; codecs="avc1.42c028"')
})

const noFfprobe = (findProgram('ffprobe') === undefined || findProgram('ffmpeg') === undefined) && 'ffprobe is not installed'

t.test('another program reads it without complaint', { skip: noFfprobe }, async t => {
  const folder = testFolder(t)
  const probe = async (bytes: Buffer) => {
    const path = join(folder, 'x.mp4')
    await writeFile(path, bytes)
    const { stdout, stderr } = await promisify(execFile)('ffprobe', ['-v', 'warning', '-count_frames', '-show_entries',
      'stream=codec_name,profile,width,height,nb_read_frames,r_frame_rate,start_time', '-of', 'json', path])
    return { stderr, ...JSON.parse(stdout).streams[0] }
  }
  const units = await clip({ size: '322x242', seconds: 2 })
  t.match(await probe(file(units)),
    { stderr: '', codec_name: 'h264', width: 322, height: 242, nb_read_frames: '60', r_frame_rate: '30/1', start_time: '0.000000' })
  t.match(await probe(file(units.slice(30), 90_000 * 3_600)), { stderr: '', nb_read_frames: '30', start_time: '3601.000000' },
    'from the middle of a stream')
  t.match(await probe(file(plainUnits(160, 96, [1, 2, 3]))), { stderr: '', nb_read_frames: '3' })
})
