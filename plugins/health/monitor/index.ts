import { createHash } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { PrinterSession, PrinterState } from '../../../core/index.js'
import type { HealthRecord } from '../../telemetry/index.js'
import { isBlind } from '../analysis/gates.js'
import { contextOf } from '../context.js'
import { assess } from '../assess.js'
import type { RenderInput } from '../pictures/render.js'
import { isGated, isJobStart, isMonitored } from '../stages.js'
import { sightOf } from '../status.js'
import type {
  DetectedBox, Detection, DetectOptions, Frame, HealthResult, JobContext, PlateReference, Profile, Sight, Verdict
} from '../types.js'
import type { AnalysisWorker } from '../worker/analysis-worker.js'
import type { Persistence } from './persistence.js'
import type { References } from './reference.js'
import { gatedResult, IDLE, recordOf, restated, resultOf, tierOf, type Found } from './result.js'
import {
  MOST_RECORDS, newTrack, pushed, trendOf, withVerdict, type LivePictures, type Pictures, type Track
} from './track.js'

/** Source: job monitor, Limits. */
export const ANALYSE_EVERY_MS = 60_000
const TICK_MS = 10_000
const FIRST_TICK_MS = 5_000
/** Without a new picture for so long, the last verdict is not that of now. */
const LOST_MS = 150_000
/** A picture that the stream has just shown need not be taken anew. */
const FRESH_MS = 2_000

export interface MonitorDeps {
  readonly profile: Profile
  readonly analyst: AnalysisWorker
  readonly references: References
  readonly persistence: Persistence
  readonly frame: (session: PrinterSession, maxAgeMs: number) => Promise<Frame>
  readonly project: (session: PrinterSession) => Promise<PlateReference>
  readonly detect: (frame: Frame, context: JobContext, about: Omit<DetectOptions, 'signal'>) =>
  Promise<readonly Detection[]>
  /** Told after every analysis, and with no verdict when a job begins. */
  readonly onVerdict: (printer: string, verdict: Verdict | undefined, score: number) => void
  /** A picture was judged. */
  readonly onFrame: (printer: string, jpeg: Buffer, percent: number) => void
  readonly onResult: (printer: string, now: HealthRecord, before: HealthRecord | undefined) => void
  /** ms since the epoch. */
  readonly now: () => number
  /** ms on a clock that never jumps. */
  readonly steady: () => number
  readonly log: FastifyBaseLogger
}

const hashOf = ({ jpeg }: Frame) => createHash('sha1').update(jpeg).digest('base64')

