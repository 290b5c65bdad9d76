import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { EMPTY_STATE, type AnalysisState } from '../../plugins/health/analysis/improved/analysis-state.js'
import type { PictureContent } from '../../plugins/health/pictures/scene.js'
import { createAnalysisWorker, type AnalysisWorker } from '../../plugins/health/worker/analysis-worker.js'
import { FACTORS, PROFILES, QUALITIES, type Factors, type Profile } from '../../plugins/health/types.js'
import { contextOf } from '../health/context.js'
import { createSequence } from '../health/scene/sequence.js'
import { median, type Row } from './row.js'

const RUNS = 9
const DELAY_RUNS = 50
const LONG_RUN = 1_000
const MB = 1_048_576

const factors = Object.fromEntries(FACTORS.map(name => [name, 0.3])) as Factors

async function framesOf (count: number): Promise<Buffer[]> {
  const scene = createSequence({ seed: 2001, machine: 'enclosed', fails: false, frames: count })
  const frames: Buffer[] = []
  for (let index = 0; index < count; index++) frames.push((await scene.frame(index)).jpeg)
  return frames
}

interface Runner {
  readonly analyst: AnalysisWorker,
  readonly frames: readonly Buffer[],
  memory: AnalysisState,
  turn: number
}

/** One analysis of the next frame. @returns ms */
async function analyseNext (runner: Runner, profile: Profile): Promise<number> {
  const { analyst, frames } = runner
  const jpeg = frames[runner.turn++ % frames.length] as Buffer
  const begun = performance.now()
  const { memory } = await analyst.run({
    kind: 'analyse',
    profile,
    jpeg,
    referenceJpeg: frames[0] as Buffer,
    context: contextOf(),
    memory: runner.memory,
    now: runner.turn * 60_000
  })
  runner.memory = memory
  return performance.now() - begun
}

/** Every picture of one analysis. @returns ms */
async function drawNext ({ analyst, frames, memory }: Runner, quality: PictureContent['quality']): Promise<number> {
  const jpeg = frames[0] as Buffer
  const context = contextOf()
  const { memory: _memory, ...analysis } = await analyst.run({
    kind: 'analyse',
    profile: 'improved',
    jpeg,
    context,
    memory,
    now: 0
  })
  const view: PictureContent = {
    profile: 'improved',
    quality,
    context,
    analysis,
    status: { word: 'clean', reason: null, sight: 'clear', health: 0.9, summary: '' },
    boxes: [],
    success: 0.9,
    confidence: 0.9,
    factors,
    referenceAgeS: 60
  }
  const begun = performance.now()
  await analyst.run({ kind: 'render', view, jpeg, referenceJpeg: frames[1] as Buffer })
  return performance.now() - begun
}

async function medianOf (work: () => Promise<number>): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < RUNS; run++) times.push(await work())
  return median(times)
}

/** Says on the side how long a part of the benchmark took: some take minutes. */
async function told<T> (what: string, work: () => Promise<T>): Promise<T> {
  const begun = performance.now()
  const result = await work()
  console.error(`  ${what}: ${((performance.now() - begun) / 1000).toFixed(1)} s`)
  return result
}

async function costs (runner: Runner): Promise<Row[]> {
  const rows: Row[] = []
  for (const profile of PROFILES) {
    const ours = await told(`scores, ${profile}`, () => medianOf(() => analyseNext(runner, profile)))
    rows.push({ name: `analysis, ${profile}, scores only`, ours, unit: 'ms', bar: { atMost: 300 } })
  }
  for (const quality of QUALITIES) {
    const ours = await told(`pictures, ${quality}`, () => medianOf(() => drawNext(runner, quality)))
    rows.push({ name: `all pictures, ${quality}`, ours, unit: 'ms', note: '1280x720' })
  }
  return rows
}

/** The greatest delay of the loop while nothing but analyses goes on, and while nothing at all does. */
async function delays (runner: Runner): Promise<Row> {
  const greatest = async (work: () => Promise<unknown>) => {
    const loop = monitorEventLoopDelay({ resolution: 1 })
    loop.enable()
    await work()
    loop.disable()
    return loop.max / 1e6
  }
  const begun = performance.now()
  const ours = await greatest(async () => { for (let run = 0; run < DELAY_RUNS; run++) await analyseNext(runner, 'improved') })
  const idle = await greatest(() => setTimeout(performance.now() - begun))
  return {
    name: 'delay of the loop, greatest',
    ours,
    unit: 'ms',
    bar: { atMost: 20 },
    note: `${DELAY_RUNS} analyses; as long without any: ${idle.toFixed(1)} ms`
  }
}

/** What stays behind of many analyses. */
async function leftover (runner: Runner): Promise<Row> {
  const before = process.memoryUsage().rss
  for (let hundred = 1; hundred <= LONG_RUN / 100; hundred++) {
    await told(`memory, ${hundred * 100} of ${LONG_RUN} analyses`, async () => {
      for (let run = 0; run < 100; run++) await analyseNext(runner, 'improved')
    })
  }
  const ours = (process.memoryUsage().rss - before) / MB
  return { name: 'memory after many analyses', ours, unit: 'MB', bar: { atMost: 60 }, note: `${LONG_RUN} more analyses` }
}

/** What an analysis costs, what it does to the daemon's loop, and what stays behind after many. */
export async function health (): Promise<Row[]> {
  const frames = await told('frames', () => framesOf(6))
  const runner: Runner = { analyst: createAnalysisWorker(), frames, memory: EMPTY_STATE, turn: 0 }
  await told('warming up', () => medianOf(() => analyseNext(runner, 'improved')))
  const rows = [...await costs(runner), await told('delays', () => delays(runner)), await leftover(runner)]
  await runner.analyst.close()
  return rows
}
