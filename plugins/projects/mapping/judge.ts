import { labelOf, relationOf } from '../../filament/index.js'
import { UNUSED } from '../read/external.js'
import type { Filament } from '../read/slice-info.js'
import { trayAt, type Tray } from './trays.js'

/** Findings that rule out a print whatever the caller accepts: there is no filament to print with. */
const IMPOSSIBLE = ['filament_unmapped', 'unknown_tray', 'empty_tray'] as const
/** Findings that refuse a print unless the caller accepts them: it might fail or damage the machine. */
const MISMATCHES = ['material_mismatch', 'nozzle_side_mismatch', 'colour_distance', 'plate_used'] as const
export const FINDING_CODES = [
  ...IMPOSSIBLE, ...MISMATCHES, 'material_variant', 'unknown_material', 'external_holder', 'not_enough_filament',
  'dryer_running', 'mapping_unused', 'bed_type'
] as const
export type FindingCode = (typeof FINDING_CODES)[number]

/**
 * What a message names, for readers of other languages: `case` chooses between its sentences, `side` is that of an
 * external holder where there are two.
 */
type Figures = Readonly<Record<string, string | number>>

/** What the caller should know of one filament and the tray it is mapped to. */
export interface Finding {
  readonly code: FindingCode
  /** Id of the filament; -1 for all of the plate. */
  readonly filament: number
  /** Tray number as in the mapping; -1 none. */
  readonly tray: number
  readonly message: string
  readonly figures: Figures
}

const isOneOf = (codes: readonly FindingCode[]) => ({ code }: Finding): boolean => codes.includes(code)
export const isImpossible = isOneOf(IMPOSSIBLE)
export const isMismatch = isOneOf(MISMATCHES)

/** A filament of a plate, with the nozzle that prints it. */
export interface WantedFilament extends Filament {
  /** 0 right, 1 left; undefined on one nozzle, and when the project does not say. */
  readonly extruder: number | undefined
}

export interface Mapped {
  /** Filaments that the plate uses. */
  readonly filaments: readonly WantedFilament[]
  /** Tray of each filament, index id - 1; -1 unused. */
  readonly mapping: readonly number[]
  readonly trays: readonly Tray[]
  /** The printer has two nozzles, and a holder for each. */
  readonly dual: boolean
  /** Perceived difference of two colours, CIEDE2000. */
  readonly difference: (one: string, other: string) => number
}

/** One filament and the tray it is drawn from. */
interface Draw {
  readonly filament: WantedFilament
  readonly tray: Tray
  /** All filaments drawn from the same tray. */
  readonly sharing: readonly WantedFilament[]
  readonly difference: Mapped['difference']
}

/**
 * Colours up to this distance are shades of one: a slicer's red, black or yellow and that of a spool differ by 4 to 12.
 * Colours with different names are further apart: blue and purple 13, red and orange 14, red and maroon 24.
 */
export const SAME_COLOR = 12

const sideOf = (extruder: number): string => extruder === 0 ? 'right' : 'left'

const relation = ({ filament, tray }: Draw) => relationOf(filament, tray)

type Says = Pick<Finding, 'message' | 'figures'> | undefined
const says = (message: string, figures: Figures = {}): Says => ({ message, figures })

function materialMismatch (draw: Draw): Says {
  const { filament, tray } = draw
  if (relation(draw) !== 'other') return undefined
  return says(`Filament ${filament.id} is ${filament.type}, but ${tray.name} holds ${tray.label}.`,
    { wanted: filament.type, holds: tray.label })
}

function materialVariant (draw: Draw): Says {
  const { filament, tray } = draw
  if (relation(draw) !== 'variant') return undefined
  const [wanted, holds] = [labelOf(filament), labelOf(tray)]
  return says(`Filament ${filament.id} is ${wanted}, but ${tray.name} holds ${holds}, another variant of it.`, { wanted, holds })
}

function sideMismatch ({ filament: { id, extruder: wanted }, tray: { name, extruder } }: Draw): Says {
  if (wanted === undefined || extruder === undefined || wanted === extruder) return undefined
  return says(`Filament ${id} is for the ${sideOf(wanted)} nozzle, but ${name} feeds the ${sideOf(extruder)} one.`,
    { case: sideOf(wanted) })
}

const isUnknownHolder = ({ isHolder, type }: Tray): boolean => isHolder && type === ''

