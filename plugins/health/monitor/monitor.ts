import { createHash } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { isJobOfGap, type PrinterSession, type PrinterState } from '../../../core/index.js'
import type { HealthRecord } from '../../telemetry/index.js'
import { isBlind } from '../analysis/gates.js'
import type { BedPose } from '../analysis/plate-mask/bed-view.js'
import { hasFixedCamera } from '../analysis/plate-mask/camera-kind.js'
import type { ExpectedPlate } from '../analysis/plate-mask/index.js'
import { contextOf } from '../context.js'
import { assess } from '../assess.js'
import { isGatedStage, isJobStart, isMonitored } from '../stages.js'
import { visibilityOf } from '../status.js'
import type {
  Detection, DetectOptions, Frame, HealthResult, JobContext, PlateReference, Profile, Visibility, Verdict
} from '../types.js'
import type { AnalysisWorker } from '../worker/analysis-worker.js'
import type { Outline } from '../../toolpath/index.js'
import type { Persistence } from './persistence.js'
import type { Poses } from './poses.js'
import type { References } from './reference.js'
import { picturesOf, renderInputOf } from './render-input.js'
import { gatedResult, IDLE, restated, withFinding, type Found } from './result.js'
import { newTrack, withAnalysis, type Track } from './track.js'

export const ANALYSE_EVERY_MS = 60_000
const TICK_MS = 10_000
const FIRST_TICK_MS = 5_000
/** Without a new picture for this long, the last verdict no longer describes the print. */
const LOST_MS = 150_000
/** A frame of the stream that is younger than this is reused. */
const FRESH_MS = 2_000

export interface MonitorDeps {
  readonly profile: Profile
  readonly analyst: AnalysisWorker
  readonly references: References
  readonly persistence: Persistence
  readonly frame: (session: PrinterSession, maxAgeMs: number) => Promise<Frame>
  readonly project: (session: PrinterSession) => Promise<PlateReference>
  /** What should be on the plate, if that is known without reading it. */
  readonly outline: (session: PrinterSession, job: number) => Promise<Outline | undefined>
  readonly poses: Poses
  readonly detect: (frame: Frame, context: JobContext, about: Omit<DetectOptions, 'signal'>) =>
  Promise<readonly Detection[]>
  /** Called after every analysis, and with no verdict when a job begins. */
  readonly onVerdict: (printer: string, verdict: Verdict | undefined, score: number) => void
  /** A picture was judged. */
  readonly onFrame: (printer: string, jpeg: Buffer, percent: number) => void
  readonly onResult: (printer: string, record: HealthRecord, previous: HealthRecord | undefined) => void
  /** ms since the epoch. */
  readonly now: () => number
  /** Monotonic clock, ms. */
  readonly steady: () => number
  readonly log: FastifyBaseLogger
}

const hashOf = ({ jpeg }: Frame) => createHash('sha1').update(jpeg).digest('base64')

/** Analyses the print of every printer once a minute, one analysis at a time for each, and holds its track. */
export class Monitor {
  readonly #deps: MonitorDeps
  readonly #tracks = new Map<string, Track>()
  /** Printers whose analysis is running. */
  readonly #busy = new Set<string>()
  /** The last reports, which outlive sessions, and when they came by the steady clock. */
  readonly #seen = new Map<string, { readonly job: PrinterState['job'], readonly at: number }>()

  constructor (deps: MonitorDeps) {
    this.#deps = deps
  }

  of (printer: string): Track {
    return this.#tracks.get(printer) ?? newTrack()
  }

  records (printer: string): readonly HealthRecord[] {
    return this.of(printer).records
  }

