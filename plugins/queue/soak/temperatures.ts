import type { PrinterState } from '../../../core/index.js'
import { why, type Why } from '../decide/index.js'
import type { HeatRecord } from '../types.js'

/** A heater that holds its target is reported a little below it. */
const CLOSE_C = 2
/** Something that has been warm and is colder by so much has lost its heat: a door was opened, or a plate exchanged. */
const LOST_C = 5

type Wanted = Pick<HeatRecord, 'bedC' | 'chamberC'>

function isWithin (celsius: number, { bedC, chamberC }: Wanted, { heat: { bed, chamber } }: Pick<PrinterState, 'heat'>): boolean {
  const isChamberWarm = chamberC === 0 || (chamber.sensor && chamber.actual >= chamberC - celsius)
  return bed.actual >= bedC - celsius && isChamberWarm
}

/** Bed and chamber are as warm as wanted. */
export const isWarm = (wanted: Wanted, state: Pick<PrinterState, 'heat'>): boolean => isWithin(CLOSE_C, wanted, state)

/** What was warm is no longer. */
export const isLost = (wanted: Wanted, state: Pick<PrinterState, 'heat'>): boolean => !isWithin(LOST_C, wanted, state)

/** For people, such as `the bed has 47 of 60 °C`. */
export function temperatureText ({ bedC, chamberC }: Wanted, { heat: { bed, chamber } }: Pick<PrinterState, 'heat'>): string {
  const now = chamber.sensor ? `${Math.round(chamber.actual)}` : 'unknown'
  return `the bed has ${Math.round(bed.actual)} of ${bedC} °C${chamberC === 0 ? '' : `, the chamber ${now} of ${chamberC} °C`}`
}

const MINUTE_MS = 60_000

/** How far the warming for a job is. */
export function whyWarming (heat: HeatRecord, job: string, state: Pick<PrinterState, 'heat'> | undefined, now: number): Why {
  const { bedC, chamberC, minutes, warmAt } = heat
  const values = { job, bed: Math.round(state?.heat.bed.actual ?? 0), target: bedC }
  if (warmAt !== undefined) {
    return why('soaking', { ...values, minutes: Math.max(0, Math.ceil(minutes - (now - warmAt) / MINUTE_MS)) })
  }
  const isBedWarm = state !== undefined && isWarm({ bedC, chamberC: 0 }, state)
  if (chamberC === 0 || !isBedWarm) return why('warming', { ...values, minutes })
  return why('warming_chamber', { job, chamber: Math.round(state.heat.chamber.actual), target: chamberC, minutes })
}
