import type { PrinterState } from '../../core/index.js'

/** Something worth a mark in a chart. */
export interface Mark {
  /** s since the epoch. */
  readonly t: number
  readonly label: string
}

type Targets = Readonly<Record<string, number>>

/** Heater targets by the name that marks give them. */
export function targetsOf ({ extruders, heat }: PrinterState): Targets {
  const nozzles = extruders.length > 1
    ? Object.fromEntries(extruders.map(({ id, temperature }) => [`Nozzle ${id}`, temperature.target]))
    : { Nozzle: heat.nozzle.target }
  return { ...nozzles, Bed: heat.bed.target, Chamber: heat.chamber.target }
}

/** A mark for each target that changed; the first value of a heater is no change. */
export const targetMarks = (now: Targets, before: Targets, t: number): Mark[] =>
  Object.entries(now)
    .filter(([heater, target]) => before[heater] !== undefined && before[heater] !== target)
    .map(([heater, target]) => ({ t, label: `${heater} → ${target}°C` }))
