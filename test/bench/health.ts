import { monitorEventLoopDelay } from 'node:perf_hooks'
import { NO_MEMORY, type Memory } from '../../plugins/health/analysis/improved/memory.js'
import type { View } from '../../plugins/health/pictures/view.js'
import { createAnalyst, type Analyst } from '../../plugins/health/worker/analyst.js'
import { FACTORS, type Factors, type Profile } from '../../plugins/health/types.js'
import { contextOf } from '../health/context.js'
import { createSequence } from '../health/scene/sequence.js'
import { median, type Row } from './row.js'

const RUNS = 20
const LONG_RUN = 1_000
const MB = 1_048_576

const factors = Object.fromEntries(FACTORS.map(name => [name, 0.3])) as Factors

async function framesOf (count: number): Promise<Buffer[]> {
  const scene = createSequence({ seed: 2001, machine: 'enclosed', fails: false, frames: count })
  const frames: Buffer[] = []
  for (let index = 0; index < count; index++) frames.push((await scene.frame(index)).jpeg)
  return frames
}

interface Runner { readonly analyst: Analyst, readonly frames: readonly Buffer[], memory: Memory, turn: number }

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
async function drawNext ({ analyst, frames, memory }: Runner, quality: View['quality']): Promise<number> {
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
  const view: View = {
    profile: 'improved',
    quality,
    context,
    analysis,
    verdict: 'clean',
    gated: false,
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

/** What an analysis costs, what it does to the daemon's loop, and what stays behind after many. */
export async function health (): Promise<Row[]> {
  const runner: Runner = { analyst: createAnalyst(), frames: await framesOf(6), memory: NO_MEMORY, turn: 0 }
  await medianOf(() => analyseNext(runner, 'improved')) // the thread has started and its code is warm
  const rows: Row[] = []
  for (const profile of ['improved', 'reference'] as const) {
    rows.push({ name: `analysis, ${profile}, scores only`, ours: await medianOf(() => analyseNext(runner, profile)), unit: 'ms', bar: { atMost: 300 } })
  }
  for (const quality of ['preview', 'standard', 'full'] as const) {
    rows.push({ name: `all pictures, ${quality}`, ours: await medianOf(() => drawNext(runner, quality)), unit: 'ms', note: '1280x720' })
  }
  const loop = monitorEventLoopDelay({ resolution: 1 })
  const before = process.memoryUsage().rss
  loop.enable()
  for (let run = 0; run < LONG_RUN; run++) await analyseNext(runner, 'improved')
  loop.disable()
  rows.push(
    { name: 'delay of the loop, greatest', ours: loop.max / 1e6, unit: 'ms', bar: { atMost: 20 }, note: `${LONG_RUN} analyses` },
    { name: 'memory after many analyses', ours: (process.memoryUsage().rss - before) / MB, unit: 'MB', bar: { atMost: 60 }, note: `${LONG_RUN} more analyses` }
  )
  await runner.analyst.close()
  return rows
}
