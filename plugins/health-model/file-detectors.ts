import type { JsonStore } from '../../core/index.js'
import { defineHealthDetector, type Detection, type DetectOptions, type Frame, type HealthDetector } from '../health/index.js'
import { createCourses, type Courses, type StoredCourses } from './courses.js'
import type { Remote } from './remote.js'
import type { InferenceClient } from './runtime/client.js'
import { verifyModel, type StoredModel } from './store.js'
import type { Reading } from './types.js'
import { onlyRaises } from './used-models.js'

/** Maps certainties of networks, where 1/3 is a warning and 2/3 a failure, to the scale of the job monitor. */
const CERTAINTIES = [[0, 0], [1 / 3, 0.38], [2 / 3, 0.78], [1, 1]] as const
export function scoreOf (thirds: number): number {
  const at = Math.max(1, CERTAINTIES.findIndex(([from]) => thirds <= from))
  const [toX, toY] = CERTAINTIES[at] ?? [1, 1]
  const [fromX, fromY] = CERTAINTIES[at - 1] ?? [0, 0]
  return Math.min(1, fromY + (toY - fromY) * (thirds - fromX) / (toX - fromX))
}

interface Judge {
  readonly name: string
  /** It counts only where it is worse than the comparison of pictures, which goes on beside it. */
  readonly raises?: boolean
  readonly courses: Courses
  judge (frame: Frame, signal: AbortSignal): Promise<Reading | undefined>
}

type TrustIn = (printer: string) => number

export const detectorOf = ({ name, raises, courses, judge }: Judge,
  trustIn: TrustIn): HealthDetector => defineHealthDetector({
  name,
  async detect (frame, _context, { signal, printer, job, remember }: DetectOptions): Promise<Detection | undefined> {
    const trust = trustIn(printer)
    if (trust === 0) return undefined
    const reading = await judge(frame, signal)
    if (!reading) return undefined
    const certainty = courses.certainty(reading.value, { printer, job, remember, at: frame.capturedAt })
    return { score: scoreOf(certainty), label: name, ...(raises !== true && { trust }), boxes: reading.boxes }
  }
})

export interface Surroundings {
  readonly client: InferenceClient
  readonly store: JsonStore<StoredCourses>
  readonly trustIn: TrustIn
  readonly warn: (message: string) => void
  /** By default a network that is loaded again begins anew. */
  readonly coursesOf?: (name: string) => Courses
}

export interface NamedDetector { readonly detector: HealthDetector, readonly courses: Courses }

/** Detectors for networks in files; a file that has changed since it was added is left out. */
export async function fileDetectors (models: readonly StoredModel[], surroundings: Surroundings):
Promise<NamedDetector[]> {
  const { client, store, trustIn, warn, coursesOf = name => createCourses(name, store) } = surroundings
  const found: NamedDetector[] = []
  // One after the other: several large files at once would be slower on a small machine.
  for (const stored of models) {
    try {
      await verifyModel(stored)
    } catch (error) {
      warn((error as Error).message)
      continue
    }
    const { model: { name }, file } = stored
    const courses = coursesOf(name)
    const judge: Judge['judge'] = async ({ jpeg }, signal) => await client.infer(file, stored.model, jpeg, signal)
    found.push({ courses, detector: detectorOf({ name, raises: onlyRaises(stored), courses, judge }, trustIn) })
  }
  return found
}

export const remoteJudge = (remote: Remote, courses: Courses): Judge =>
  ({ name: 'remote', courses, judge: async ({ jpeg }, signal) => await remote.judge(jpeg, signal) })
