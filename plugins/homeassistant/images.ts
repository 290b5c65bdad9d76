import type { FastifyBaseLogger } from 'fastify'
import { isActive, timeoutSignal, type PrinterSession, type Services } from '../../core/index.js'
import type {} from '../camera/index.js' // adds the service
import type { Retained } from './retained.js'
import { idOf, type Topics } from './topics.js'

export interface ImagesOptions {
  readonly camera: Pick<Services['camera'], 'latestFrame' | 'protocol'>
  readonly imageOnAlert: boolean
  /** 0 for never. */
  readonly imageSeconds: number
  readonly now: () => number
  readonly signal: AbortSignal
  readonly log: Pick<FastifyBaseLogger, 'debug'>
  readonly topics: Topics
  readonly retained: Pick<Retained, 'putImage'>
}

/** Camera pictures, each taken on its own, so that no camera stays connected. */
export interface Images {
  has (session: PrinterSession): boolean
  onAlert (session: PrinterSession, type: string): void
  /** To be called every second. */
  tick (session: PrinterSession): void
}

/** Alerts that come with a picture. */
const SHOWN = new Set(['job_started', 'job_finished', 'job_failed', 'job_paused', 'hms_error_new', 'health_escalated'])
const FRESH_MS = 5_000
const WITHIN_MS = 30_000

export function createImages (options: ImagesOptions): Images {
  const { camera, imageOnAlert, imageSeconds, now, log, topics, retained } = options
  const takenAt = new WeakMap<PrinterSession, number>()
  const underWay = new WeakSet<PrinterSession>()
  const has = (session: PrinterSession): boolean => camera.protocol(session) !== undefined

  function take (session: PrinterSession): void {
    if (underWay.has(session) || !has(session)) return
    underWay.add(session)
    takenAt.set(session, now())
    const signal = AbortSignal.any([options.signal, timeoutSignal(WITHIN_MS)])
    camera.latestFrame(session, { maxAgeMs: FRESH_MS, signal })
      .then(({ jpeg }) => retained.putImage(topics.of(idOf(session.config.serial)).image, jpeg))
      .catch((error: Error) => log.debug({ err: error, printer: session.name }, 'no picture was sent'))
      .finally(() => underWay.delete(session))
  }

  return {
    has,
    onAlert (session, type) {
      if (imageOnAlert && SHOWN.has(type)) take(session)
    },
    tick (session) {
      if (imageSeconds === 0 || !isActive(session.state?.job.gcodeState ?? '')) return
      if (now() - (takenAt.get(session) ?? -Infinity) >= imageSeconds * 1000) take(session)
    }
  }
}
