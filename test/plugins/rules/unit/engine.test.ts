import t from 'tap'
import type { Rule } from '../../../../plugins/rules/types.js'
import { ruleOf, World } from './world.js'

t.test('an occurrence makes a rule run once, for one service and for two, and after a restart', async t => {
  const world = new World()
  world.start()
  world.start()
  const rule = ruleOf({ then: [{ kind: 'call', operation: 'climate.setLight' }, { kind: 'call', operation: 'climate.setFan' }] })
  await world.use(rule)
  world.occur('print.ended', 'p1', 'a', { result: 'failed' })
  world.occur('print.ended', 'p1', 'a', { result: 'failed' })
  await world.settle()
  t.same(world.acts.map(({ operation, printer, who }) => [operation, printer, who]), [
    ['climate.setLight', 'p1', `rule ${rule.name} of ben`], ['climate.setFan', 'p1', `rule ${rule.name} of ben`]
  ])
  for (const engine of [...world.engines]) world.kill(engine)
  await world.load(world.start())
  world.occur('print.ended', 'p1', 'a', { result: 'failed' })
  await world.pass(60)
  t.equal(world.acts.length, 2)
  t.equal(world.runsOf(rule.id)[0]?.state, 'done')
})

t.test('fields of the event, printers of the rule and rights of its author decide', async t => {
  const world = new World()
  world.start()
  const failed = ruleOf({ when: [{ kind: 'event', event: 'print.ended', fields: { result: ['failed', 'cancelled'] } }] })
  const other = ruleOf({ printers: ['p2'] })
  const annas = ruleOf({ author: { name: 'anna', kind: 'user', id: 'user 1' } })
  await world.use(failed, other, annas)
  world.occur('print.ended', 'p2', '1', { result: 'finished' })
  await world.settle()
  t.same([failed, other, annas].map(({ id }) => world.runsOf(id).length), [0, 1, 0])
  world.occur('print.ended', 'p1', '2', { result: 'failed' })
  await world.settle()
  t.same([failed, other, annas].map(({ id }) => world.runsOf(id).length), [1, 1, 1])
})

t.test('a rule whose author has left is paused and does nothing', async t => {
  const world = new World()
  world.start()
  const rule = ruleOf({ author: { name: 'gone', kind: 'user', id: 'user 9' } })
  await world.use(rule)
  world.occur('print.ended', 'p1', '1')
  await world.settle()
  t.equal(world.acts.length, 0)
  t.match(world.paused, [/no longer a user/])
  t.match(world.runsOf(rule.id), [{ state: 'skipped', reason: /no longer a user/ }])
})

t.test('a comparison counts when it becomes true and stays so, not when it already was', async t => {
  const world = new World()
  world.start()
  const rule = ruleOf({ when: [{ kind: 'state', value: 'bed', is: 'below', than: 40, for_s: 600 }] })
  world.set('bed', 'p1', 30)
  await world.use(rule)
  await world.pass(700, 10)
  t.equal(world.acts.length, 0, 'it was below before')
  world.set('bed', 'p1', 90)
  await world.settle()
  world.set('bed', 'p1', 35)
  await world.pass(300, 10)
  world.set('bed', 'p1', 45)
  await world.settle()
  world.set('bed', 'p1', 39)
  await world.pass(590, 10)
  t.equal(world.acts.length, 0, 'it did not stay below')
  await world.pass(20, 10)
  t.equal(world.acts.length, 1)
  await world.pass(700, 10)
  t.equal(world.acts.length, 1, 'once for each time')
})

t.test('an unknown value lets nothing run, and a condition to stop that is not known stops', async t => {
  const world = new World()
  world.start()
  const rule = ruleOf({ if: [{ value: 'bed', is: 'below', than: 40 }] })
  const negated = ruleOf({ if: [{ not: { value: 'bed', is: 'below', than: 40 } }] })
  const stopping = ruleOf({ then: [{ kind: 'stop_if', if: [{ value: 'bed', is: 'above', than: 40 }] }, { kind: 'call', operation: 'climate.setLight' }] })
  await world.use(rule, negated, stopping)
  world.occur('print.ended', 'p1', '1')
  await world.settle()
  t.equal(world.acts.length, 0)
  t.match(world.runsOf(rule.id), [{ state: 'skipped', reason: 'condition 1 is not known' }])
  t.match(world.runsOf(negated.id), [{ state: 'skipped' }])
  t.match(world.runsOf(stopping.id), [{ state: 'stopped', reason: /not known/ }])
})

