import t from 'tap'
import { ruleOf, World } from './world.js'

t.test('an author who is not known yet after a restart pauses no rule', async t => {
  const world = new World()
  world.start()
  const rule = ruleOf({ then: [{ kind: 'wait', seconds: 20 }, { kind: 'call', operation: 'climate.setLight' }], author: { name: 'late', kind: 'user', id: 'user 7' } })
  await world.use(rule)
  world.occur('print.ended', 'p1', 'a')
  await world.pass(30, 5)
  t.same([world.paused, world.runsOf(rule.id)], [[], []])
  world.known.add('late')
  await world.pass(60, 5)
  t.equal(world.acts.length, 1)
})

t.test('a run whose printer this service has lost is left to another one, and taken back if there is none', async t => {
  const world = new World()
  world.isShared = true
  const first = world.start()
  const rule = ruleOf({ then: [{ kind: 'wait', seconds: 60 }, { kind: 'call', operation: 'climate.setLight' }] })
  await world.use(rule)
  world.occur('print.ended', 'p1', 'a')
  await world.pass(30, 5)
  world.reachable.delete('p1')
  await world.pass(60, 5)
  t.match(world.runsOf(rule.id), [{ state: 'running', owner: first.owner }])
  world.reachable.add('p1')
  const other = world.start()
  await world.load(other)
  world.kill(first)
  await world.pass(20, 5)
  t.match(world.runsOf(rule.id), [{ state: 'done', owner: other.owner }])
  world.occur('print.ended', 'p1', 'b')
  await world.pass(30, 5)
  world.reachable.delete('p1')
  await world.pass(240, 5)
  t.match(world.runsOf(rule.id)[1], { state: 'done', owner: other.owner })
})
