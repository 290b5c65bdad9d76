import type { JobStart } from './machine/job.js'
import { isPresent } from './machine/slots.js'
import type { Machine, Slot } from './machine/types.js'

/** A job without a file. */
export interface VirtualJob {
  /** @default demo */
  readonly name?: string
  /** @default 1 */
  readonly plate?: number
  /** @default 120 */
  readonly layers?: number
  /** Printing time of the layers at standard speed, without the preparation. @default 30 */
  readonly minutes?: number
  /** Numbers of the objects on the plate. */
  readonly objects?: readonly number[]
  /** Sources of its filaments, in turn. @default the first spool */
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

/** The job as a command to print a file would describe it. */
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
