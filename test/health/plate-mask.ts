// node --import=tsx test/health/plate-mask.ts [--seed N] [--rounds N] [--minutes N]
//
// Generated prints of an enclosed printer compared with what should be on the plate: says which good ones stay quiet,
// and which failures without strands are noticed within five looks. A round is four good prints and one of each kind.
import { parseArgs } from 'node:util'
import { analyseSequence } from './evaluate.js'
import { share } from './figures.js'
import type { Failure } from './scene/looks.js'
import { plan } from './scene/plan.js'
import { createSequence } from './scene/sequence.js'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '410001' },
    rounds: { type: 'string', default: '25' },
    minutes: { type: 'string', default: '60' }
  }
})

const KINDS = ['gone', 'moved', 'shift', 'empty'] as const satisfies readonly Failure[]
type Kind = (typeof KINDS)[number]
const LOOKS_AFTER = 5

/** Stated limits in mm (docs/decisions/057-what-is-missing-or-misplaced.md). */
const LIMIT_MM = { gone: 10, moved: 10, shift: 4, empty: 8 }

/** mm of the failure at the fifth look: of the part, of the step, or of what was not extruded. */
function sizeOf (seed: number, kind: Kind): number {
  const { target, failsFrom, finish, started, speed, fate, onset } = plan({ seed, machine: 'enclosed', fails: true, failure: kind })
  const z = finish * Math.min(1, started + speed * (onset + LOOKS_AFTER - 1))
  const printed = Math.max(0, z - failsFrom)
  if (kind === 'empty') return Math.min(printed, Math.max(0, target.height - failsFrom))
  // Of a step only what was printed since shows.
  if (kind === 'shift') return printed < LIMIT_MM.shift ? Math.min(printed, fate.step) : fate.step
  return Math.min(target.height, failsFrom)
}

interface Outcome {
  readonly kind: Kind | 'good'
  readonly isLarge: boolean
  readonly quiet: boolean
  readonly found: boolean
  readonly noticed: boolean
}

async function outcomeOf (seed: number, kind: Kind | 'good'): Promise<Outcome> {
  const fails = kind !== 'good'
  const sequence = createSequence({ seed, machine: 'enclosed', fails, ...(fails && { failure: kind }) })
  const run = (await analyseSequence(sequence, ['improved'], true, true)).get('improved')!
  const from = fails ? sequence.onset : 0
  const found = run.findings.slice(from).find(one => one !== undefined)
  const before = run.findings.slice(0, fails ? sequence.onset : undefined).some(one => one !== undefined)
  const size = fails ? sizeOf(seed, kind) : 0
  const outcome: Outcome = {
    kind,
    isLarge: fails && size >= LIMIT_MM[kind],
    quiet: run.stable.every(one => one === undefined || one === 'clean') && !before,
    found: found !== undefined,
    noticed: run.verdicts.slice(Math.max(1, from)).some(one => one !== 'clean')
  }
  console.log([seed, kind, size.toFixed(1), outcome.quiet ? 'quiet' : run.stable.join(' '), found ?? '-'].join('\t'))
  return outcome
}

const percent = (of: number) => `${(100 * of).toFixed(1)} %`

function print (outcomes: readonly Outcome[]): void {
  const good = outcomes.filter(({ kind }) => kind === 'good')
  console.log(`good: ${good.length}, quiet ${percent(share(good, ({ quiet }) => quiet))}, without a finding ` +
    percent(share(good, ({ found }) => !found)))
  const failing = outcomes.filter(({ kind }) => kind !== 'good')
  for (const name of ['all', ...KINDS]) {
    for (const largeOnly of [false, true]) {
      const some = failing.filter(({ kind, isLarge }) => (name === 'all' || name === kind) && (isLarge || !largeOnly))
      console.log(`${name}${largeOnly ? ' above the limit' : ''}: ${some.length}, named ` +
        `${percent(share(some, ({ found }) => found))}, noticed ${percent(share(some, ({ noticed }) => noticed))}`)
    }
  }
}

const until = performance.now() + Number(values.minutes) * 60_000
const outcomes: Outcome[] = []
let seed = Number(values.seed)
for (let round = 0; round < Number(values.rounds) && performance.now() < until; round++) {
  for (const kind of KINDS) {
    outcomes.push(await outcomeOf(seed++, 'good'))
    outcomes.push(await outcomeOf(seed++, kind))
  }
}
print(outcomes)
