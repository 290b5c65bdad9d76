import { Type, type Static } from 'typebox'
import type { JsonStore } from '../../core/index.js'
import { begun, certaintyAlone, certaintyOf, NEW_COURSE, next, type Course } from './smoothing.js'

const LongCourse = Type.Object({ long: Type.Number(), lifeS: Type.Number() })
/** What outlives a restart, by printer and detector: what is always seen there. */
export const Kept = Type.Record(Type.String(), Type.Record(Type.String(), LongCourse))
export type Kept = Static<typeof Kept>

export interface Sighting {
  readonly printer: string
  readonly job: number
  /** false looks at what is known and changes nothing. */
  readonly remember: boolean
  /** ms since the epoch. */
  readonly at: number
}

interface Known { readonly course: Course, readonly job: number, readonly at: number }

/** A first picture of a job counts as if the one before had been so long ago, in s. */
const FIRST_S = 60
/** Without so many s of this printer a picture stands for itself. */
const LEAST_S = 30

/** Follows what one detector sees of each printer. */
export function createCourses (detector: string, store: JsonStore<Kept>) {
  const known = new Map<string, Known>()

  function before (printer: string, job: number): Known {
    const found = known.get(printer)
    if (found?.job === job) return found
    const kept = store.get()[printer]?.[detector]
    return { course: begun(found?.course ?? { ...NEW_COURSE, ...kept }), job, at: -Infinity }
  }

  return {
    /** @returns how certain a failure is, 0 to 1: a third is a warning, two thirds a failure */
    certainty (value: number, { printer, job, remember, at }: Sighting): number {
      const { course, at: last } = before(printer, job)
      if (!remember && course.jobS < LEAST_S) return certaintyAlone(value)
      const after = next(course, value, Number.isFinite(last) ? (at - last) / 1_000 : FIRST_S)
      if (remember) {
        known.set(printer, { course: after, job, at })
        const kept = { long: after.long, lifeS: after.lifeS }
        void store.set({ ...store.get(), [printer]: { ...store.get()[printer], [detector]: kept } }).catch(() => {})
      }
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
