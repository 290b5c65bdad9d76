import type { FastifyBaseLogger } from 'fastify'
import { isActive, type PrinterSession } from '../../../core/index.js'
import { plateOfJob, type Projects } from '../../projects/index.js'
import { GaveWay, type ToolpathService } from '../service.js'
import { RemainingTime } from './remaining-time.js'

export interface FollowedJobsDeps {
  readonly projects: () => Pick<Projects, 'ofJob'>
  readonly toolpath: Pick<ToolpathService, 'readInBackground'>
  readonly log: Pick<FastifyBaseLogger, 'debug'>
  /** Seconds of a clock that nobody sets. */
  readonly now?: () => number
}

interface FollowedJob {
  /** File, plate and ids of the job. */
  readonly key: string
  /** Undefined until its plate was read, and where that failed. */
  remaining?: RemainingTime
  observedAt: number
}

/** Follows the jobs of all printers through the layers of their plates. */
export class FollowedJobs {
  readonly #deps: Required<FollowedJobsDeps>
  readonly #jobs = new WeakMap<PrinterSession, FollowedJob>()
  /** One plate after the other. */
  #reading: Promise<unknown> = Promise.resolve()

  constructor (deps: FollowedJobsDeps) { this.#deps = { now: () => performance.now() / 1_000, ...deps } }

  /** @returns a function that ends it */
  follow (session: PrinterSession): () => void {
    const observe = () => { this.#observe(session) }
    const off = session.events.on('state', observe)
    observe()
    return () => {
      off()
      this.#jobs.delete(session)
    }
  }

  /** Seconds that the printer's job still takes; undefined without a job, or if its file is not known. */
  remaining (session: PrinterSession): number | undefined {
    this.#observe(session)
    return this.#jobs.get(session)?.remaining?.seconds
  }

  #observe (session: PrinterSession): void {
    const { state } = session
    const { info } = this.#deps.projects().ofJob(session)
    const plate = plateOfJob(state, { info })
    // While it prepares, the printer may still be loading the file.
    const isBegun = state !== undefined && isActive(state.job.gcodeState) && state.job.gcodeState !== 'PREPARE'
    if (!isBegun || info === null || plate < 1) {
      this.#jobs.delete(session)
      return
    }
    const { taskId, subtaskId, subtaskName, layer, speedPercent, gcodeState } = state.job
    const key = JSON.stringify([info.id, plate, taskId, subtaskId, subtaskName])
    const now = this.#deps.now()
    const known = this.#jobs.get(session)
    if (known?.key !== key) {
      const job = { key, observedAt: now }
      this.#jobs.set(session, job)
      this.#read(session, job, info.id, plate)
      return
    }
    const seconds = gcodeState === 'RUNNING' ? now - known.observedAt : 0
    known.observedAt = now
    known.remaining?.observe({ layer, seconds, speed: speedPercent / 100 })
  }

  #read (session: PrinterSession, job: FollowedJob, path: string, plate: number): void {
    const { toolpath, log, now } = this.#deps
    this.#reading = this.#reading.then(async () => {
      if (this.#jobs.get(session) !== job) return
      const { plate: { layers } } = await toolpath.readInBackground(session, path, plate, session.signal)
      const total = session.state?.job.totalLayers ?? 0
      if (total > 0 && Math.abs(total - (layers.length - 1)) > 1) return // another file of the same name
      job.remaining = new RemainingTime(layers.map(({ seconds }) => seconds))
      job.observedAt = now()
    }).catch((error: unknown) => {
      // It is read with the next report.
      if (error instanceof GaveWay && this.#jobs.get(session) === job) this.#jobs.delete(session)
      log.debug({ err: error, printer: session.name, file: path }, 'the plate of the job cannot be read')
    })
  }
}