t.test('waits last over a restart, and a changed rule ends its runs', async t => {
  const world = new World()
  const first = world.start()
  const rule = ruleOf({ then: [{ kind: 'wait', seconds: 3600 }, { kind: 'call', operation: 'climate.setLight' }] })
  await world.use(rule)
  world.occur('print.ended', 'p1', '1')
  await world.pass(600, 20)
  world.kill(first)
  world.now += 1_200_000
  await world.load(world.start())
  await world.pass(1_700, 20)
  t.equal(world.acts.length, 0)
  await world.pass(200, 20)
  t.equal(world.acts.length, 1, 'half an hour later, by the time that was left')

  world.occur('print.ended', 'p2', '2')
  await world.pass(60, 20)
  await world.use({ ...rule, changedAt: 2 })
  await world.pass(4_000, 100)
  t.equal(world.acts.length, 1)
  t.match(world.runsOf(rule.id).find(({ printer }) => printer === 'p2'), { state: 'stopped', reason: 'the rule was changed' })
})

t.test('a wait for something goes on when it holds, and stops when the time is over', async t => {
  const world = new World()
  world.start()
  const rule = ruleOf({
    then: [{ kind: 'wait_until', if: [{ value: 'bed', is: 'below', than: 40 }], most_s: 600 }, { kind: 'call', operation: 'climate.setLight' }]
  })
  await world.use(rule)
  world.set('bed', 'p1', 90)
  world.set('bed', 'p2', 90)
  world.occur('print.ended', 'p1', '1')
  world.occur('print.ended', 'p2', '2')
  await world.pass(300, 20)
  world.set('bed', 'p1', 30)
  await world.pass(400, 20)
  t.same(world.acts.map(({ printer }) => printer), ['p1'])
  t.match(world.runsOf(rule.id).map(({ state, reason }) => [state, reason]).sort(), [['done', ''], ['stopped', /did not come in time/]])
})

t.test('an act whose outcome is unknown is said and not repeated', async t => {
  const world = new World()
  const first = world.start()
  const rule = ruleOf({ then: [{ kind: 'call', operation: 'climate.setLight' }, { kind: 'call', operation: 'climate.setFan' }] })
  await world.use(rule)
  world.effect = () => new Promise(() => {}) // the service ends while the printer is being told
  world.occur('print.ended', 'p1', '1')
  await world.settle()
  world.kill(first)
  world.effect = () => {}
  await world.load(world.start())
  await world.pass(60, 1)
  t.equal(world.acts.length, 1)
  t.match(world.runsOf(rule.id), [{ state: 'unclear', reason: /the service ended while it acted/ }])
})

t.test('three failed runs in a row pause a rule, with a message', async t => {
  const world = new World()
  world.start()
  const rule = ruleOf()
  await world.use(rule)
  world.effect = () => { throw new Error('the printer refused it') }
  for (const key of ['1', '2', '3', '4']) {
    world.occur('print.ended', 'p1', key)
    await world.pass(60, 20)
  }
  t.equal(world.acts.length, 3)
  t.match(world.paused, [/3 runs in a row failed, the last because the printer refused it/])
})

t.test('a rule that leads to itself, alone or through others, is paused with the chain named', async t => {
  const world = new World()
  world.start()
  const a = ruleOf({ name: 'A', when: [{ kind: 'state', value: 'light', is: 'equal', than: 'off' }], then: [{ kind: 'call', operation: 'climate.setLight', input: { n: 1 } }] })
  const b = ruleOf({ name: 'B', when: [{ kind: 'state', value: 'light', is: 'equal', than: 'on' }], then: [{ kind: 'call', operation: 'climate.setLight', input: { n: 0 } }] })
  world.set('light', 'p1', 'off')
  await world.use(a, b)
  world.effect = ({ input, printer }) => { setImmediate(() => world.set('light', printer, input.n === 1 ? 'on' : 'off')) }
  world.set('light', 'p1', 'on')
  await world.pass(120, 5)
  t.ok(world.acts.length <= 3, `${world.acts.length} acts`)
  t.match(world.paused, [/^B: it led to itself: B → A → B$/])
})

t.test('a rule does not resume the queue, however it was saved, and may pause it', async t => {
  const world = new World()
  world.start()
  const [resumes, pauses] = [false, true].map(paused => ruleOf({ then: [{ kind: 'call', operation: 'queue.pause', input: { paused } }] }))
  await world.use(resumes as Rule, pauses as Rule)
  world.occur('print.ended', 'p1', 'a')
  await world.settle()
  t.same(world.acts.map(({ input }) => input), [{ paused: true }])
  t.match(world.runsOf(resumes?.id ?? ''), [{ state: 'failed', reason: 'a rule may pause the queue, but only people resume it' }])
})

