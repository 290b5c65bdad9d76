import t from 'tap'
import { Scales } from '../../../plugins/spool-scale/scales.js'

function scene () {
  const clock = { now: 1_000_000 }
  const weighed: string[] = []
  const known = ['s1', 's2']
  const stored = [...known]
  let reads = 0
  const spools = {
    known: async () => {},
    async refresh () {
      reads++
      known.splice(0, known.length, ...stored)
    },
    all: () => known.map(id => ({ id, tag: '' })),
    inventory: {
      async weigh (id: string, grams: number) { weighed.push(`${id} ${grams}`) },
      find: async () => ({ row: { net: 1000, used: 0 } })
    }
  }
  const kernel = { now: () => clock.now, redact: (text: string) => text }
  const scales = new Scales({ kernel, spools: spools as never, changed () {} })
  const say = async (name: string, grams: number, spool = '') =>
    await scales.hear(name, Buffer.from(JSON.stringify({ grams, spool, stable: true })))
  const has = (name: string) => scales.list().some(one => one.name === name)
  return { clock, weighed, scales, say, spools, known, stored, reads: () => reads, has }
}

t.test('a scale that alternates stores one weighing in three seconds, and a hundred of one spool in a day', async t => {
  const { clock, weighed, scales, say } = scene()
  t.teardown(() => scales.close())
  for (let n = 0; n < 60; n++) {
    await say('bench', n % 2 === 0 ? 700 : 900, 's1')
    clock.now += 100
  }
  t.same(weighed, ['s1 700', 's1 900'])
  for (let n = 0; n < 300; n++) {
    clock.now += 3_000
    await say('bench', n % 2 === 0 ? 700 : 900, 's1')
  }
  t.equal(weighed.length, 100)
  t.match(scales.list(), [{ outcome: { problem: /too often/ } }])
})

t.test('what a scale said last is weighed later, and what it shows is always known', async t => {
  const { weighed, scales, say } = scene()
  t.teardown(() => scales.close())
  await say('bench', 700, 's1')
  await say('bench', 900, 's2')
  await scales.hear('bench', Buffer.from('901'))
  t.match(scales.list(), [{ grams: 901 }])
  t.same(weighed, ['s1 700'])
})

t.test('invented names push out no scale that has weighed, and only for as long as they speak', async t => {
  const { clock, scales, say, has } = scene()
  t.teardown(() => scales.close())
  await say('bench', 700, 's1')
  for (let n = 0; n < 100; n++) await say(`x${n}`, 5)
  t.equal(scales.list().length, 20)
  await say('new', 5)
  t.notOk(has('new'))
  clock.now += 10_000
  await say('new', 5)
  t.ok(has('new'))
  for (let n = 0; n < 100; n++) {
    clock.now += 10_000
    await say(`y${n}`, 5)
  }
  t.ok(has('bench'))
  t.equal(scales.list().length, 20)
})

t.test('a scale that speaks once before the spools were read, or of one added elsewhere, is understood', async t => {
  const { clock, weighed, scales, say, spools, known, stored, reads } = scene()
  t.teardown(() => scales.close())
  known.length = 0
  spools.known = async () => { known.push(...stored) }
  await say('bench', 700, 's1')
  t.same(weighed, ['s1 700'])
  spools.known = async () => {}
  stored.push('s3')
  clock.now += 3_000
  await say('bench', 300, 's3')
  t.same(weighed, ['s1 700', 's3 300'])
  for (let n = 0; n < 4; n++) {
    clock.now += 3_000
    await say('bench', n % 2 === 0 ? 500 : 900, 'none')
  }
  t.equal(reads(), 2, 'unknown names do not make it read again and again')
  t.match(scales.list(), [{ outcome: { problem: 'no spool has the id none' } }])
})
