import type { FastifyBaseLogger } from 'fastify'
import { isServiceError, type FaultGuard, type PrinterSession, type Services } from '../../core/index.js'
import { streamFailed } from './errors.js'
import type { Detection, Frame, HealthDetector, JobContext, PlateReference } from './types.js'

/** How long a camera may take for one picture. */
const FRAME_MS = 40_000

/** @throws PRN_ERR_NO_FRAMES, and what the camera throws */
export async function frameOf (services: Readonly<Services>, session: PrinterSession, maxAgeMs: number,
  signal: AbortSignal): Promise<Frame> {
  if (!('camera' in services)) throw streamFailed('No plugin provides camera pictures')
  const { camera } = services
  try {
    return await camera.latestFrame(session, {
      maxAgeMs,
      signal: AbortSignal.any([signal,
        AbortSignal.timeout(FRAME_MS)])
    })
  } catch (error) {
    if (isServiceError(error)) throw error
    throw streamFailed((error as Error).message, error)
  }
}

/** What is known of the project of the job; nothing when it cannot be read. */
export async function projectOf (services: Readonly<Services>, session: PrinterSession,
  log: FastifyBaseLogger): Promise<PlateReference> {
  if (!('projects' in services)) return {}
  const { projects } = services
  try {
    if (projects.ofJob(session).info === null) return {}
    const thumbnail = projects.pictureOfJob(session, 'thumbnail')
    const layout = await projects.layoutOfJob(session) ?? projects.pictureOfJob(session, 'topimg')
    const settings = projects.settingsOfJob(session)
    return { // copies: what goes to the worker takes all of the memory along that it is a part of
      ...(thumbnail && { thumbnail: Buffer.from(thumbnail) }),
      ...(layout && { layout: Buffer.from(layout) }),
      settings
    }
  } catch (error) {
    log.debug({ err: error, printer: session.name }, 'the project of the job cannot be read')
    return {}
  }
}

const DETECTOR_MS = 15_000

/** Asks every model that plugins bring; one that fails or is late says nothing, and is asked no more if it goes on. */
export async function detectionsOf (detectors: readonly HealthDetector[], frame: Frame, context: JobContext,
  signal: AbortSignal, partOf: (detector: HealthDetector) => FaultGuard): Promise<readonly Detection[]> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(DETECTOR_MS)])
  const asked = detectors.map(async detector => {
    const part = partOf(detector)
    if (part.isDisabled) return undefined
    try {
      const found = await Promise.race([detector.detect(frame, context, { signal: limited }), aborted(limited)])
      if (!(found.score >= 0 && found.score <= 1)) throw new RangeError(`the score ${found.score} is not from 0 to 1`)
      return found
    } catch (error) {
      if (!signal.aborted) part.failed(limited.aborted ? new Error(`no answer in ${DETECTOR_MS / 1000} s`) : error)
      return undefined
    }
  })
  return (await Promise.all(asked)).filter(found => found !== undefined)
}

const aborted = (signal: AbortSignal) => new Promise<never>((_resolve, reject) => {
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
})
