import t from 'tap'
import { createBlockCache } from '../../../../plugins/files/block-cache.js'

const KIB = 1024
const FILE = Buffer.from(Array.from({ length: 3000 * KIB }, (_, at) => (at * 7 + (at >> 8)) % 251))

function scene () {
  const fetched: [start: number, length: number][] = []
  const cache = createBlockCache(FILE.length, async (start, length) => {
    fetched.push([start, length])
    return FILE.subarray(start, start + length)
  })
  return {
    fetched,
    cache,
    reads: async (start: number, length: number) =>
      (await cache.read(start, length)).equals(FILE.subarray(start, start + length))
  }
}

t.test('what lies near to what was read costs no second transfer', async t => {
  const { fetched, reads } = scene()
  t.ok(await reads(100, 30))
  t.ok(await reads(0, 64 * KIB))
  t.ok(await reads(60 * KIB, 10))
  t.same(fetched, [[0, 64 * KIB]])
  t.ok(await reads(60 * KIB, 100 * KIB), 'what is missing of a stretch is fetched at once')
  t.same(fetched.slice(1), [[64 * KIB, 128 * KIB]])
  t.ok(await reads(FILE.length - 5, 5), 'the last block is shorter')
  t.same(fetched.at(-1), [2944 * KIB, 56 * KIB])
})

t.test('long stretches are read as they are asked for, and not kept', async t => {
  const { fetched, reads } = scene()
  t.ok(await reads(10, 600 * KIB))
  t.ok(await reads(10, 600 * KIB))
  t.same(fetched, [[10, 600 * KIB], [10, 600 * KIB]])
})

t.test('the oldest blocks make room, and all are gone once it is cleared', async t => {
  const { fetched, cache, reads } = scene()
  for (let block = 0; block < 25; block++) t.ok(await reads(block * 64 * KIB, 1))
  fetched.length = 0
  t.ok(await reads(24 * 64 * KIB, 1))
  t.same(fetched, [])
  t.ok(await reads(0, 1))
  t.same(fetched, [[0, 64 * KIB]])
  cache.clear()
  t.ok(await reads(0, 1))
  t.equal(fetched.length, 2)
})
