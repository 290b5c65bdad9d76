import { isHolder, type PrinterSession, type ServiceError } from '../../../core/index.js'
import { labelOf, loadPalette, type Palette } from '../../filament/index.js'
import { FilamentMismatch, PlateRefused, PlateUsed } from '../errors.js'
import { MOST_PLATES } from '../limits.js'
import { howToSlice } from '../printable.js'
import { externalTrays, extruderOf, isDual, UNUSED } from '../read/external.js'
import type { PlateType } from '../print/project-file.js'
import { bedWords } from '../read/bed-type.js'
import type { Plate } from '../read/project.js'
import type { Filament } from '../read/slice-info.js'
import { isImpossible, isMismatch, judgeMapping, type Finding, type FindingCode, type Mapped, type WantedFilament } from './judge.js'
import { unfit, wantedFilaments } from './misfit.js'
import { resolveMapping, type Match, type Reaches } from './resolve.js'
import { loadedSpools, ownNumber, trayAt, traysOf, type Tray, type Weigh } from './trays.js'

type Wording = Pick<Mapped, 'filaments' | 'mapping' | 'trays' | 'dual'> & { readonly nameOf: Palette['nameOf'] }

/** `PLA, red #FF0000` */
const spoolWords = (material: string, color: string, nameOf: Palette['nameOf']): string =>
  [material || 'unknown material', ...(color === '' ? [] : [`${nameOf(color)} ${color}`])].join(', ')

function trayWords (trayId: number, tray: Tray | undefined, nameOf: Palette['nameOf']): string {
  if (trayId === UNUSED) return 'no tray'
  if (tray === undefined) return `tray ${trayId} (not there)`
  return `${tray.name} (${tray.present ? spoolWords(labelOf(tray), tray.color, nameOf) : 'empty'})`
}

/** One sentence a filament: `Filament 1 (PLA, red #FF0000) → AMS A slot 2 (PLA Basic, firebrick #C12E1F)`. */
export const mappingWords = ({ filaments, mapping, trays, dual, nameOf }: Wording): string[] =>
  filaments.map((filament: WantedFilament) => {
    const { id, color } = filament
    const trayId = mapping[id - 1] ?? UNUSED
    const place = trayWords(trayId, trayAt(trays, trayId, dual), nameOf)
    return `Filament ${id} (${spoolWords(labelOf(filament), color, nameOf)}) → ${place}`
  })

/** A plate that is to be printed, as far as its project could be read. */
export interface RequestedPlate {
  readonly path: string
  /** As given by the caller. */
  readonly plateNumber: number
  /** Undefined when the project has no such plate. */
  readonly plate: Plate | undefined
  /** Why the project could not be read. */
  readonly unreadable?: string
}

/** The caller's choice of filament source. */
export interface SourceRequest {
  /** Left out: chosen by type and colour. */
  readonly mapping?: readonly number[] | undefined
  readonly useAms: boolean
  /** Print despite findings that otherwise refuse it. */
  readonly acceptMismatch: boolean
  /** Messages of the only findings that are accepted; left out: `acceptMismatch` speaks for all of them. */
  readonly acceptWarnings?: readonly string[] | undefined
  /** A colour mismatch does not refuse the print. */
  readonly anyColor?: boolean
  /** Build plate named in the command; left out: the printer detects it. */
  readonly plateType?: PlateType | undefined
}

/** Knowledge of other plugins about spools and build plates. */
export interface Advisers {
  readonly weigh: Weigh
  /** A sentence why the build plate may not be clear; undefined when nothing suggests that. */
  readonly usedPlate: UsedPlate
}

/** @see Advisers.usedPlate */
export type UsedPlate = (session: PrinterSession) => Promise<string | undefined>

/** A mapping, and how it was found. */
interface Choice {
  readonly mapping: readonly number[]
  readonly matches: readonly Match[]
  readonly unmatched: readonly Filament[]
  readonly problem?: string | undefined
}

/** The judged filament source of a print. */
export interface FilamentSource extends Choice {
  readonly trays: readonly Tray[]
  readonly findings: readonly Finding[]
  /** One sentence a filament. */
  readonly words: readonly string[]
  /** Why the print is refused. */
  readonly refusal: ServiceError | undefined
}

