import { isHolder, type PrinterSession, type ServiceError } from '../../../core/index.js'
import { loadPalette, type Palette } from '../../filament/index.js'
import { FilamentMismatch, PlateRefused } from '../errors.js'
import { externalTrays, extruderOf, isDual, UNUSED } from '../read/external.js'
import type { Plate } from '../read/project.js'
import type { Filament } from '../read/slice-info.js'
import { isImpossible, isMismatch, judgeMapping, type Finding, type Mapped, type WantedFilament } from './judge.js'
import { unfit, wantedFilaments } from './plate-compatibility.js'
import { resolveMapping, type Match, type Reaches } from './resolve.js'
import { loadedSpools, trayAt, traysOf, type Tray, type Weigh } from './trays.js'

type Wording = Pick<Mapped, 'filaments' | 'mapping' | 'trays' | 'dual'> & { readonly nameOf: Palette['nameOf'] }

/** `PLA, red #FF0000` */
const spoolWords = (material: string, color: string, nameOf: Palette['nameOf']): string =>
  [material || 'unknown material', ...(color === '' ? [] : [`${nameOf(color)} ${color}`])].join(', ')

function trayWords (trayId: number, tray: Tray | undefined, nameOf: Palette['nameOf']): string {
  if (trayId === UNUSED) return 'no tray'
  if (tray === undefined) return `tray ${trayId} (not there)`
  return `${tray.name} (${tray.present ? spoolWords(tray.label, tray.color, nameOf) : 'empty'})`
}

/** One sentence a filament: `Filament 1 (PLA, red #FF0000) → AMS A slot 2 (PLA Basic, firebrick #C12E1F)`. */
export const mappingWords = ({ filaments, mapping, trays, dual, nameOf }: Wording): string[] =>
  filaments.map(({ id, type, color }: WantedFilament) => {
    const trayId = mapping[id - 1] ?? UNUSED
    const place = trayWords(trayId, trayAt(trays, trayId, dual), nameOf)
    return `Filament ${id} (${spoolWords(type, color, nameOf)}) → ${place}`
  })

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

/** What a caller says of where the filaments come from. */
export interface SourceWish {
  /** Left out: by type and colour. */
  readonly mapping?: readonly number[] | undefined
  readonly useAms: boolean
  /** Print with the wrong material, or from the wrong side, all the same. */
  readonly acceptMismatch: boolean
}

/** A mapping, and how it came about. */
interface Choice {
  readonly mapping: readonly number[]
  readonly matches: readonly Match[]
  readonly unmatched: readonly Filament[]
  readonly problem?: string | undefined
}

/** Where the filaments of a print come from. */
export interface FilamentSource extends Choice {
  readonly trays: readonly Tray[]
  readonly findings: readonly Finding[]
  /** One sentence a filament. */
  readonly words: readonly string[]
  /** Why it cannot be printed so. */
  readonly refusal: ServiceError | undefined
}

const WAYS_OUT = 'pass ams_mapping, or print with use_ams false.'
const REMEDY = 'Map it to another tray, load the right filament, or repeat with accept_mismatch true.'

const describe = ({ id, type, color }: Filament): string =>
  `id ${id} (${[type, color].filter(Boolean).join(' ') || 'unknown'})`

/** On two nozzles a unit feeds one of them: a spool on the other side is of no use. */
const reachesIn = (plate: Plate): Reaches => (filament, spool) => {
  const wanted = isDual(plate) ? extruderOf(plate, filament.id) : undefined
  return wanted === undefined || spool.extruder === undefined || wanted === spool.extruder
}

/** Why the plate as such cannot be printed here, whatever feeds it. */
function plateProblem (wanted: PrintRequest, session: PrinterSession): string | undefined {
  const { path, plateNumber, plate, unreadable } = wanted
  if (unreadable !== undefined) return `'${path}' cannot be read as a project: ${unreadable}`
  if (!plate) return `'${path}' has no plate ${plateNumber}.`
  if (!plate.printable) return `Plate ${plateNumber} of '${path}' is not sliced: it holds no toolpaths.`
  return unfit(plate, session)
}

