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

t.test('a run that nobody cared for when it should have gone on ends, and what it had heated goes off', async t => {
  for (const away of ['the service was off', 'the machine was asleep']) {
    const world = new World()
    const first = world.start()
    const heat = (celsius: number) => ({ kind: 'call' as const, operation: 'climate.setBedTarget', input: { celsius } })
    const rule = ruleOf({ then: [{ kind: 'wait', seconds: 300 }, { kind: 'call', operation: 'print.stop' }] })
    const heating = ruleOf({ then: [heat(60), { kind: 'wait', seconds: 600 }, heat(0), { kind: 'call', operation: 'other.act' }] })
    const waiting = ruleOf({ then: [{ kind: 'wait_until', if: [{ value: 'bed', is: 'below', than: 40 }], most_s: 600 }, heat(60)] })
    const long = ruleOf({ then: [{ kind: 'wait', seconds: 6 * 3600 }, { kind: 'call', operation: 'climate.setLight' }] })
    await world.use(rule, heating, waiting, long)
    world.occur('print.ended', 'p1', '1')
    await world.pass(20, 5)
    world.values.set('bed@p1', 30)
    if (away !== 'the machine was asleep') world.kill(first)
    world.now += 3 * 3_600_000
    if (away !== 'the machine was asleep') await world.load(world.start())
    await world.pass(120, 5)
    t.same(world.acts.map(({ operation, input, who }) => [operation, input.celsius, who.startsWith('the service')]), [
      ['climate.setBedTarget', 60, false], ['climate.setBedTarget', 0, true]
    ], away)
    for (const { id } of [rule, heating, waiting]) t.match(world.runsOf(id), [{ state: 'stopped', reason: /service was off/ }], away)
    await world.pass(4 * 3600, 100)
    t.match(world.runsOf(long.id), [{ state: 'done' }], 'its time had not come yet')
  }
})
