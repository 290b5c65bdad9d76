import type { FastifyBaseLogger } from 'fastify'
import { isServiceError, timeoutSignal, type FaultGuard, type PrinterSession, type Services } from '../../core/index.js'
import { streamFailed } from './errors.js'
import type { Detection, DetectOptions, Frame, HealthDetector, JobContext, PlateReference } from './types.js'

/** How long a camera may take for one picture. */
const FRAME_MS = 40_000

/** @throws PRN_ERR_NO_FRAMES, and what the camera throws */
export async function frameOf (camera: Services['camera'] | undefined, session: PrinterSession, maxAgeMs: number,
  signal: AbortSignal): Promise<Frame> {
  if (camera === undefined) throw streamFailed('No plugin provides camera pictures')
  try {
    return await camera.latestFrame(session, {
      maxAgeMs,
      signal: AbortSignal.any([signal, timeoutSignal(FRAME_MS)])
    })
  } catch (error) {
    if (isServiceError(error)) throw error
    throw streamFailed((error as Error).message, error)
  }
}

/** What is known of the project of the job; nothing when it cannot be read. */
export async function projectOf (projects: Services['projects'] | undefined, session: PrinterSession,
  log: FastifyBaseLogger): Promise<PlateReference> {
  if (projects === undefined) return {}
  try {
    const { info } = projects.ofJob(session)
    if (info === null) return {}
    const boxes = info.metadata.map.bbox_objects.map(({ bbox: [xMin = 0, yMin = 0, xMax = 0, yMax = 0] }) =>
      [xMin, yMin, xMax, yMax] as const)
    const thumbnail = projects.pictureOfJob(session, 'thumbnail')
    const layout = await projects.layoutOfJob(session) ?? projects.pictureOfJob(session, 'topimg')
    const settings = projects.settingsOfJob(session)
    return { // copies: what goes to the worker takes all of the memory along that it is a part of
      ...(thumbnail && { thumbnail: Buffer.from(thumbnail) }),
      ...(layout && { layout: Buffer.from(layout) }),
      settings,
      ...(boxes.length > 0 && { plate: { boxes, bedMm: session.model.bedMm } })
    }
  } catch (error) {
    log.debug({ err: error, printer: session.name }, 'the project of the job cannot be read')
    return {}
  }
}

const DETECTOR_MS = 30_000

/** Asks every model that plugins bring; one that fails or is late says nothing, and is asked no more if it goes on. */
export async function detectionsOf (detectors: readonly HealthDetector[], frame: Frame, context: JobContext,
  { signal, ...about }: DetectOptions,
  guardOf: (detector: HealthDetector) => FaultGuard): Promise<readonly Detection[]> {
  const limited = AbortSignal.any([signal, timeoutSignal(DETECTOR_MS)])
  const asked = detectors.map(detector => guardOf(detector).run(async () => {
    const ended = endOf(limited, signal) // listens before the detector does: its own word for it would say less
    ended.catch(() => {}) // nobody waits for it beside a detector that throws at once
    const found = await Promise.race([ended, detector.detect(frame, context, { ...about, signal: limited })])
    if (found !== undefined && !(found.score >= 0 && found.score <= 1)) {
      throw new RangeError(`the score ${found.score} is not from 0 to 1`)
    }
    return found
  }))
  return (await Promise.all(asked)).filter(found => found !== undefined)
}

/** Rejects when the time is over, resolves at shutdown. */
const endOf = (limited: AbortSignal, shutdown: AbortSignal) => new Promise<undefined>((resolve, reject) => {
  limited.addEventListener('abort', () => {
    if (shutdown.aborted) resolve(undefined)
    else reject(new Error(`no answer in ${DETECTOR_MS / 1000} s`))
  }, { once: true })
})
