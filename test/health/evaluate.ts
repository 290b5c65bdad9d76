import sharp from 'sharp'
import { analyse, type AnalysisInput } from '../../plugins/health/analysis/index.js'
import { EMPTY_STATE } from '../../plugins/health/analysis/improved/analysis-state.js'
import type { Picture } from '../../plugins/health/analysis/picture.js'
import { maskOf } from '../../plugins/health/analysis/plate-mask/index.js'
import type { JobContext, Profile, Verdict } from '../../plugins/health/types.js'
import { stableVerdict, thresholdsFor, verdictOf } from '../../plugins/health/verdict.js'
import { auc, detectionAt, medianOf, share, type Scored } from './figures.js'
import type { Machine } from './scene/camera.js'
import type { SequenceOptions } from './scene/plan.js'
import { createSequence, type Sequence } from './scene/sequence.js'
import { contextOf } from './context.js'

export async function decode (jpeg: Buffer): Promise<Picture> {
  const { data, info } = await sharp(jpeg).removeAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, data: new Uint8Array(data.buffer, data.byteOffset, data.length) }
}

/** ms between two frames. */
const CADENCE_MS = 60_000
const START_MS = 1_700_000_000_000

/** One sequence analysed as the monitor would do it: the first frame is reference and baseline. */
export interface Run {
  readonly onset: number
  readonly scores: readonly number[]
  readonly verdicts: readonly Verdict[]
  /** After each frame. */
  readonly stable: readonly (Verdict | undefined)[]
  /** What is missing or misplaced, in a sentence; only with the outline of the plate. */
  readonly findings: readonly (string | undefined)[]
}

export const BED_MM = [256, 256] as const

/**
 * @param knowsPlate whether the monitor is told what is to be on the plate, as the job's project says it
 * @param knowsToolpath whether it is told what should lie there at each layer, as the toolpath says it
 */
export async function analyseSequence (sequence: Sequence, profiles: readonly Profile[],
  knowsPlate = true, knowsToolpath = false): Promise<Map<Profile, Run>> {
  const runs = new Map(profiles.map(profile => [profile, {
    memory: EMPTY_STATE,
    scores: [] as number[],
    verdicts: [] as Verdict[],
    stable: [] as (Verdict | undefined)[],
    findings: [] as (string | undefined)[]
  }]))
  const plate = knowsPlate ? { plate: { boxes: sequence.boxes, bedMm: BED_MM } } : {}
  let reference: Picture | undefined
  for (let index = 0; index < sequence.frames; index++) {
    const { jpeg, context: of } = await sequence.frame(index)
    const picture = await decode(jpeg)
    reference ??= picture
    const context: JobContext = contextOf({ ...of, ...plate })
    const compare: AnalysisInput['compare'] = about => maskOf({ ...about, expected: { outline: sequence.outline(index) } })
    for (const [profile, run] of runs) {
      const now = START_MS + index * CADENCE_MS
      const { anomaly, memory, finding } = analyse({
        profile, picture, reference, context, memory: run.memory, now, ...(knowsToolpath && { compare })
      })
      run.memory = memory
      run.scores.push(anomaly)
      run.verdicts.push(verdictOf(anomaly, thresholdsFor(context)))
      run.stable.push(stableVerdict(run.verdicts.slice(-5)))
      run.findings.push(finding)
    }
  }
  return new Map([...runs].map(([profile, { scores, verdicts, stable, findings }]) => [profile, {
    onset: sequence.onset,
    scores,
    verdicts,
    stable,
    findings
  }]))
}

export interface Figures {
  readonly auc: number
  /** Detection at 5 % false positives. */
  readonly detection: number
  /** Frames of good prints that are not clean, and that are critical. */
  readonly falseWarnings: number
  readonly falseAlarms: number
  /** Failing prints whose stable verdict became other than clean, and critical. */
  readonly noticed: number
  readonly alarmed: number
  /** Good prints whose stable verdict stayed clean. */
  readonly quiet: number
  /** Median analyses from the first frame with a tangle to the first that is not clean,
    of prints where there is one. */
  readonly delay: number
  /** Failing prints of which one of the first three analyses, or five, is not clean; the very first one is a guess. */
  readonly within3: number
  readonly within5: number
  /** Detection at 5 % by analyses since the onset, beginning with the first frame that shows a tangle. */
  readonly byAge: readonly number[]
}