t.test('rules that lead to each other end after three, and others do not count as caused', async t => {
  const world = new World()
  world.start()
  const rules = ['a', 'b', 'c', 'd', 'e'].map((event, number) => ruleOf({
    name: event, when: [{ kind: 'event', event }], then: [{ kind: 'call', operation: 'other.act', input: { n: number } }]
  }))
  await world.use(...rules)
  world.effect = ({ input, printer }) => { setImmediate(() => world.occur('abcdef'[Number(input.n) + 1] ?? '', printer, 'x')) }
  world.occur('a', 'p1', 'x')
  await world.pass(10)
  t.same(world.acts.map(({ input }) => input.n), [0, 1, 2])
  t.match(world.runsOf(rules[3]?.id ?? ''), [{ state: 'skipped', reason: 'rules led to each other: a → b → c → d' }])
  t.same(world.paused, [])
})

t.test('a rule runs no more often than it may, and not while its last run is in progress', async t => {
  const world = new World()
  world.start()
  const rule = ruleOf({ most_per_hour: 2 })
  const slow = ruleOf({ then: [{ kind: 'wait', seconds: 600 }] })
  await world.use(rule, slow)
  for (let number = 0; number < 5; number++) {
    world.occur('print.ended', 'p1', `${number}`)
    await world.pass(30, 10)
  }
  t.equal(world.acts.length, 2)
  t.match(world.runsOf(slow.id).map(({ reason }) => reason).filter(reason => reason !== ''), Array(4).fill(/still in progress/))
  world.occur('print.ended', 'p2', 'other')
  await world.settle()
  t.equal(world.acts.length, 3, 'each printer counts for itself')
})

t.test('a schedule runs for each printer, and one that was missed is said and not made up for', async t => {
  const world = new World()
  const first = world.start()
  const rule = ruleOf({ when: [{ kind: 'time', cron: '0 * * * *', zone: 'UTC' }] })
  await world.use(rule)
  await world.pass(3_700, 30)
  t.same(world.acts.map(({ printer }) => printer).sort(), ['p1', 'p2'])
  world.kill(first)
  const seen = world.now
  world.now += 2 * 3_600_000
  const next = world.start()
  await world.load(next)
  next.missed(seen)
  await world.pass(30)
  t.equal(world.acts.length, 2)
  t.match(world.runsOf(rule.id).filter(({ state }) => state === 'skipped'), [{ reason: /not made up for/ }, { reason: /not made up for/ }])
  await world.pass(3_600, 30)
  t.equal(world.acts.length, 4)
})

t.test('without a database nothing acts, and what happened is taken up when it is back', async t => {
  const world = new World()
  world.start()
  const rule = ruleOf()
  await world.use(rule)
  world.memory.fault = () => { throw new Error('down') }
  world.occur('print.ended', 'p1', '1')
  await world.pass(60, 5)
  t.equal(world.acts.length, 0)
  world.memory.fault = () => {}
  await world.pass(30, 5)
  t.equal(world.acts.length, 1)
  world.memory.fault = () => { throw new Error('down') }
  world.occur('print.ended', 'p1', '2')
  await world.pass(900, 10)
  world.memory.fault = () => {}
  await world.pass(60, 10)
  t.equal(world.acts.length, 1, 'too late is not acted on')
})

t.test('a service without the printer leaves an occurrence to one that has it', async t => {
  const world = new World()
  world.start()
  const rule = ruleOf()
  await world.use(rule)
  world.reachable = new Set(['p2'])
  world.occur('print.ended', 'p1', '1')
  await world.pass(10)
  t.equal(world.acts.length, 0)
  await world.pass(15)
  t.equal(world.acts.length, 0)
  t.match(world.runsOf(rule.id), [{ state: 'skipped', reason: /does not report its state here/ }])
  world.reachable = new Set(['p1', 'p2'])
  world.occur('print.ended', 'p1', '1')
  await world.settle()
  t.equal(world.acts.length, 1, 'the occurrence stayed open to a service that reaches it')
})

t.test('text of an event stays text', async t => {
  const world = new World()
  world.start()
  const rule = ruleOf({ name: 'Say {printer}', then: [{ kind: 'message', text: '{result} on {printer}: {rule} {nothing}' }] })
  await world.use(rule)
  world.occur('print.ended', 'p1', '1', { result: '{printer}\u001b[31m $& {rule}' })
  await world.settle()
  t.same(world.messages, ['p1: {printer} [31m $& {rule} on p1: Say {printer} {nothing}'])
})
