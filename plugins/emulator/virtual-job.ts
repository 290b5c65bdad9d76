import type { JobStart } from './machine/job.js'
import { isPresent } from './machine/slots.js'
import type { Machine, Slot } from './machine/types.js'

/** A job that comes without a file. */
export interface VirtualJob {
  /** @default demo */
  readonly name?: string
  /** @default 1 */
  readonly plate?: number
  /** @default 120 */
  readonly layers?: number
  /** Time that the layers take at standard speed; the start comes on top. @default 30 */
  readonly minutes?: number
  /** Numbers of the objects on the plate. */
  readonly objects?: readonly number[]
  /** Where its filaments come from, in turn. @default the first spool there is */
  readonly filament?: Slot | readonly Slot[]
  /** @default finish */
  readonly typeOfEnd?: 'finish' | 'fail'
  /** Percent at which the filament runs out. @default never */
  readonly runoutAt?: number
}

function firstSpool ({ ams }: Machine): Slot {
  for (const unit of ams.units) {
    const slot = unit.trays.findIndex(isPresent)
    if (slot >= 0) return { ams: unit.id, slot }
  }
  return { ams: 255, slot: 0 }
}

/** What a command to print a file would have said. */
export function describeJob (m: Machine, job: VirtualJob): JobStart {
  const { filament = firstSpool(m), typeOfEnd = 'finish', runoutAt = Infinity, ...rest } = job
  const { name = 'demo', plate = 1 } = rest
  const mapping = 'ams' in filament ? [filament] : filament
  return {
    ...rest,
    name,
    plate,
    mapping,
    file: m.traits.modern ? `/data/Metadata/plate_${plate}.gcode` : `${name}.gcode.3mf`,
    end: typeOfEnd,
    runoutAtPct: runoutAt
  }
}
