import type { Extruder, PrinterState } from '../../core/index.js'

/** A mark in a chart. */
export interface Mark {
  /** s since the epoch. */
  readonly t: number
  readonly label: string
}

/** The marks of one printer, set when a heater's target changes. */
export interface Marks {
  /** Oldest first. */
  readonly list: readonly Mark[]
  /** Checks the targets, only if heaters or extruders have changed. */
  see (state: PrinterState, t: number): void
  /** Drops marks outside this period. */
  keep (from: number, to: number): void
}

const MOST_MARKS = 1_000

export function createMarks (): Marks {
  const targets = new Map<string, number>()
  let list: Mark[] = []
  let before: PrinterState | undefined

  /** The first known target of a heater is not a change. */
  function checkTarget (heater: string, target: number, t: number): void {
    const known = targets.get(heater)
    if (known === target) return
    targets.set(heater, target)
    if (known === undefined) return
    list.push({ t, label: `${heater} → ${target}°C` })
    if (list.length > MOST_MARKS) list.shift()
  }

  function checkNozzles ({ heat, extruders }: PrinterState, t: number): void {
    if (extruders.length < 2) return checkTarget('Nozzle', heat.nozzle.target, t)
    for (const extruder of extruders) checkTarget(nozzleName(extruder), extruder.temperature.target, t)
  }

  return {
    get list () { return list },
    see (state, t) {
      const { heat, extruders } = state
      if (heat !== before?.heat || extruders !== before.extruders) {
        checkNozzles(state, t)
        checkTarget('Bed', heat.bed.target, t)
        checkTarget('Chamber', heat.chamber.target, t)
      }
      before = state
    },
    keep (from, to) {
      const [first, last] = [list[0], list.at(-1)]
      if (first === undefined || last === undefined || (first.t >= from && last.t <= to)) return
      list = list.filter(({ t }) => t >= from && t <= to)
    }
  }
}

const NOZZLES = ['Nozzle 0', 'Nozzle 1']
const nozzleName = ({ id }: Extruder) => NOZZLES[id] ?? `Nozzle ${id}`
