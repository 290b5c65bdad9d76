import t from 'tap'
import type { Engine } from '../../../../plugins/rules/engine/engine.js'
import type { Step } from '../../../../plugins/rules/types.js'
import { ruleOf, World } from './world.js'

const bed = (celsius: number): Step => ({ kind: 'call', operation: 'climate.setBedTarget', input: { celsius } })
const PREHEAT: readonly Step[] = [bed(60), { kind: 'wait', seconds: 3_600 }, bed(0)]
const ended = (world: World) => world.acts.filter(({ who, input }) => who.startsWith('the service') && input.celsius === 0)

/** A bed that a rule heats, ten minutes later. */
async function heating (then = PREHEAT): Promise<{ world: World, engine: Engine, rule: ReturnType<typeof ruleOf> }> {
  const world = new World()
  const engine = world.start()
  const rule = ruleOf({ name: 'Preheat', then })
  await world.use(rule)
  world.occur('print.ended', 'p1', 'a')
  await world.pass(600, 30)
  return { world, engine, rule }
}

t.test('a run that ends by itself ends its heat itself, and nothing is sent after that', async t => {
  const { world } = await heating()
  t.equal(world.beds.get('p1'), 60)
  t.equal(world.memory.heatRows.size, 1)
  await world.pass(3_300, 30)
  t.same([world.beds.get('p1'), world.memory.heatRows.size], [0, 0])
  world.beds.set('p1', 60) // a person
  await world.pass(600, 30)
  t.same([world.beds.get('p1'), ended(world).length, world.told], [60, 0, []])
})

t.test('however a run ends before that, the service ends its heat', async t => {
  const early: Record<string, (of: Awaited<ReturnType<typeof heating>>) => Promise<unknown>> = {
    'the rule was changed': ({ world, rule }) => world.use({ ...rule, changedAt: 2 }),
    'the rule was removed': ({ world }) => world.use(),
    'the main switch is off': ({ engine, rule }) => engine.use([rule], false),
    'somebody stopped the run': async ({ world, engine, rule }) => {
      const { id = '' } = world.runsOf(rule.id)[0] ?? {}
      await world.memory.store.stop(id, { code: 'stopped_by', values: { name: 'anna' } }, world.now)
      engine.runner.drop(id)
    },
    'the service was killed, and its rule removed before it came back': async ({ world, engine }) => {
      world.kill(engine)
      world.memory.ruleRows.clear()
      world.now += 600_000
      await world.load(world.start())
    }
  }
  for (const [how, happens] of Object.entries(early)) {
    const found = await heating()
    await happens(found)
    await found.world.pass(120, 5)
    t.same([found.world.beds.get('p1'), ended(found.world).length], [0, 1], how)
    t.same([found.world.memory.heatRows.size, found.world.told], [0, []], how)
    t.ok([...found.world.memory.steps.values()].some(({ reason }) => reason?.code === 'cooled'), 'the log says so')
  }
})

t.test('a run whose later step fails, or whose heating is unclear, leaves no heat', async t => {
  const failing = await heating([bed(60), { kind: 'wait', seconds: 900 }, bed(0)])
  failing.world.effect = ({ who }) => { if (!who.startsWith('the service')) throw new Error('refused') }
  await failing.world.pass(600, 10)
  t.match(failing.world.runsOf(failing.rule.id), [{ state: 'failed' }])
  t.equal(failing.world.beds.get('p1'), 0)

  const world = new World()
  const first = world.start()
  await world.use(ruleOf({ then: PREHEAT }))
  world.effect = ({ printer }) => {
    world.beds.set(printer, 60)
    return new Promise(() => {}) // the service ends while the printer is being told
  }
  world.occur('print.ended', 'p1', 'a')
  await world.settle()
  world.kill(first)
  world.effect = () => {}
  await world.load(world.start())
  await world.pass(120, 5)
  t.equal(world.beds.get('p1'), 0)
})

t.test('a restart goes on with the run, which ends its heat when it would have', async t => {
  const { world, engine } = await heating()
  world.kill(engine)
  world.now += 600_000
  await world.load(world.start())
  await world.pass(600, 30)
  t.equal(world.beds.get('p1'), 60)
  await world.pass(2_400, 30)
  t.same([world.beds.get('p1'), ended(world).length], [0, 0])
})

t.test('what somebody else has set since is left alone, also the heat of a print', async t => {
  const other = await heating()
  other.world.beds.set('p1', 80)
  await other.world.use()
  await other.world.pass(120, 5)
  t.same([other.world.beds.get('p1'), other.world.memory.heatRows.size, other.world.told], [80, 0, []])

  const print = await heating()
  print.world.jobs.set('p1', 'RUNNING')
  await print.world.use()
  await print.world.pass(3_600, 30)
  t.same([print.world.beds.get('p1'), ended(print.world).length], [60, 0])
  print.world.jobs.set('p1', 'FINISH')
  await print.world.pass(30, 5)
  t.equal(print.world.beds.get('p1'), 0, 'a print that did not end it')

  const next = await heating()
  await next.world.use(ruleOf({ then: PREHEAT }))
  next.world.occur('print.ended', 'p1', 'b')
  await next.world.settle()
  await next.world.pass(120, 5)
  t.same([next.world.beds.get('p1'), ended(next.world).length], [60, 0], 'another rule that heats owns it now')
})

t.test('what cannot be switched off is told once, and is switched off when the printer is back', async t => {
  const { world, rule } = await heating()
  world.start() // two services
  await world.use(rule)
  world.reachable.delete('p1')
  await world.use()
  await world.pass(40, 5)
  t.same(world.told, [], 'not at once')
  await world.pass(600, 5)
  t.match(world.told, [/^'Preheat' heated the bed of 'p1' to 60 °C and ended early\. It may still be on: 'p1' does not report/])
  t.equal(world.told.length, 1)
  world.reachable.add('p1')
  await world.pass(30, 5)
  t.same([world.beds.get('p1'), world.told.length], [0, 1])

  const refused = await heating()
  refused.world.effect = () => { throw new Error('the printer refused it') }
  await refused.world.use()
  await refused.world.pass(600, 5)
  t.match(refused.world.told, [/may still be on: the printer refused it/])
  t.equal(refused.world.told.length, 1)
})

t.test('without a database heat ends a while after its rule would have ended it', async t => {
  const { world } = await heating()
  world.memory.fault = () => { throw new Error('down') }
  await world.pass(3_000, 30)
  t.equal(world.beds.get('p1'), 60)
  await world.pass(300, 30)
  t.equal(world.beds.get('p1'), 0)
  world.memory.fault = () => {}
  await world.pass(600, 30)
  t.same([world.beds.get('p1'), world.memory.heatRows.size, world.told], [0, 0, []])
})

t.test('nothing is heated beside a paused print, which may still be cooled', async t => {
  const world = new World()
  world.start()
  world.jobs.set('p1', 'PAUSE')
  const rule = ruleOf({ then: PREHEAT })
  const cooling = ruleOf({ then: [bed(0)] })
  await world.use(rule, cooling)
  world.occur('print.ended', 'p1', 'a')
  await world.settle()
  t.match(world.runsOf(rule.id), [{ state: 'failed', reason: "'p1' prints" }])
  t.match(world.runsOf(cooling.id), [{ state: 'done' }])
})