/** Looks at every printer that prints, once a minute. */
export function createMonitor (deps: MonitorDeps) {
  const { profile, analyst, references, persistence, steady, now, log } = deps
  const tracks = new Map<string, Track>()
  const busy = new Set<string>()
  const seen = new Map<string, Pick<JobContext, 'gcodeState' | 'stageId'>>()

  const trackOf = (printer: string): Track => tracks.get(printer) ?? newTrack()
  function update (printer: string, change: Partial<Track>): void {
    tracks.set(printer, { ...trackOf(printer), ...change })
  }

  function save (printer: string, result: HealthResult | undefined): void {
    persistence.save(printer, result).catch((error: Error) => log.error({ err: error, printer },
      'the result of the job monitor cannot be kept'))
  }

  function beginJob (printer: string): void {
    tracks.set(printer, newTrack(trackOf(printer).job + 1))
    references.drop(printer)
    save(printer, undefined)
    deps.onVerdict(printer, undefined, 0)
  }

  function notice (session: PrinterSession, state: PrinterState): void {
    const { name } = session
    const { gcodeState, stage } = state.job
    const before = seen.get(name)
    seen.set(name, { gcodeState, stageId: stage.id })
    if (isJobStart(gcodeState, before?.gcodeState)) beginJob(name)
    else if (gcodeState !== before?.gcodeState || stage.id !== before.stageId) restate(name, contextOf(session, state))
  }

  /** The last result as it is to be read now that the printer does something else, or is seen worse. */
  function restate (printer: string, context: JobContext, sight?: Sight): void {
    const { result, pictures } = trackOf(printer)
    if (!result) return
    const next = restated(result, context, sight)
    const source = pictures && { ...pictures.source, view: { ...pictures.source.view, status: next.status } }
    update(printer, { result: next, pictures: source && picturesOf(source) })
  }

  /** A picture that shows nothing is no verdict, but a verdict of before is not that of now either. */
  function unseen (printer: string, context: JobContext, sight: Sight): void {
    if (trackOf(printer).result) return restate(printer, context, sight)
    update(printer, { result: gatedResult(context, now(), sight) })
  }

  /** A result that is fresh says more than that nothing can be seen now. */
  function standBy (printer: string, context: JobContext): void {
    const { analysedAt } = trackOf(printer)
    if (steady() - analysedAt < ANALYSE_EVERY_MS) return
    const result = gatedResult(context, now())
    update(printer, { result, pictures: undefined })
    save(printer, result)
  }

  function keep (printer: string, found: Found, change: Partial<Track>): void {
    const track = trackOf(printer)
    const record = recordOf(found)
    const records = pushed(track.records, record, MOST_RECORDS)
    const lowest = Math.min(track.lowest ?? 1, record.success_pct)
    const trend = { success_probability_trend: trendOf(records), success_probability_min: lowest }
    const result = { ...resultOf(found), ...trend }
    const window = withVerdict(track.window, found.judgement.verdict)
    update(printer, {
      ...change,
      window,
      records,
      lowest,
      result,
      evidence: found.judgement.odds.evidence,
      analysedAt: steady()
    })
    save(printer, result)
    deps.onResult(printer, record, track.records.at(-1))
    deps.onVerdict(printer, found.judgement.stable, found.judgement.anomaly)
  }

  /** A camera that stands still shows nothing new: counted again it would fake a steady verdict. */
  async function freshFrame (session: PrinterSession): Promise<Frame | undefined> {
    const frame = await deps.frame(session, FRESH_MS).catch((error: Error) => {
      log.warn({ err: error, printer: session.name }, 'no picture for the job monitor')
    })
    if (!frame) return undefined
    const frameHash = hashOf(frame)
    const stalled = trackOf(session.name).frameHash === frameHash
    update(session.name, { frameHash })
    return stalled ? undefined : frame
  }

  async function analyse (session: PrinterSession, state: PrinterState): Promise<void> {
    const { name } = session
    const { job } = trackOf(name)
    const frame = await freshFrame(session)
    if (!frame) {
      if (steady() - trackOf(name).analysedAt > LOST_MS) unseen(name, contextOf(session, state), 'missing')
      return
    }
    const project = await deps.project(session)
    const context = contextOf(session, session.state ?? state, project)
    const known = references.get(name)
    const { memory } = trackOf(name)
    const referenceJpeg = known?.jpeg ?? frame.jpeg
    const [{ memory: next, ...analysis }, detections] = await Promise.all([
      analyst.run({ kind: 'analyse', profile, jpeg: frame.jpeg, referenceJpeg, context, memory, now: now() },
        session.signal),
      deps.detect(frame, context, { printer: name, job, remember: true })
    ])
    if (trackOf(name).job !== job) return
    if (isBlind(analysis.gate)) return unseen(name, context, sightOf(analysis.gate))
    const reference = known ?? references.set(name, frame)
    const { window, evidence, seenFrom = context.progressPct } = trackOf(name)
    const judgement = assess({ profile, context, analysis, detections, window, evidence, seenFrom })
    const boxes = detections.flatMap(({ boxes: seenThere = [] }) => seenThere)
    const found: Found = { context, analysis, judgement, referenceAgeS: references.ageOf(reference), now: now() }
    deps.onFrame(name, frame.jpeg, context.progressPct)
    const pictures = picturesOf(sourceOf(found, frame, reference.jpeg, project, boxes))
    keep(name, found, { seenFrom, memory: next, pictures })
  }

  const sourceOf = ({ context, analysis, judgement, referenceAgeS }: Found, frame: Frame,
    referenceJpeg: Buffer, { thumbnail, layout }: PlateReference, boxes: readonly DetectedBox[]): RenderInput => ({
    view: {
      profile,
      quality: tierOf(judgement.verdict),
      context,
      analysis: { ...analysis, anomaly: judgement.anomaly },
      status: judgement.status,
      boxes,
      success: judgement.odds.success,
      confidence: judgement.confidence,
      factors: judgement.odds.factors,
      referenceAgeS: analysis.diff === null ? null : referenceAgeS
    },
    jpeg: frame.jpeg,
    referenceJpeg,
    ...(thumbnail && { thumbnail }),
    ...(layout && { layout })
  })

  function picturesOf (source: RenderInput): Pictures {
    let live: Promise<LivePictures> | undefined
    return {
      source,
      live () {
        live ??= draw(source)
        live.catch(() => { live = undefined })
        return live
      }
    }
  }

  async function draw (source: RenderInput): Promise<LivePictures> {
    const made = await analyst.run({ kind: 'live', ...source, view: { ...source.view, quality: 'standard' } })
    return {
      annotated: made.annotated_png ?? undefined,
      factors_radar: made.factors_radar_png ?? undefined,
      health_panel: made.health_panel_png ?? undefined
    }
  }

  /** Does what is due; never two at a time for one printer, and never throws. */
  async function tick (session: PrinterSession): Promise<void> {
    const { name, state } = session
    references.get(name) // an old one goes
    if (!state || busy.has(name) || !isMonitored(state.job.gcodeState)) return
    if (isGated(state.job.stage.id)) return standBy(name, contextOf(session, state))
    if (steady() - trackOf(name).analysedAt < ANALYSE_EVERY_MS) return
    busy.add(name)
    try {
      await analyse(session, state)
    } catch (error) {
      if (!session.signal.aborted) log.error({ err: error, printer: name }, 'the analysis of a job failed')
    } finally {
      busy.delete(name)
    }
  }

  /** What is on disk is of a job before; a job that begins meanwhile does not want it. */
  async function restore (session: PrinterSession): Promise<void> {
    const { name: printer } = session
    const { job, result: known } = trackOf(printer)
    if (known !== undefined) return
    const result = await persistence.load(printer).catch((error: Error) => {
      log.error({ err: error, printer }, 'the last result of the job monitor cannot be read')
      return undefined
    })
    const track = trackOf(printer)
    if (result && track.job === job && track.result === undefined) {
      const { state } = session
      update(printer, { result: restated(result, state ? contextOf(session, state) : IDLE) })
    }
  }

  function follow (session: PrinterSession): () => void {
    void restore(session)
    if (session.state) notice(session, session.state)
    const off = session.events.on('state', state => notice(session, state))
    let interval: NodeJS.Timeout | undefined
    const first = setTimeout(() => {
      void tick(session)
      interval = setInterval(() => { void tick(session) }, TICK_MS).unref()
    }, FIRST_TICK_MS).unref()
    return () => {
      off()
      clearTimeout(first)
      clearInterval(interval)
    }
  }

  return {
    follow,
    tick,
    of: trackOf,
    records: (printer: string): readonly HealthRecord[] => trackOf(printer).records,
    forget (printer: string): void {
      tracks.delete(printer)
      seen.delete(printer)
      references.drop(printer)
      save(printer, undefined)
    }
  }
}

export type Monitor = ReturnType<typeof createMonitor>
