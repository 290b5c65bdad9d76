import { Type, type Static } from 'typebox'
import type { JsonStore } from '../../core/index.js'
import { certaintyAlone, certaintyOf, NEW_COURSE, smooth, startJob, type Course } from './smoothing.js'

const LongCourse = Type.Object({ long: Type.Number(), lifeS: Type.Number() })
/** Stored across restarts, by printer and detector: what was learned of earlier jobs. */
export const StoredCourses = Type.Record(Type.String(), Type.Record(Type.String(), LongCourse))
export type StoredCourses = Static<typeof StoredCourses>

export interface Observation {
  readonly printer: string
  readonly job: number
  /** False reads the course without changing it. */
  readonly remember: boolean
  /** ms since the epoch. */
  readonly at: number
}

interface Known { readonly course: Course, readonly job: number, readonly at: number }

/** Interval assumed before the first picture of a job, in s. */
const FIRST_S = 60
/** With a shorter course of the job than this, in s, a picture is judged on its own. */
const LEAST_S = 30

/** The course of one detector's values for each printer. */
export function createCourses (detector: string, store: JsonStore<StoredCourses>) {
  const known = new Map<string, Known>()

  function before (printer: string, job: number): Known {
    const found = known.get(printer)
    if (found?.job === job) return found
    const stored = store.get()[printer]?.[detector]
    return { course: startJob(found?.course ?? { ...NEW_COURSE, ...stored }), job, at: -Infinity }
  }

  function remember (printer: string, now: Known): void {
    const isSame = known.get(printer)?.job === now.job
    known.set(printer, now)
    if (isSame) return // nothing is learned of a job before it has ended
    const { long, lifeS } = now.course
    const learned = { ...store.get()[printer], [detector]: { long, lifeS } }
    void store.set({ ...store.get(), [printer]: learned }).catch(() => {})
  }

  return {
    /** @returns how certain a failure is, 0 to 1: a third is a warning, two thirds a failure */
    certainty (value: number, { printer, job, remember: stays, at }: Observation): number {
      const { course, at: last } = before(printer, job)
      if (!stays && course.jobS < LEAST_S) return certaintyAlone(value)
      const after = smooth(course, value, Number.isFinite(last) ? (at - last) / 1_000 : FIRST_S)
      if (stays) remember(printer, { course: after, job, at })
      return certaintyOf(after)
    },
    forget (printer: string): void {
      known.delete(printer)
      const { [printer]: _gone, ...others } = store.get()
      void store.set(others).catch(() => {})
    }
  }
}
export type Courses = ReturnType<typeof createCourses>
