import type { Extruder, PrinterState } from '../../core/index.js'

/** Something worth a mark in a chart. */
export interface Mark {
  /** s since the epoch. */
  readonly t: number
  readonly label: string
}

/** The marks of one printer: a heater's target was changed. */
export interface Marks {
  /** Oldest first. */
  readonly list: readonly Mark[]
  /** Looks at the targets only where something of them changed. */
  see (state: PrinterState, t: number): void
  /** Forgets what lies outside. */
  keep (from: number, to: number): void
}

const MOST_MARKS = 1_000

export function createMarks (): Marks {
  const targets = new Map<string, number>()
  let list: Mark[] = []
  let before: PrinterState | undefined

  /** The first target of a heater is no change. */
  function look (heater: string, target: number, t: number): void {
    const known = targets.get(heater)
    if (known === target) return
    targets.set(heater, target)
    if (known === undefined) return
    list.push({ t, label: `${heater} → ${target}°C` })
    if (list.length > MOST_MARKS) list.shift()
  }

  function lookAtNozzles ({ heat, extruders }: PrinterState, t: number): void {
    if (extruders.length < 2) return look('Nozzle', heat.nozzle.target, t)
    for (const extruder of extruders) look(nozzleName(extruder), extruder.temperature.target, t)
  }

  return {
    get list () { return list },
    see (state, t) {
      const { heat, extruders } = state
      if (heat !== before?.heat || extruders !== before.extruders) {
        lookAtNozzles(state, t)
        look('Bed', heat.bed.target, t)
        look('Chamber', heat.chamber.target, t)
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
