import { createKeyedQueue, isServiceError, type PrinterSession, type PrinterState } from '../../core/index.js'
import { contextOf } from './context.js'
import { analysisBusy, analysisFailed, noAddress, noState } from './errors.js'
import { assess } from './assess.js'
import type { Monitor, MonitorDeps } from './monitor/monitor.js'
import type { Reference } from './monitor/reference.js'
import { resultOf, tierOf } from './monitor/result.js'
import { CATEGORIES, type AssetName, type Assets, type Category } from './pictures/names.js'
import type { PictureContent } from './pictures/scene.js'
import type { Frame, HealthResult, JobContext, PlateReference, Quality } from './types.js'

export interface ReportOptions {
  readonly storeAsReference: boolean
  readonly quality: Quality | 'auto'
  readonly categories: readonly Category[]
}

/** The findings as plain data, then the requested pictures. */
export type Report = Readonly<Record<string, unknown>>

/** Reports that may wait for their turn, with the one that is made. */
const MOST_WAITING = 16
/** Of them for one printer: who asks for more would keep others out. */
const MOST_OF_PRINTER = 2
/** Maximum age of a reused frame. */
const FRESH_MS = 1_000

const uriOf = (name: AssetName, bytes: Uint8Array | null): string | null => bytes === null
  ? null
  : `data:image/${name.endsWith('_jpg') ? 'jpeg' : 'png'};base64,${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}`

const picturesOf = (assets: Assets, categories: readonly Category[]): Record<string, string | null> =>
  Object.fromEntries(categories.flatMap(category => CATEGORIES[category]).map(name => [name, uriOf(name,
    assets[name])]))

const SCALARS = ['verdict', 'stable_verdict', 'success_probability', 'decision_confidence', 'factor_contributions',
  'anomaly_score', 'hot_pct', 'strand_score', 'diff_score', 'reference_age_s', 'quality', 'status', 'layer', 'total_layers',
  'progress_pct', 'timestamp'] as const satisfies readonly (keyof HealthResult)[]

const scalarsOf = (result: HealthResult) => Object.fromEntries(SCALARS.map(name => [name, result[name] ?? null]))

/** Turns unexpected errors of the worker into PRN_ERR_ANALYSIS_FAILED. */
async function orFailed<T> (work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw isServiceError(error) ? error : analysisFailed((error as Error).message, error)
  }
}

function check ({ name, state, config }: PrinterSession): PrinterState {
  if (config.host.trim() === '') throw noAddress(name)
  if (!state) throw noState(name)
  return state
}

type Deps = Pick<MonitorDeps, 'profile' | 'analyst' | 'references' | 'frame' | 'project' | 'detect' | 'now'>

interface Inputs {
  readonly frame: Frame
  readonly project: PlateReference
  readonly context: JobContext
  readonly reference: Reference | undefined
}

/**
 * Analyses a printer now, printing or not. The monitor's memory is read but not changed. Reports take turns, so that
 * the monitor, which shares their thread and their networks, waits for one of them at most.
 */
export function createReporter (deps: Deps, monitor: Monitor) {
  const { profile, analyst, references, now } = deps
  const turns = createKeyedQueue()
  const waiting: string[] = []

  /** In its turn, as a picture of the moment is wanted and not one of minutes ago. */
  async function takeInputs (session: PrinterSession, storeAsReference: boolean): Promise<Inputs> {
    const { name } = session
    const state = check(session)
    const [frame, project] = await Promise.all([deps.frame(session, FRESH_MS), deps.project(session)])
    if (storeAsReference) references.set(name, frame)
    const context: JobContext = contextOf(session, session.state ?? state, project)
    return { frame, project, context, reference: references.get(name) }
  }

  async function judge (session: PrinterSession, { frame, project, context, reference }: Inputs,
    { quality, categories }: ReportOptions, signal: AbortSignal | undefined): Promise<Report> {
    const track = monitor.of(session.name)
    const { jpeg } = frame
    const referenceJpeg = reference && { referenceJpeg: reference.jpeg }
    const [{ memory: _memory, ...analysis }, detections] = await orFailed(Promise.all([
      analyst.run({
        kind: 'analyse', profile, jpeg, ...referenceJpeg, context, memory: track.memory, now: now(), alone: true
      }),
      deps.detect(frame, context, { printer: session.name, job: track.job, remember: false })
    ]))
    const judgement = assess({
      profile,
      context,
      analysis,
      detections,
      window: track.window,
      evidence: track.evidence,
      seenFrom: track.seenFrom ?? context.progressPct
    })
    const referenceAgeS = references.ageOf(reference)
    const tier = quality === 'auto' ? tierOf(judgement.verdict) : quality
    const view: PictureContent = {
      profile,
      quality: tier,
      context,
      analysis: { ...analysis, anomaly: judgement.anomaly },
      status: judgement.status,
      boxes: detections.flatMap(({ boxes = [] }) => boxes),
      success: judgement.odds.success,
      confidence: judgement.confidence,
      factors: judgement.odds.factors,
      referenceAgeS: analysis.diff === null ? null : referenceAgeS
    }
    const { thumbnail, layout } = project
    signal?.throwIfAborted() // nobody would see the pictures
    const assets = await orFailed(analyst.run({
      kind: 'render',
      view,
      jpeg,
      ...referenceJpeg,
      ...(thumbnail && { thumbnail }),
      ...(layout && { layout })
    }))
    const found = resultOf({ context, analysis, judgement, referenceAgeS, now: now() })
    const stable = track.result?.stable_verdict ?? 'clean'
    const counts = judgement.status.word !== 'standby'
    const scalars = scalarsOf({ ...found, stable_verdict: stable, quality: tier })
    return { counts, ...scalars, ...picturesOf(assets, categories) }
  }

  return async (session: PrinterSession, options: ReportOptions, signal?: AbortSignal): Promise<Report> => {
    const { name } = session
    check(session)
    const ofPrinter = waiting.filter(one => one === name).length
    if (waiting.length >= MOST_WAITING || ofPrinter >= MOST_OF_PRINTER) throw analysisBusy()
    waiting.push(name)
    try {
      return await turns.run('', async () =>
        await judge(session, await takeInputs(session, options.storeAsReference), options, signal), signal)
    } finally {
      waiting.splice(waiting.indexOf(name), 1)
    }
  }
}
