import type { FastifyBaseLogger } from 'fastify'
import { isServiceError, timeoutSignal, type FaultGuard, type PrinterSession, type Services } from '../../core/index.js'
import { plateOfJob } from '../projects/index.js'
import { NoPlateFile, type Outline } from '../toolpath/index.js'
import { streamFailed } from './errors.js'
import type { Detection, DetectOptions, Frame, HealthDetector, JobContext, PlateReference } from './types.js'

/** Timeout for one camera frame. */
const FRAME_MS = 40_000

/** @throws PRN_ERR_NO_FRAMES, and the camera's own errors */
export async function frameInput (camera: Services['camera'] | undefined, session: PrinterSession, maxAgeMs: number,
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

/** Plate, pictures and settings of the job's project; empty when it cannot be read. */
export async function projectInput (projects: Services['projects'] | undefined, session: PrinterSession,
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
    return { // copied because posting a view to the worker clones its whole buffer
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

/** An outline that takes longer is left out of this analysis. */
const OUTLINE_MS = 20_000

/** Sources of what should be on the plate. */
export interface OutlineSources {
  readonly projects: Pick<Services['projects'], 'ofJob'> | undefined
  readonly toolpath: Pick<Services['toolpath'], 'known' | 'outline'> | undefined
}

/** Printers' jobs whose file is not on the card: it would be listed anew at every look. */
export type MissingFiles = Map<string, string>

/** A look at one printer's job. */
export interface OutlineQuestion {
  readonly session: PrinterSession
  /** Counts the printer's jobs. */
  readonly job: number
  readonly missing: MissingFiles
}

/**
 * What should lie on the plate at the end of the layer before; undefined where that is not known. No plate is read for
 * it: a card has better things to do while it prints.
 */
export async function outlineInput ({ projects, toolpath }: OutlineSources, { session, job, missing }: OutlineQuestion,
  log: Pick<FastifyBaseLogger, 'debug'>): Promise<Outline | undefined> {
  const { state } = session
  if (projects === undefined || toolpath === undefined || state === undefined) return undefined
  // From which layer on an object was skipped is not known.
  const { layer, totalLayers, skippedObjects } = state.job
  if (layer < 2 || skippedObjects.length > 0) return undefined
  try {
    const { info } = projects.ofJob(session)
    const plate = plateOfJob(state, { info })
    if (info === null || plate < 1) return undefined
    const asked = `${job} ${info.id}`
    if (missing.get(session.name) === asked) return undefined
    const reading = await toolpath.known(session, info.id, plate).catch((error: unknown) => {
      if (error instanceof NoPlateFile) missing.set(session.name, asked)
      throw error
    })
    if (reading === undefined) return undefined
    const last = reading.plate.layers.length - 1
    if (layer > last || (totalLayers > 0 && Math.abs(totalLayers - last) > 1)) return undefined // another file
    return await toolpath.outline(session, info.id, plate, layer - 1,
      { signal: AbortSignal.any([session.signal, timeoutSignal(OUTLINE_MS)]) })
  } catch (error) {
    log.debug({ err: error, printer: session.name }, 'what should be on the plate cannot be told')
    return undefined
  }
}

const DETECTOR_MS = 30_000

/** Runs all detectors of plugins. One that fails or times out is left out; one that keeps failing is switched off. */
export async function detectionInputs (detectors: readonly HealthDetector[], frame: Frame, context: JobContext,
  { signal, ...about }: DetectOptions,
  guardOf: (detector: HealthDetector) => FaultGuard): Promise<readonly Detection[]> {
  const limited = AbortSignal.any([signal, timeoutSignal(DETECTOR_MS)])
  const asked = detectors.map(detector => guardOf(detector).run(async () => {
    const ended = endOf(limited, signal) // listens before the detector does, so that its error says more
    ended.catch(() => {}) // unhandled if the detector throws synchronously
    const found = await Promise.race([ended, detector.detect(frame, context, { ...about, signal: limited })])
    if (found !== undefined && !(found.score >= 0 && found.score <= 1)) {
      throw new RangeError(`the score ${found.score} is not from 0 to 1`)
    }
    return found
  }))
  return (await Promise.all(asked)).filter(found => found !== undefined)
}

/** Rejects at the timeout, resolves at shutdown. */
const endOf = (limited: AbortSignal, shutdown: AbortSignal) => new Promise<undefined>((resolve, reject) => {
  limited.addEventListener('abort', () => {
    if (shutdown.aborted) resolve(undefined)
    else reject(new Error(`no answer in ${DETECTOR_MS / 1000} s`))
  }, { once: true })
})
