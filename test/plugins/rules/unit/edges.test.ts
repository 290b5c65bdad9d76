import t from 'tap'
import { ruleOf, World } from './world.js'

t.test('a comparison that held over a restart does not run again, and one whose time was not over begins anew', async t => {
  const world = new World()
  const first = world.start()
  const at = ruleOf({ when: [{ kind: 'state', value: 'bed', is: 'above', than: 50 }] })
  const long = ruleOf({ when: [{ kind: 'state', value: 'bed', is: 'above', than: 50, for_s: 100 }] })
  world.set('bed', 'p1', 20)
  await world.use(at, long)
  world.set('bed', 'p1', 60)
  await world.pass(50, 10)
  t.same([at, long].map(({ id }) => world.runsOf(id).length), [1, 0])
  world.kill(first)
  world.now += 60_000
  await world.load(world.start())
  await world.pass(90, 10)
  t.same([at, long].map(({ id }) => world.runsOf(id).length), [1, 0], 'what happened meanwhile is not known')
  await world.pass(20, 10)
  t.same([at, long].map(({ id }) => world.runsOf(id).length), [1, 1])
  for (const engine of [...world.engines]) world.kill(engine)
  world.memory.runs.clear() // what is old was removed
  world.now += 3_600_000
  await world.load(world.start())
  await world.pass(300, 10)
  t.same([at, long].map(({ id }) => world.runsOf(id).length), [0, 0], 'what became true long before a start is not acted on')
})

t.test('a time for which something holds begins anew after it was not known', async t => {
  const world = new World()
  world.start()
  const rule = ruleOf({ when: [{ kind: 'state', value: 'bed', is: 'below', than: 40, for_s: 600 }] })
  world.set('bed', 'p1', 90)
  await world.use(rule)
  world.set('bed', 'p1', 30)
  await world.pass(300, 10)
  world.set('bed', 'p1', undefined as never)
  await world.pass(600, 10)
  t.equal(world.acts.length, 0)
  world.set('bed', 'p1', 30)
  await world.pass(500, 10)
  t.equal(world.acts.length, 0, 'what was before does not count')
  await world.pass(120, 10)
  t.equal(world.acts.length, 1)
})
