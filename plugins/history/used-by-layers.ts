import type { FilamentCourse } from '../toolpath/index.js'
import type { LayerSpan, Print, UsedByLayers } from './types.js'

/** What a plate uses of its filaments in the course of its layers. */
export interface PlateCourse {
  /** Of the print, without layer 0, which comes before the first. */
  readonly layers: number
  /** By number of the project's filament, from 1. */
  readonly filaments: ReadonlyMap<number, FilamentCourse>
}

export function plateCourse (courses: readonly FilamentCourse[], layers: number): PlateCourse {
  return { layers, filaments: new Map(courses.map(course => [course.tool + 1, course])) }
}

/** Slicers and printers count rafts and supports in different ways. A larger difference means another plate. */
const MOST_APART = { layers: 2, share: 0.1 } as const
/** The part of the layer in progress that counts as printed, because printers do not report it. */
const OF_LAYER_IN_PROGRESS = 0.5

type Progress = Pick<Print, 'layer' | 'totalLayers' | 'result'>
type Amount = 'grams' | 'metres'

const isSamePlate = ({ layers }: PlateCourse, { layer, totalLayers }: Progress): boolean =>
  totalLayers > 0 && layer <= layers + MOST_APART.layers &&
  Math.abs(totalLayers - layers) <= Math.max(MOST_APART.layers, layers * MOST_APART.share)

/** At the end of a layer; of the last one for layers beyond it. */
const untilEnd = (course: FilamentCourse, of: Amount, layer: number): number =>
  course[of][Math.min(layer, course[of].length - 1)] ?? 0

function until (course: FilamentCourse, of: Amount, { layer, result }: Progress): number {
  if (result === 'finished') return course[of].at(-1) ?? 0
  const done = untilEnd(course, of, layer - 1)
  return done + (untilEnd(course, of, layer) - done) * OF_LAYER_IN_PROGRESS
}

const total = (values: Iterable<number>): number => [...values].reduce((sum, value) => sum + value, 0)

/**
 * What a print has used by the layer that it has reached: all of the layers before, and half of the one in progress.
 * Includes the prime tower, filament changes, and what is purged before the first layer.
 * @returns undefined if the printer reports no layers, or so many that it prints another plate
 */
export function usedByLayers (plate: PlateCourse, print: Progress): UsedByLayers | undefined {
  if (!isSamePlate(plate, print) || (print.layer < 1 && print.result !== 'finished')) return undefined
  const whole = total([...plate.filaments.values()].map(({ grams }) => grams.at(-1) ?? 0))
  if (!(whole > 0)) return undefined
  const filaments = [...plate.filaments].map(([filament, course]) =>
    ({ filament, grams: until(course, 'grams', print), metres: until(course, 'metres', print) }))
  return { layer: print.layer, percent: 100 * total(filaments.map(({ grams }) => grams)) / whole, filaments }
}

/** Grams of a filament in some layers; the first span includes what comes before the first layer. */
export function gramsIn (plate: PlateCourse, filament: number, spans: readonly LayerSpan[]): number {
  const course = plate.filaments.get(filament)
  if (course === undefined) return 0
  return total(spans.map(([after, last]) =>
    untilEnd(course, 'grams', last) - (after === 0 ? 0 : untilEnd(course, 'grams', after))))
}
