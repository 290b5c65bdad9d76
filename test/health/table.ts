import { figuresOf, runsOf, evaluate, type Figures, type Run } from './evaluate.js'
import type { Machine } from './scene/camera.js'
import { FAILURES, LOOKS } from './scene/looks.js'
import type { SequenceOptions } from './scene/plan.js'

/** Seeds below served for tuning and never for figures. */
export const FIRST_TEST_SEED = 1000
/** Sets are so far apart, so that no seed serves twice. */
const APART = 500
const MACHINES = ['enclosed', 'slinger'] as const
const STARTS = [0.1, 0.4, 0.7]

/** What is asked of a figure. */
interface Bar { readonly figure: keyof Figures, readonly least: number }

interface Part {
  readonly name: string
  readonly bars: readonly Bar[]
  /** Told without a bar. */
  readonly told?: readonly (keyof Figures)[]
  readonly run: (seed: number, pairs: number) => Promise<readonly Run[]>
}

const MACHINE_BARS: Readonly<Record<Machine, readonly Bar[]>> = {
  enclosed: [{ figure: 'auc', least: 0.97 }, { figure: 'detection', least: 0.92 }, { figure: 'quiet', least: 0.98 }],
  slinger: [{ figure: 'auc', least: 0.95 }, { figure: 'detection', least: 0.85 }, { figure: 'quiet', least: 0.98 }]
}
const NOTICED: readonly Bar[] = [{ figure: 'within3', least: 0.9 }]
const BEGUN: readonly Bar[] = [{ figure: 'within5', least: 0.8 }]
const QUIET: readonly Bar[] = [{ figure: 'quiet', least: 0.95 }]
const STILL: readonly Bar[] = [{ figure: 'quiet', least: 1 }]
const NONE: readonly Bar[] = []

const sequences = (options: Omit<SequenceOptions, 'seed'>, share: number, knowsPlate = true): Part['run'] =>
  async (seed, pairs) => {
    const count = Math.max(1, Math.round(share * pairs))
    return (await runsOf(options, seed, count, ['improved'], knowsPlate)).get('improved') ?? []
  }

function partsFor (machine: Machine): Part[] {
  const begun = { machine, fails: true, begun: true, frames: 5 }
  return [
    {
      name: `${machine}: good prints and tangles of every kind`,
      bars: MACHINE_BARS[machine],
      told: ['falseWarnings', 'falseAlarms', 'within3', 'noticed', 'alarmed'],
      run: async (seed, pairs) => (await evaluate(machine, seed, pairs, ['improved'])).get('improved') ?? []
    },
    ...STARTS.map(failsAt => ({
      name: `${machine}: tangles that begin at ${100 * failsAt} %`,
      bars: NOTICED,
      run: sequences({ machine, fails: true, failsAt, frames: 6 }, 1 / 3)
    })),
    { name: `${machine}: tangles in the first picture`, bars: BEGUN, told: ['within3'], run: sequences(begun, 1) },
    { name: `${machine}: the same without a project`, bars: NONE, told: ['within5'], run: sequences(begun, 0.5, false) },
    {
      name: `${machine}: good prints of each look`,
      bars: QUIET,
      told: ['falseWarnings'],
      run: async (seed, pairs) => {
        const runs: Run[] = []
        for (const [at, look] of LOOKS.entries()) {
          runs.push(...await sequences({ machine, fails: false, look, frames: 6 }, 1 / 10)(seed + at * pairs, pairs))
        }
        return runs
      }
    },
    ...[true, false].map(knowsPlate => ({
      name: `${machine}: a shaking camera over a lit grained sheet, ${knowsPlate ? 'with' : 'without'} a project`,
      bars: STILL,
      told: ['falseWarnings', 'falseAlarms'] as const,
      run: sequences({ machine, fails: false, still: true, grained: true, shake: 1, frames: 11 }, 2 / 3, knowsPlate)
    })),
    ...FAILURES.slice(1).map(failure => ({
      name: `${machine}: ${failure}`,
      bars: NONE,
      told: ['within3'] as const,
      run: sequences({ machine, fails: true, failure, frames: 6 }, 1 / 5)
    }))
  ]
}

const worded = (figure: keyof Figures, value: number): string =>
  figure === 'auc' ? `AUC ${value.toFixed(3)}` : `${figure} ${(100 * value).toFixed(1)} %`

/**
 * Runs sets one after the other and says of each what was reached.
 * @param wanted part of the names of sets
 * @returns how many bars were missed
 */
export async function printTable (machines: readonly Machine[] = MACHINES, firstSeed = FIRST_TEST_SEED + 1, pairs = 30,
  wanted = '', say: (line: string) => void = console.log): Promise<number> {
  let missed = 0
  let seed = firstSeed
  for (const part of machines.flatMap(partsFor)) {
    const own = seed
    seed += APART
    if (!part.name.includes(wanted)) continue
    const runs = await part.run(own, pairs)
    const figures = figuresOf(runs)
    const judged = part.bars.map(({ figure, least }) => {
      const value = figures[figure] as number
      if (!(value >= least)) missed++
      return `${worded(figure, value)} (${value >= least ? 'reaches' : 'MISSES'} ${worded(figure, least)})`
    })
    const told = (part.told ?? []).map(figure => worded(figure, figures[figure] as number))
    say(`${part.name}, ${runs.length} prints: ${[...judged, ...told].join(', ')}`)
  }
  say(missed === 0 ? 'Every bar is reached.' : `${missed} bars are missed.`)
  return missed
}