function unknownMaterial (draw: Draw): Says {
  const { filament: { id, type }, tray } = draw
  if (relation(draw) !== 'unknown' || isUnknownHolder(tray)) return undefined
  const { name, label } = tray
  if (type === '') {
    return says(`The project does not say which material filament ${id} is: check that ${name} holds it.`, { case: 'project' })
  }
  return tray.type === ''
    ? says(`The material in ${name} is not known: check that it is ${type}, filament ${id}.`, { case: 'tray', wanted: type })
    : says(`Whether ${label} in ${name} can stand in for ${type}, filament ${id}, is not known.`,
      { case: 'relation', wanted: type, holds: label })
}

const unknownHolder = ({ filament: { id, type }, tray }: Draw): Says => isUnknownHolder(tray)
  ? says(`The material on ${tray.name} is not known: check that it is ${type || 'the right one'}, filament ${id}.`,
    type === '' ? { case: 'any' } : { wanted: type })
  : undefined

function colorDistance ({ filament, tray: { name, colors }, difference }: Draw): Says {
  if (filament.color === '' || colors.length === 0) return undefined
  if (colors.some(color => difference(filament.color, color) <= SAME_COLOR)) return undefined
  const holds = colors.join(', ')
  return says(`Filament ${filament.id} is ${filament.color}, but ${name} holds ${holds}.`,
    { wanted_color: filament.color, colors: holds })
}

const rounded = (grams: number): number => Math.round(grams * 10) / 10

/** Reported once for each tray, with the first filament drawn from it. */
function notEnough ({ filament, tray: { name, remainingG }, sharing }: Draw): Says {
  const needed = sharing.reduce((sum, { grams = 0 }) => sum + grams, 0)
  if (remainingG === undefined || needed <= remainingG || sharing[0] !== filament) return undefined
  const [needs, left] = [rounded(needed), rounded(remainingG)]
  return says(`The plate needs ${needs} g from ${name}, where about ${left} g are left.`, { needs, left })
}

const dryerRunning = ({ filament, tray: { name, isDrying } }: Draw): Says => isDrying
  ? says(`The dryer of the unit of ${name} is running: it may not feed filament ${filament.id} until the dryer is stopped.`)
  : undefined

const CHECKS: readonly (readonly [FindingCode, (draw: Draw) => Says])[] = [
  ['material_mismatch', materialMismatch],
  ['nozzle_side_mismatch', sideMismatch],
  ['material_variant', materialVariant],
  ['unknown_material', unknownMaterial],
  ['external_holder', unknownHolder],
  ['colour_distance', colorDistance],
  ['not_enough_filament', notEnough],
  ['dryer_running', dryerRunning]
]

const SILENT: Finding = {
  code: 'unknown_material',
  filament: -1,
  tray: -1,
  message: 'The project does not say which filaments the plate uses: check what is loaded.',
  figures: { case: 'plate' }
}

/**
 * Findings on a mapping before it is printed; empty when it fits. Facts that neither the project nor the printer gives
 * never refuse a print.
 */
export function judgeMapping ({ filaments, mapping, trays, dual, difference }: Mapped): readonly Finding[] {
  const trayIdOf = ({ id }: Filament): number => mapping[id - 1] ?? UNUSED
  if (filaments.length === 0) return [SILENT]
  return filaments.flatMap(filament => {
    const { id } = filament
    const trayId = trayIdOf(filament)
    const say = (code: FindingCode, message: string, figures: Figures = {}): Finding =>
      ({ code, filament: id, tray: trayId, message, figures })
    if (trayId === UNUSED) return [say('filament_unmapped', `The mapping names no tray for filament ${id}.`)]
    const tray = trayAt(trays, trayId, dual)
    const mapped = `Filament ${id} is mapped to tray ${trayId}`
    if (tray === undefined) return [say('unknown_tray', `${mapped}, which is not there.`)]
    if (!tray.present) return [say('empty_tray', `${mapped}, ${tray.name}, which is empty.`)]
    const side = dual && tray.isHolder && tray.extruder !== undefined ? { side: sideOf(tray.extruder) } : {}
    const sharing = filaments.filter(other => trayAt(trays, trayIdOf(other), dual)?.trayId === tray.trayId)
    return CHECKS.flatMap(([code, check]) => {
      const found = check({ filament, tray, sharing, difference })
      return found === undefined ? [] : [say(code, found.message, { ...found.figures, ...side })]
    })
  })
}