  /** @returns stops following the printer */
  follow (session: PrinterSession): () => void {
    void this.#restore(session)
    if (session.state) this.#observe(session, session.state)
    const off = session.events.on('state', state => this.#observe(session, state))
    let interval: NodeJS.Timeout | undefined
    const first = setTimeout(() => {
      void this.tick(session)
      interval = setInterval(() => { void this.tick(session) }, TICK_MS).unref()
    }, FIRST_TICK_MS).unref()
    return () => {
      off()
      clearTimeout(first)
      clearInterval(interval)
    }
  }

  /** Runs an analysis if one is due; never two at a time for one printer, and never throws. */
  async tick (session: PrinterSession): Promise<void> {
    const { references, steady, log } = this.#deps
    const { name, state } = session
    references.get(name) // drops an expired one
    if (!state || this.#busy.has(name) || !isMonitored(state.job.gcodeState)) return
    if (isGatedStage(state.job.stage.id)) return this.#standBy(name, contextOf(session, state))
    if (steady() - this.of(name).analysedAt < ANALYSE_EVERY_MS) return
    this.#busy.add(name)
    try {
      await this.#analyse(session, state)
    } catch (error) {
      if (!session.signal.aborted) log.error({ err: error, printer: name }, 'the analysis of a job failed')
    } finally {
      this.#busy.delete(name)
    }
  }

  /** What is known of its job is dropped; an analysis that still runs is of a job that is over. */
  forget (printer: string): void {
    this.#tracks.set(printer, newTrack(this.of(printer).job + 1))
    this.#seen.delete(printer)
    this.#deps.references.drop(printer)
    this.#save(printer, undefined)
  }

  #change (printer: string, change: Partial<Track>): void {
    this.#tracks.set(printer, { ...this.of(printer), ...change })
  }

  #save (printer: string, result: HealthResult | undefined): void {
    this.#deps.persistence.save(printer, result).catch((error: Error) => {
      this.#deps.log.error({ err: error, printer }, 'the result of the job monitor cannot be stored')
    })
  }

  /** Loads the result of an earlier job, unless a new job begins while it is read. */
  async #restore (session: PrinterSession): Promise<void> {
    const { persistence, log } = this.#deps
    const { name: printer } = session
    const { job, result: known } = this.of(printer)
    if (known !== undefined) return
    const result = await persistence.load(printer).catch((error: Error) => {
      log.error({ err: error, printer }, 'the last result of the job monitor cannot be read')
      return undefined
    })
    const track = this.of(printer)
    if (result && track.job === job && track.result === undefined) {
      const { state } = session
      this.#change(printer, { result: restated(result, state ? contextOf(session, state) : IDLE) })
    }
  }

  #observe (session: PrinterSession, state: PrinterState): void {
    const { name } = session
    const { job, job: { gcodeState, stage } } = state
    const at = this.#deps.steady()
    const before = this.#seen.get(name)
    this.#seen.set(name, { job, at })
    const isMissed = before !== undefined && isMonitored(gcodeState) && isJobOfGap(job, before.job, at - before.at)
    if (isMissed || isJobStart(gcodeState, before?.job.gcodeState)) this.#beginJob(name)
    else if (gcodeState !== before?.job.gcodeState || stage.id !== before.job.stage.id) {
      this.#restate(name, contextOf(session, state))
    }
  }

  #beginJob (printer: string): void {
    this.#tracks.set(printer, newTrack(this.of(printer).job + 1))
    this.#deps.references.drop(printer)
    this.#save(printer, undefined)
    this.#deps.onVerdict(printer, undefined, 0)
  }

  /** Updates the status of the last result after the printer's stage or the visibility has changed. */
  #restate (printer: string, context: JobContext, visibility?: Visibility): void {
    const { result, pictures } = this.of(printer)
    if (!result) return
    const next = restated(result, context, visibility)
    const source = pictures && { ...pictures.source, view: { ...pictures.source.view, status: next.status } }
    this.#change(printer, { result: next, pictures: source && picturesOf(this.#deps.analyst, source) })
  }

  /** A frame that shows nothing gives no verdict, and the last verdict no longer describes the print. */
  #noteBlind (printer: string, context: JobContext, visibility: Visibility): void {
    if (this.of(printer).result) return this.#restate(printer, context, visibility)
    this.#change(printer, { result: gatedResult(context, this.#deps.now(), visibility) })
  }

  /** While the printer prepares, a recent result stays: it says more than that nothing can be judged now. */
  #standBy (printer: string, context: JobContext): void {
    if (this.#deps.steady() - this.of(printer).analysedAt < ANALYSE_EVERY_MS) return
    const result = gatedResult(context, this.#deps.now())
    this.#change(printer, { result, pictures: undefined })
    this.#save(printer, result)
  }

  /** @returns undefined for the same picture as last time: a frozen camera would confirm its own verdict */
  async #freshFrame (session: PrinterSession): Promise<Frame | undefined> {
    const frame = await this.#deps.frame(session, FRESH_MS).catch((error: Error) => {
      this.#deps.log.warn({ err: error, printer: session.name }, 'no picture for the job monitor')
    })
    if (!frame) return undefined
    const frameHash = hashOf(frame)
    const isFrozen = this.of(session.name).frameHash === frameHash
    this.#change(session.name, { frameHash })
    return isFrozen ? undefined : frame
  }

  async #analyse (session: PrinterSession, state: PrinterState): Promise<void> {
    const { profile, analyst, references, steady, now } = this.#deps
    const { name } = session
    const { job } = this.of(name)
    const frame = await this.#freshFrame(session)
    if (this.of(name).job !== job) return // another job began meanwhile, or nobody watches any more
    if (!frame) {
      if (steady() - this.of(name).analysedAt > LOST_MS) this.#noteBlind(name, contextOf(session, state), 'missing')
      return
    }
    const project = await this.#deps.project(session)
    const context = contextOf(session, session.state ?? state, project)
    const expected = hasFixedCamera(context) ? await this.#expected(session) : undefined
    const known = references.get(name)
    const { memory } = this.of(name)
    const referenceJpeg = known?.jpeg ?? frame.jpeg
    const [{ memory: next, ...analysis }, detections] = await Promise.all([
      analyst.run({
        kind: 'analyse',
        profile,
        jpeg: frame.jpeg,
        referenceJpeg,
        context,
        memory,
        now: now(),
        ...(expected && { expected })
      }, session.signal),
      this.#deps.detect(frame, context, { printer: name, job, remember: true })
    ])
    if (this.of(name).job !== job) return
    if (isBlind(analysis.gate)) return this.#noteBlind(name, context, visibilityOf(analysis.gate))
    const reference = known ?? references.set(name, frame)
    const { window, evidence, seenFrom = context.progressPct } = this.of(name)
    const assessed = assess({ profile, context, analysis, detections, window, evidence, seenFrom })
    const judgement = { ...assessed, status: withFinding(assessed.status, analysis.finding) }
    if (next.mask) this.#savePose(name, next.mask.pose)
    const boxes = detections.flatMap(({ boxes: detected = [] }) => detected)
    const found: Found = { context, analysis, judgement, referenceAgeS: references.ageOf(reference), now: now() }
    this.#deps.onFrame(name, frame.jpeg, context.progressPct)
    const source = renderInputOf(profile, found, { frame, referenceJpeg: reference.jpeg, project, boxes })
    this.#store(name, found, { seenFrom, memory: next, pictures: picturesOf(analyst, source) })
  }

  /** What the picture is compared with, and where the camera was seen to be in earlier jobs. */
  async #expected (session: PrinterSession): Promise<ExpectedPlate | undefined> {
    const { outline, poses, log } = this.#deps
    const should = await outline(session, this.of(session.name).job)
    if (should === undefined) return undefined
    const pose = this.of(session.name).memory.mask
      ? undefined
      : await poses.load(session.name).catch((error: Error) => {
        log.error({ err: error, printer: session.name }, 'where the camera is cannot be read')
        return undefined
      })
    return { outline: should, ...(pose && { pose }) }
  }

  #savePose (printer: string, pose: BedPose): void {
    this.#deps.poses.save(printer, pose).catch((error: Error) => {
      this.#deps.log.error({ err: error, printer }, 'where the camera is cannot be stored')
    })
  }

  #store (printer: string, found: Found, more: Pick<Track, 'memory' | 'seenFrom' | 'pictures'>): void {
    const before = this.of(printer)
    const track = withAnalysis(before, found, this.#deps.steady(), more)
    this.#tracks.set(printer, track)
    this.#save(printer, track.result)
    const record = track.records.at(-1)
    if (record) this.#deps.onResult(printer, record, before.records.at(-1))
    this.#deps.onVerdict(printer, found.judgement.stable, found.judgement.anomaly)
  }
}
