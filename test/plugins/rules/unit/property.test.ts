import t from 'tap'
import type { Engine } from '../../../../plugins/rules/engine/engine.js'
import type { Rule, Step } from '../../../../plugins/rules/types.js'
import { ruleOf, World, type Act } from './world.js'

/** Numbers that are the same for the same seed (mulberry32). */
function randomOf (seed: number): (most: number) => number {
  let state = seed
  return most => {
    state = (state + 0x6D2B79F5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % most
  }
}

/** Heat, so that whatever happens, it ends. */
const HEAT_C = 60
const OPERATIONS = ['climate.setFan', 'climate.setLight', 'print.pause']
const PRINTERS = ['p1', 'p2', 'p3']

function randomRule (random: (most: number) => number, number: number): Rule {
  const then = Array.from({ length: 1 + random(4) }, (_, step): Step => {
    const kind = random(6)
    if (kind === 0) return { kind: 'wait', seconds: 1 + random(120) }
    if (kind === 1) return { kind: 'wait_until', if: [{ value: 'bed', is: 'below', than: 50 }], most_s: 1 + random(200), otherwise: random(2) === 0 ? 'stop' : 'go_on' }
    if (kind === 2) return { kind: 'stop_if', if: [{ value: 'bed', is: 'above', than: 95 }] }
    return { kind: 'call', operation: OPERATIONS[random(3)] ?? '', input: { n: number * 100 + step } }
  })
  const bed = (step: number, celsius: number): Step =>
    ({ kind: 'call', operation: 'climate.setBedTarget', input: { n: number * 100 + step, celsius } })
  if (random(3) === 0) then.splice(0, then.length, bed(0, HEAT_C), { kind: 'wait', seconds: 1 + random(600) }, bed(2, 0))
  const when: Rule['when'][number] = random(2) === 0
    ? { kind: 'event', event: 'print.ended' }
    : { kind: 'state', value: 'bed', is: random(2) === 0 ? 'below' : 'above', than: 20 + random(70), for_s: random(2) * random(60) }
  return ruleOf({ name: `R${number}`, when: [when], then, most_per_hour: 60, ...random(3) === 0 && { printers: [PRINTERS[random(3)] ?? 'p1'] } })
}

const later = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 1))

/** What happens to services, printers and the database, in any order. */
async function live (world: World, random: (most: number) => number, rules: Rule[]): Promise<void> {
  const kinds = random(14)
  const printer = PRINTERS[random(3)] ?? 'p1'
  if (kinds < 3) world.occur('print.ended', printer, `${random(30)}`, { result: 'failed' })
  else if (kinds < 6) world.set('bed', printer, random(100))
  else if (kinds === 6 && world.engines.length > 0) world.kill(world.engines[random(world.engines.length)] as Engine)
  else if (kinds === 7 && world.engines.length < 2) await world.load(world.start())
  else if (kinds === 8) {
    const most = random(4)
    let uses = 0
    world.memory.fault = () => { if (uses++ >= most) throw new Error('down') }
  } else if (kinds === 9) world.memory.fault = () => {}
  else if (kinds === 10) {
    const index = random(rules.length)
    const rule = world.memory.ruleRows.get(rules[index]?.id ?? '')
    if (rule) {
      world.memory.ruleRows.set(rule.id, { ...rule, changedAt: rule.changedAt + 1, armedAt: world.now })
      for (const engine of world.engines) await world.load(engine)
    }
  } else if (kinds === 11) {
    const fails = random(3)
    world.effect = () => { if (fails === 0) throw new Error('refused') }
  } else if (kinds === 12) world.effect = random(2) === 0 ? () => {} : later
  else await world.pass(1 + random(90), 5)
  if (random(3) > 0) await world.settle()
}

/** Steps that acted, by run; a run is told apart by its rule, its printer and its begin. */
function judge (world: World, acts: readonly (Act & { run: string })[]): string[] {
  const problems: string[] = []
  const last = new Map<string, number>()
  const done = new Set<string>()
  for (const { run, input } of acts) {
    const step = Number(input.n) % 100
    if (done.has(`${run}:${step}`)) problems.push(`step ${step} of ${run} acted twice`)
    done.add(`${run}:${step}`)
    if (step <= (last.get(run) ?? -1)) problems.push(`step ${step} of ${run} acted out of order`)
    last.set(run, step)
  }
  const running = [...world.memory.runs.values()].filter(({ state }) => state === 'running')
  for (const { id } of running) problems.push(`run ${id} never ended`)
  return problems
}

t.test('for any sequence of events, restarts and failures, no step acts twice or out of order, and every run ends', async t => {
  let runs = 0
  let sequences = 0
  for (let seed = 1; seed <= 60; seed++) {
    const random = randomOf(seed)
    const world = new World()
    world.printers = [...PRINTERS]
    world.reachable = new Set(PRINTERS)
    const rules = Array.from({ length: 4 }, (_, number) => randomRule(random, number))
    const acts: (Act & { run: string })[] = []
    const push = world.acts.push.bind(world.acts)
    world.acts.push = (...added) => {
      for (const act of added) {
        if (act.who.startsWith('the service')) continue
        const rule = rules[Math.floor(Number(act.input.n) / 100)]
        const open = [...world.memory.runs.values()].filter(run => run.rule === rule?.id && run.printer === act.printer && run.state === 'running')
        acts.push({ ...act, run: open[0]?.id ?? 'none' })
      }
      return push(...added)
    }
    for (const printer of PRINTERS) world.set('bed', printer, 50)
    world.start()
    world.start()
    await world.use(...rules)
    for (let turn = 0; turn < 60; turn++) await live(world, random, rules)
    world.memory.fault = () => {}
    world.effect = () => {}
    if (world.engines.length === 0) await world.load(world.start())
    await world.pass(2_000, 25)
    t.same(judge(world, acts), [], `seed ${seed}`)
    t.same([...world.beds].filter(([, celsius]) => celsius > 0), [], `heat of seed ${seed}`)
    t.equal(world.memory.heatRows.size, 0, `owners of heat of seed ${seed}`)
    runs += [...world.memory.runs.values()].filter(({ state }) => state !== 'skipped').length
    sequences++
  }
  t.equal(sequences, 60)
  t.ok(runs > 200, `${runs} runs`)
})