const WAYS_OUT = 'pass ams_mapping, or print with use_ams false.'
const REMEDY = 'Map it to another tray, load the right filament, or repeat with accept_mismatch true.'
const PLATE_REMEDY = 'Confirm it in the queue, or repeat with accept_mismatch true.'

const describe = ({ id, type, color }: Filament): string =>
  `id ${id} (${[type, color].filter(Boolean).join(' ') || 'unknown'})`

/** With two nozzles each unit feeds one of them, so a spool on the other side cannot be used. */
const reachesIn = (plate: Plate): Reaches => (filament, spool) => {
  const wanted = isDual(plate) ? extruderOf(plate, filament.id) : undefined
  return wanted === undefined || spool.extruder === undefined || wanted === spool.extruder
}

/** Plates above the limit are not read, so the text must not say whether the plate exists. */
const plateTooHigh = (path: string, plateNumber: number): string =>
  `Plate ${plateNumber} of '${path}' cannot be started here: only plates 1 to ${MOST_PLATES} are read. Start it from the ` +
  'slicer, or move what is on it to a plate with a lower number and slice that.'

/** Why the plate cannot be printed here, whatever the filament source. */
function plateProblem (wanted: RequestedPlate, session: PrinterSession): string | undefined {
  const { path, plateNumber, plate, unreadable } = wanted
  if (unreadable !== undefined) return howToSlice(path) ?? `'${path}' cannot be read as a project: ${unreadable}`
  if (plateNumber > MOST_PLATES) return plateTooHigh(path, plateNumber)
  if (!plate) return `'${path}' has no plate ${plateNumber}.`
  if (!plate.printable) return `Plate ${plateNumber} of '${path}' is not sliced: it holds no toolpaths.`
  return unfit(plate, session)
}

function spoolsProblem (wanted: RequestedPlate, unmatched: readonly Filament[]): string | undefined {
  const { path, plateNumber, plate } = wanted
  if (plate?.filaments.length === 0) {
    return `Plate ${plateNumber} of '${path}' does not say which filaments it uses: ${WAYS_OUT}`
  }
  return unmatched.length === 0
    ? undefined
    : `No loaded spool fits filament ${unmatched.map(describe).join(', ')}: load one that does, ${WAYS_OUT}`
}

function bySpools (wanted: RequestedPlate, trays: readonly Tray[]): Choice {
  const { plate } = wanted
  const resolution = resolveMapping(plate?.filaments ?? [], loadedSpools(trays), plate && reachesIn(plate))
  return { ...resolution, problem: spoolsProblem(wanted, resolution.unmatched) }
}

/** Mapping to the external holders, as the plate assigns them. */
function byHolders ({ path, plateNumber, plate }: RequestedPlate, dual: boolean): Choice {
  const mapping = plate ? externalTrays(plate, dual) : []
  const choice = { mapping, matches: [], unmatched: [] }
  // With one nozzle there is only one holder.
  if (mapping.length > 0 || !(dual || (plate && isDual(plate)))) return choice
  const problem = `Plate ${plateNumber} of '${path}' does not say which nozzle prints which filament: ` +
    'print it with use_ams true.'
  return { ...choice, problem }
}

const byCaller = (mapping: readonly number[], { plate }: RequestedPlate): Choice => ({
  mapping,
  matches: [],
  unmatched: (plate?.filaments ?? []).filter(({ id }) => (mapping[id - 1] ?? UNUSED) === UNUSED)
})

/** The caller's own mapping, the holders, or the loaded spools. */
function choose (wanted: RequestedPlate, trays: readonly Tray[], dual: boolean, { mapping, useAms }: SourceRequest):
Choice {
  if (!useAms) return byHolders(wanted, dual)
  if (mapping === undefined) return bySpools(wanted, trays)
  return byCaller(mapping.map(trayId => ownNumber(trays, trayId)), wanted)
}

/**
 * Without the AMS the plate's own assignment to the holders applies and a mapping is ignored: forms send one whether
 * or not the AMS was chosen.
 */
function unusedMapping ({ mapping = [], useAms }: SourceRequest, choice: Choice, dual: boolean): string | undefined {
  const isSame = (tray: number, at: number): boolean =>
    tray === UNUSED || (isHolder(tray) && (!dual || tray === choice.mapping[at]))
  if (useAms || mapping.every(isSame)) return undefined
  return `ams_mapping [${mapping.join(', ')}] is not used: with use_ams false the filament comes from the external ` +
    'holder. Set use_ams true to draw from the AMS.'
}

