import { isHolder, type PrinterSession } from '../../../core/index.js'
import { externalTrays, extruderOf, isDual } from '../read/external.js'
import type { Plate } from '../read/project.js'
import type { Filament } from '../read/slice-info.js'
import { problemOf } from './caller-mapping.js'
import { matchRecord, resolveMapping, type Reaches, type Resolution } from './resolve.js'
import { externalSpools, loadedSpools, type LoadedSpool } from './spools.js'
import { unfit } from './plate-compatibility.js'

/** What is known of a plate that is to be printed. */
export interface PrintRequest {
  readonly path: string
  /** As the caller gave it. */
  readonly plateNumber: number
  /** Undefined when the project has no such plate. */
  readonly plate: Plate | undefined
  /** Why the project could not be read. */
  readonly unreadable?: string
}

const WAYS_OUT = 'pass ams_mapping, or print with use_ams false.'

const describe = ({ id, type, color }: Filament): string =>
  `id ${id} (${[type, color].filter(Boolean).join(' ') || 'unknown'})`

/** On two nozzles a unit feeds one of them: a spool on the other side is of no use. */
const reachesIn = (plate: Plate): Reaches => (filament, spool) => {
  const wanted = isDual(plate) ? extruderOf(plate, filament.id) : undefined
  return wanted === undefined || spool.extruder === undefined || wanted === spool.extruder
}

function mappingProblem ({ path, plateNumber, plate }: PrintRequest, { unmatched }: Resolution): string | undefined {
  if (plate?.filaments.length === 0) {
    return `Plate ${plateNumber} of '${path}' does not say which filaments it uses: ${WAYS_OUT}`
  }
  return unmatched.length === 0
    ? undefined
    : `No loaded spool fits filament ${unmatched.map(describe).join(', ')}: load one that does, ${WAYS_OUT}`
}

/** Why the plate as such cannot be printed here, whatever feeds it. */
export function plateProblem ({ path, plateNumber, plate, unreadable }: PrintRequest, session: PrinterSession):
string | undefined {
  if (unreadable !== undefined) return `'${path}' cannot be read as a project: ${unreadable}`
  if (!plate) return `'${path}' has no plate ${plateNumber}.`
  if (!plate.printable) return `Plate ${plateNumber} of '${path}' is not sliced: it holds no toolpaths.`
  return unfit(plate, session)
}

export const mappingText = (mapping: readonly number[]): string => `[${mapping.join(', ')}]`

/** What a print with spools by type and colour would use: the same words for a preview and for a refusal. */
export function preview (wanted: PrintRequest, session: PrinterSession) {
  const { plate } = wanted
  const spools = loadedSpools(session.state)
  const resolution = resolveMapping(plate?.filaments ?? [], spools, plate && reachesIn(plate))
  const problem = plateProblem(wanted, session) ?? mappingProblem(wanted, resolution)
  return {
    file_path: wanted.path,
    plate_num: wanted.plateNumber,
    filaments: (plate?.filaments ?? []).map(({ id, type, color }) => ({ id, type, color })),
    resolved_ams_mapping: [...resolution.mapping],
    ams_mapping_json: mappingText(resolution.mapping),
    matches: resolution.matches.map(matchRecord),
    unmatched: resolution.unmatched.map(({ id, type, color }) => ({ id, type, color })),
    loaded_spools: spools.map(({ trayId, type, color }) => ({ tray_id: trayId, type, color })),
    external_spools: externalSpools(session.state)
      .map(({ slotId, type, color }) => ({ slot_id: slotId, type, color })),
    ...(problem !== undefined && { error: problem })
  }
}

export type Preview = ReturnType<typeof preview>

/** Where the filaments of a print come from, or why it cannot be. */
export interface FilamentSource {
  readonly mapping: readonly number[]
  readonly problem?: string | undefined
  readonly preview?: Preview
}

function byHand ({ path, plateNumber, plate }: PrintRequest, dual: boolean): FilamentSource {
  const mapping = plate ? externalTrays(plate, dual) : []
  // One nozzle has one holder: nothing needs to be known.
  if (mapping.length > 0 || !(dual || (plate && isDual(plate)))) return { mapping }
  const problem = `Plate ${plateNumber} of '${path}' does not say which nozzle prints which filament: ` +
    'print it with use_ams true.'
  return { mapping, problem }
}

function byCaller (given: readonly number[], { plate }: PrintRequest, spools: readonly LoadedSpool[]): FilamentSource {
  return { mapping: given, problem: problemOf(given, plate?.filaments ?? [], spools) }
}

const namesOnlyHolders = (mapping: readonly number[]): boolean =>
  mapping.some(isHolder) && mapping.every(tray => tray < 0 || isHolder(tray))

/** Decides the mapping of a print: the caller's own, the holders, or the loaded spools. */
export function resolveFilamentSource (wanted: PrintRequest, session: PrinterSession,
  given: readonly number[] | undefined,
  useAms: boolean): FilamentSource {
  const problem = plateProblem(wanted, session)
  const first = problem === undefined ? {} : { problem }
  // Without the AMS only a mapping to holders counts; otherwise the plate's own assignment holds.
  if (given !== undefined && (useAms || namesOnlyHolders(given))) {
    return { ...byCaller(given, wanted, loadedSpools(session.state)), ...first }
  }
  if (!useAms) return { ...byHand(wanted, session.model.extruders > 1), ...first }
  const found = preview(wanted, session)
  return { mapping: found.resolved_ams_mapping, problem: found.error, preview: found }
}