/** The first frame has nothing to be compared with; the first with a tangle cannot be confirmed yet. */
const FIRST_COMPARED = 1
const FIRST_CONFIRMED = 1

const noticedWithin = (failing: readonly Run[], analyses: number): number => share(failing, ({ verdicts, onset }) =>
  verdicts.slice(Math.max(FIRST_COMPARED, onset), onset + analyses).some(verdict => verdict !== 'clean'))

export function figuresOf (runs: readonly Run[]): Figures {
  const good = runs.filter(({ onset }) => onset === Infinity)
  const failing = runs.filter(({ onset }) => onset !== Infinity)
  const normal: Scored[] = good.flatMap(({ scores }) => scores.slice(FIRST_COMPARED).map(score => ({
    score,
    fails: false
  })))
  const aged = (from: number, to?: number): Scored[] =>
    failing.flatMap(({ scores, onset }) => scores.slice(onset + from,
      to === undefined ? undefined : onset + to).map(score => ({ score, fails: true })))
  const scored = [...normal, ...aged(FIRST_CONFIRMED)]
  const verdicts = good.flatMap(run => run.verdicts.slice(FIRST_COMPARED))
  const delays = failing.map(run => run.verdicts.slice(run.onset).findIndex(verdict => verdict !== 'clean')).filter(at => at >= 0)
  const ages = Math.max(0, ...failing.map(({ scores, onset }) => scores.length - onset))
  return {
    auc: auc(scored),
    detection: detectionAt(scored, 0.05),
    falseWarnings: share(verdicts, verdict => verdict !== 'clean'),
    falseAlarms: share(verdicts, verdict => verdict === 'critical'),
    noticed: share(failing, ({ stable, onset }) => stable.slice(onset).some(verdict =>
      verdict !== undefined && verdict !== 'clean')),
    alarmed: share(failing, ({ stable, onset }) => stable.slice(onset).includes('critical')),
    quiet: share(good, ({ stable }) => stable.every(verdict => verdict === undefined || verdict === 'clean')),
    delay: medianOf(delays),
    within3: noticedWithin(failing, 3),
    within5: noticedWithin(failing, 5),
    byAge: Array.from({ length: ages }, (_, age) => detectionAt([...normal, ...aged(age, age + 1)], 0.05))
  }
}

/** Runs sequences of consecutive seeds. */
export async function runsOf (options: Omit<SequenceOptions, 'seed'>, firstSeed: number, count: number,
  profiles: readonly Profile[] = ['improved'], knowsPlate = true): Promise<Map<Profile, Run[]>> {
  const runs = new Map(profiles.map(profile => [profile, [] as Run[]]))
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    const found = await analyseSequence(createSequence({ ...options, seed }), profiles, knowsPlate)
    for (const [profile, run] of found) runs.get(profile)?.push(run)
  }
  return runs
}

/** Runs as many good as failing sequences of one kind of machine. Seeds never meet between sets a thousand apart. */
export async function evaluate (machine: Machine, firstSeed: number, pairs: number, profiles: readonly Profile[],
  frames?: number, knowsPlate = true): Promise<Map<Profile, Run[]>> {
  const some = frames === undefined ? {} : { frames }
  const good = await runsOf({ machine, fails: false, ...some }, firstSeed, pairs, profiles, knowsPlate)
  const failing = await runsOf({ machine, fails: true, ...some }, firstSeed + pairs, pairs, profiles, knowsPlate)
  return new Map(profiles.map(profile => [profile, [...good.get(profile) ?? [], ...failing.get(profile) ?? []]]))
}