/** A build plate other than the sliced one gets the wrong temperature and may have another height. */
function otherBed ({ plateNumber, plate }: RequestedPlate, { plateType = 'auto' }: SourceRequest): Finding[] {
  const sliced = plate?.bedType ?? ''
  if (sliced === '' || plateType === 'auto' || plateType === 'none' || plateType === sliced) return []
  return ofAll('bed_type', `Plate ${plateNumber} is sliced for the ${bedWords(sliced)}, and the printer is told to use the ` +
    `${bedWords(plateType)}: put the right one in, or slice it again.`, { plate: plateNumber, sliced, chosen: plateType })
}

/** A finding on the print as a whole. */
const ofAll = (code: FindingCode, message: string | undefined, figures: Finding['figures'] = {}): Finding[] =>
  message === undefined ? [] : [{ code, filament: -1, tray: -1, message, figures }]

const textOf = (findings: readonly Finding[]): string => findings.map(({ message }) => message).join(' ')

/** With when that print began: who accepted a print has not accepted the next one of the same name. */
function usedSince (sentence: string | undefined, { state }: PrinterSession): Finding[] {
  const startedAt = state?.job.startedAt
  if (sentence === undefined || startedAt === undefined) return ofAll('plate_used', sentence)
  const said = `${sentence} That print began at ${new Date(startedAt).toLocaleString('sv-SE')}.` // as 2026-11-30 07:00:00
  return ofAll('plate_used', said, { case: 'print', began_at: startedAt })
}

const isPlate = ({ code }: Finding): boolean => code === 'plate_used'

/** @param unaccepted findings that the caller has not accepted */
function refusalOf (problem: string | undefined, unaccepted: readonly Finding[], printer: string):
ServiceError | undefined {
  if (problem !== undefined) return new PlateRefused(problem)
  if (unaccepted.length === 0) return undefined
  if (unaccepted.every(isPlate)) {
    const detail = `${textOf(unaccepted)} ${PLATE_REMEDY}`
    return new PlateUsed(printer, detail).with({ detail })
  }
  const detail = `${textOf(unaccepted)} ${REMEDY}`
  return new FilamentMismatch(printer, detail).with({ detail })
}

/** A person accepts what a sentence said, not what has become true since: another spool, a plate printed on again. */
function isAccepted ({ code, message }: Finding, { acceptMismatch, acceptWarnings, anyColor }: SourceRequest): boolean {
  if (anyColor === true && code === 'colour_distance') return true
  return acceptWarnings === undefined ? acceptMismatch : acceptWarnings.includes(message)
}

/** Chooses the mapping of a print and judges it; the same for a preview and for a print. */
export async function resolveFilamentSource (wanted: RequestedPlate, session: PrinterSession, request: SourceRequest,
  { weigh, usedPlate }: Advisers): Promise<FilamentSource> {
  const { state, model, name } = session
  const dual = model.extruders > 1
  const trays = (state ? traysOf(state, dual) : [])
    .map(tray => ({ ...tray, remainingG: weigh(session, tray) ?? tray.remainingG }))
  const choice = choose(wanted, trays, dual, request)
  const { difference, nameOf } = await loadPalette()
  const filaments = wanted.plate ? wantedFilaments(wanted.plate, dual) : []
  const mapped = { filaments, mapping: choice.mapping, trays, dual, difference, nameOf }
  const findings = [
    ...(wanted.plate ? judgeMapping(mapped) : []),
    ...ofAll('mapping_unused', unusedMapping(request, choice, dual)),
    ...otherBed(wanted, request),
    ...usedSince(await usedPlate(session), session)
  ]
  const missing = findings.filter(isImpossible)
  const problem = plateProblem(wanted, session) ?? choice.problem ?? (missing.length > 0 ? textOf(missing) : undefined)
  const unaccepted = findings.filter(isMismatch).filter(finding => !isAccepted(finding, request))
  return { ...choice, trays, findings, words: mappingWords(mapped), refusal: refusalOf(problem, unaccepted, name) }
}
