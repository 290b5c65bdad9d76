import t from 'tap'
import type { AccessUnit, VideoFormat } from '../../../../plugins/camera/index.js'
import { createShotRing, fitTogether, shotOfFrame, shotOfUnit, type Shot } from '../../../../plugins/recording/shot-ring.js'

const formatOf = (text: string): VideoFormat =>
  ({ width: 64, height: 64, codec: 'avc1.42c00a', sps: Buffer.from(text), pps: [Buffer.from('pps')] })
const FORMAT = formatOf('sps')

const video = (at: number, key: boolean, { bytes = 10, format = FORMAT } = {}): Shot =>
  shotOfUnit({ seq: at, key, nalus: [Buffer.alloc(bytes)], format, time: at * 90, at } as AccessUnit)
const picture = (at: number, bytes = 10): Shot =>
  shotOfFrame({ seq: at, jpeg: Buffer.alloc(bytes), width: 64, height: 64, capturedAt: at })
const times = (shots: readonly Shot[]) => shots.map(({ at }) => at)

t.test('video is kept from a key picture on, with the whole group that the span begins in', async t => {
  const ring = createShotRing({ spanMs: 100 })
  ring.push(video(0, false))
  t.same(ring.since(0), [], 'nothing that cannot be decoded')
  for (let at = 10; at <= 200; at += 10) ring.push(video(at, at % 40 === 0))
  t.same(times(ring.since(200)), [80, 90, 100, 110, 120, 130, 140, 150, 160, 170, 180, 190, 200])
  t.same(times(ring.since(220)).at(0), 120)
  t.same(ring.since(301), [], 'too long ago')
})

t.test('pictures are kept one by one', async t => {
  const ring = createShotRing({ spanMs: 100, mostPictures: 4 })
  for (const at of [0, 50, 100, 150]) ring.push(picture(at))
  t.same(times(ring.since(150)), [50, 100, 150])
  for (const at of [160, 170, 180]) ring.push(picture(at))
  t.same(times(ring.since(180)), [150, 160, 170, 180], 'no more than so many')
})

t.test('it holds so many bytes and no more', async t => {
  const ring = createShotRing({ spanMs: 1_000, mostBytes: 100 })
  for (let at = 0; at < 100; at += 10) ring.push(video(at, at % 20 === 0, { bytes: 15 }))
  t.same(times(ring.since(100)), [40, 50, 60, 70, 80, 90])
  ring.push(video(100, true, { bytes: 101 }))
  t.same(ring.since(100), [], 'not even one group')
  ring.push(video(110, false))
  t.same(ring.since(110), [], 'what depends on it is of no use')
})

t.test('what cannot be in one video begins anew', async t => {
  const ring = createShotRing({ spanMs: 1_000 })
  ring.push(video(0, true))
  ring.push(video(10, true, { format: formatOf('sps') }))
  t.same(times(ring.since(10)), [0, 10], 'the same after a reconnection')
  ring.push(video(20, true, { format: formatOf('other') }))
  t.same(times(ring.since(20)), [20])
  ring.push(picture(30))
  t.same(times(ring.since(30)), [30])
  t.equal(fitTogether(video(0, true), picture(0)), false)
  t.equal(fitTogether(picture(0), video(0, true)), false)
  ring.clear()
  t.same(ring.since(30), [])
})

t.test('tiny pictures that follow one key picture do not fill the memory', async t => {
  const ring = createShotRing({ spanMs: 10_000, mostShots: 500 })
  ring.push(video(0, true))
  for (let count = 0; count < 2_000; count++) ring.push(video(1, false, { bytes: 2 }))
  t.equal(ring.since(1).length, 0, 'the group is of no use without its key picture')
  t.equal(ring.bytes, 0)
  for (let at = 2; at < 2_002; at++) ring.push(video(at, at % 100 === 0, { bytes: 2 }))
  t.equal(ring.since(2_001).length, 402, 'whole groups, no more than so many pictures')
})