function spoolsProblem (wanted: PrintRequest, unmatched: readonly Filament[]): string | undefined {
  const { path, plateNumber, plate } = wanted
  if (plate?.filaments.length === 0) {
    return `Plate ${plateNumber} of '${path}' does not say which filaments it uses: ${WAYS_OUT}`
  }
  return unmatched.length === 0
    ? undefined
    : `No loaded spool fits filament ${unmatched.map(describe).join(', ')}: load one that does, ${WAYS_OUT}`
}

function bySpools (wanted: PrintRequest, trays: readonly Tray[]): Choice {
  const { plate } = wanted
  const resolution = resolveMapping(plate?.filaments ?? [], loadedSpools(trays), plate && reachesIn(plate))
  return { ...resolution, problem: spoolsProblem(wanted, resolution.unmatched) }
}

function byHand ({ path, plateNumber, plate }: PrintRequest, dual: boolean): Choice {
  const mapping = plate ? externalTrays(plate, dual) : []
  const choice = { mapping, matches: [], unmatched: [] }
  // One nozzle has one holder: nothing needs to be known.
  if (mapping.length > 0 || !(dual || (plate && isDual(plate)))) return choice
  const problem = `Plate ${plateNumber} of '${path}' does not say which nozzle prints which filament: ` +
    'print it with use_ams true.'
  return { ...choice, problem }
}

const byCaller = (mapping: readonly number[], { plate }: PrintRequest): Choice => ({
  mapping,
  matches: [],
  unmatched: (plate?.filaments ?? []).filter(({ id }) => (mapping[id - 1] ?? UNUSED) === UNUSED)
})

const namesOnlyHolders = (mapping: readonly number[]): boolean =>
  mapping.some(isHolder) && mapping.every(tray => tray < 0 || isHolder(tray))

/** The caller's own mapping, the holders, or the loaded spools. */
function choose (wanted: PrintRequest, trays: readonly Tray[], dual: boolean, { mapping, useAms }: SourceWish): Choice {
  // Without the AMS only a mapping to holders counts; otherwise the plate's own assignment holds.
  if (mapping !== undefined && (useAms || namesOnlyHolders(mapping))) return byCaller(mapping, wanted)
  return useAms ? bySpools(wanted, trays) : byHand(wanted, dual)
}

const textOf = (findings: readonly Finding[]): string => findings.map(({ message }) => message).join(' ')

function refusalOf (problem: string | undefined, mismatches: readonly Finding[], printer: string):
ServiceError | undefined {
  if (problem !== undefined) return new PlateRefused(problem)
  if (mismatches.length === 0) return undefined
  const detail = `${textOf(mismatches)} ${REMEDY}`
  return new FilamentMismatch(printer, detail).with({ detail })
}

/** Decides the mapping of a print, and judges it. A preview is told the same as a print. */
export async function resolveFilamentSource (wanted: PrintRequest, session: PrinterSession, wish: SourceWish,
  weigh: Weigh): Promise<FilamentSource> {
  const { state, model, name } = session
  const dual = model.extruders > 1
  const trays = (state ? traysOf(state, dual) : [])
    .map(tray => ({ ...tray, remainingG: weigh(session, tray) ?? tray.remainingG }))
  const choice = choose(wanted, trays, dual, wish)
  const { difference, nameOf } = await loadPalette()
  const filaments = wanted.plate ? wantedFilaments(wanted.plate, dual) : []
  const mapped = { filaments, mapping: choice.mapping, trays, dual, difference, nameOf }
  const findings = wanted.plate ? judgeMapping(mapped) : []
  const missing = findings.filter(isImpossible)
  const problem = plateProblem(wanted, session) ?? choice.problem ?? (missing.length > 0 ? textOf(missing) : undefined)
  const mismatches = wish.acceptMismatch ? [] : findings.filter(isMismatch)
  return { ...choice, trays, findings, words: mappingWords(mapped), refusal: refusalOf(problem, mismatches, name) }
}
