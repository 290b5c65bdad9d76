import t from 'tap'
import { createGroupRing } from '../../../../plugins/camera/video/group-ring.js'
import type { AccessUnit, VideoFormat } from '../../../../plugins/camera/video/types.js'

const format: VideoFormat = { width: 64, height: 64, codec: 'avc1.42c00a', sps: Buffer.alloc(1), pps: [Buffer.alloc(1)] }
const unit = (seq: number, key = false, bytes = 10): AccessUnit =>
  ({ seq, key, nalus: [Buffer.alloc(bytes)], format, time: seq * 3_000, at: seq * 100 })
const numbers = (units: readonly AccessUnit[] | undefined) => units?.map(({ seq }) => seq)

t.test('it holds the last key picture and what follows', async t => {
  const ring = createGroupRing()
  ring.push(unit(1))
  t.same(ring.units, [], 'what cannot be decoded alone is no beginning')
  for (const key of [true, false, false]) ring.push(unit(ring.units.length + 2, key))
  t.same(numbers(ring.units), [2, 3, 4])
  ring.push(unit(5, true))
  t.same(numbers(ring.units), [5])
  ring.clear()
  t.same(ring.units, [])
})

t.test('a picture is made of as little as is new enough', async t => {
  const ring = createGroupRing()
  t.equal(ring.pictureSince(0), undefined)
  for (const seq of [1, 2, 3]) ring.push(unit(seq, seq === 1))
  t.same(numbers(ring.pictureSince(-Infinity)), [1])
  t.same(numbers(ring.pictureSince(100)), [1])
  t.same(numbers(ring.pictureSince(101)), [1, 2, 3])
  t.same(numbers(ring.pictureSince(300)), [1, 2, 3])
  t.equal(ring.pictureSince(301), undefined)
})

t.test('a group without an end is not kept', async t => {
  for (const limit of [{ mostBytes: 45 }, { mostUnits: 4 }]) {
    const ring = createGroupRing(limit)
    for (let seq = 1; seq <= 4; seq++) ring.push(unit(seq, seq === 1))
    t.equal(ring.units.length, 4)
    ring.push(unit(5))
    ring.push(unit(6))
    t.same(ring.units, [], JSON.stringify(limit))
    ring.push(unit(7, true))
    t.same(numbers(ring.units), [7])
  }
})
