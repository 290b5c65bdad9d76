import { extrudedUntil, gramsOf, MOST_LAYERS, type Layer } from '../layers.js'
import type { Declared } from '../read/declared.js'
import { finding, rounded, type Mark } from './finding.js'
import type { Finding, PlateRead, Weight } from './types.js'

/** What was counted while the file was read. */
export interface Counted {
  /** Commands that a printer would obey. */
  readonly commands: number
  /** Moves that extrude on their way. */
  readonly extrusions: number
  /** Layers that the file names. */
  readonly layers: number
  /** The last that the file says of itself, percent; NaN if it says nothing. */
  readonly percent: number
  /** Where the file ends. */
  readonly nozzle: 'never hot' | 'hot' | 'off'
  /** Nozzle, bed or chamber. */
  readonly hasHeated: boolean
  /** The last thing that the file does is to extrude. */
  readonly endsInMove: boolean
  readonly unreadable: Mark
  /** Text that is neither a command nor a comment. */
  readonly unknown: Mark
  readonly tooLong: Mark
  /** The first layer that there is no room for. */
  readonly tooMany: Mark
}

/** A file that was written to its end says so by its own progress. Percent. */
const NEARLY_ALL = 95
/** Slicers count rafts and supports in different ways: so much may be missing. */
const MISSING = { share: 0.1, layers: 10 } as const
/** Usual ones, where a file does not say. */
export const USUAL = { density: 1.24, diameter: 1.75 } as const

/** A difference is worth a word from this share on, and this much. */
const WEIGHT = { share: 0.1, grams: 1 } as const
/** Our own time is within 12 %, and slicers guess the time of the preparation. */
const TIME = { share: 0.35, seconds: 1_200 } as const

export function wholeFindings (plate: PlateRead, counted: Counted): readonly Finding[] {
  const rubbish = rubbishFindings(plate, counted)
  if (counted.commands === 0) return [...rubbish, ...md5Findings(plate)]
  return [
    ...rubbish,
    ...cutFindings(plate, counted),
    ...layerFindings(counted),
    ...md5Findings(plate),
    ...timeFindings(plate),
    ...weightFindings(plate)
  ]
}

function rubbishFindings (
  { lines }: PlateRead, { commands, unreadable, unknown, tooLong }: Counted
): readonly Finding[] {
  const remedy = 'Send the file to the printer again, or slice it again.'
  if (commands === 0) {
    const isComment = lines > 0 && unreadable.times + unknown.times + tooLong.times === 0
    const message = lines === 0 ? 'the file is empty' : 'there is no command for a printer in this file'
    const figures = { case: lines === 0 ? 'empty' : 'no_command' }
    return [finding('not_gcode', isComment ? 'note' : 'stop', { line: unreadable.line }, { message, remedy, figures })]
  }
  const findings: Finding[] = []
  if (unreadable.times > 0) {
    findings.push(finding('not_gcode', 'stop', unreadable, {
      message: 'this is no G-code; the file is damaged', remedy, figures: { case: 'damaged' }
    }))
  }
  if (tooLong.times > 0) {
    findings.push(finding('not_gcode', 'note', tooLong, {
      message: 'the line is too long to be read', remedy, figures: { case: 'too_long' }
    }))
  }
  return findings
}

function cutFindings ({ lines, isCutOff, declared }: PlateRead, counted: Counted): readonly Finding[] {
  const { percent, layers, nozzle, hasHeated, endsInMove, extrusions } = counted
  const isHarmless = !hasHeated && extrusions === 0
  const remedy = 'Send the file to the printer again, or slice it again.'
  const cut = (weight: Weight, message: string, figures: Finding['figures']) =>
    [finding('truncated', weight, { line: lines, layer: layers }, { message, remedy, figures })]
  if (isCutOff) return cut('stop', 'the file ends here, but there should be more of it', { case: 'cut_off' })
  if (percent < (nozzle === 'hot' ? 100 : NEARLY_ALL)) {
    const isWhole = nozzle === 'off' // only the end code switches it off
    const message = `the file ends here, at ${percent} % of the print as it counts it`
    return cut(isWhole || isHarmless ? 'note' : 'stop', message, { percent, case: 'progress' })
  }
  const stated = declared.layers
  const missing = (stated ?? 0) - layers
  const isMuch = missing > MISSING.layers && missing > layers * MISSING.share
  if (stated !== undefined && isMuch && (layers > 0 || extrusions === 0)) {
    return cut(isHarmless ? 'note' : 'warn', `the file ends here, after ${layers} of ${stated} layers`,
      { layers, stated_layers: stated, case: 'layers' })
  }
  if (nozzle !== 'hot' || !endsInMove || percent >= 100) return []
  return cut('warn', 'the file ends in the middle of the print, with a hot nozzle', { case: 'hot' })
}

function layerFindings ({ layers, percent, extrusions, tooMany }: Counted): readonly Finding[] {
  if (tooMany.times > 0) {
    return [finding('too_many_layers', 'stop', tooMany, {
      message: `more than ${MOST_LAYERS} layers; this is no print`,
      remedy: 'Slice it again.',
      figures: { layers: MOST_LAYERS }
    })]
  }
  if (layers > 0 || extrusions === 0 || !Number.isNaN(percent)) return []
  return [finding('no_layers', 'note', {}, {
    message: 'the file names no layers and no progress, so neither can be shown during the print',
    remedy: 'Switch on comments or progress in the slicer.'
  })]
}

function md5Findings ({ md5 }: PlateRead): readonly Finding[] {
  if (md5 === undefined || md5.stated.trim().toUpperCase() === md5.computed.trim().toUpperCase()) return []
  return [finding('md5_mismatch', 'stop', {}, {
    message: 'the plate is not what its archive says it is: its MD5 sum does not match',
    remedy: 'Send the file to the printer again, or accept it if you changed it yourself.',
    figures: { stated: md5.stated.trim(), computed: md5.computed }
  })]
}

function timeFindings ({ declared, layers }: PlateRead): readonly Finding[] {
  const stated = declared.modelSeconds ?? declared.seconds
  const moves = declared.modelSeconds === undefined ? layers : layers.slice(1)
  const seconds = moves.reduce((sum, layer) => sum + layer.seconds, 0)
  if (stated === undefined || !differs(seconds, stated, TIME.share, TIME.seconds)) return []
  return [finding('time_differs', 'note', {}, {
    message: `the file says that it takes ${durationWords(stated)}; by its moves it takes ${durationWords(seconds)}`,
    remedy: 'Plan with the time by the moves.',
    figures: { stated_seconds: Math.round(stated), seconds: Math.round(seconds) }
  })]
}

function weightFindings ({ declared, layers }: PlateRead): readonly Finding[] {
  const stated = declared.grams.reduce((sum, grams) => sum + grams, 0)
  if (stated === 0) return []
  const grams = [...printedGrams(declared, layers).values()].reduce((sum, grams) => sum + grams, 0)
  if (!differs(grams, stated, WEIGHT.share, WEIGHT.grams)) return []
  return [finding('weight_differs', 'note', {}, {
    message: `the file says that it takes ${rounded(stated)} g of filament; by its moves it takes ${rounded(grams)} g`,
    remedy: 'Plan with the weight by the moves.',
    figures: { stated_grams: rounded(stated), grams: rounded(grams) }
  })]
}

const differs = (own: number, stated: number, share: number, least: number): boolean =>
  Math.abs(own - stated) > least && Math.abs(own - stated) > stated * share

/** Filament of the print by tool, g, as slicers count it: without what their start code purges. */
export function printedGrams (declared: Declared, layers: readonly Layer[]): ReadonlyMap<number, number> {
  const printed = layers.length > 1 ? layers.slice(1) : layers
  return new Map([...extrudedUntil(printed)].map(([tool, { part, prime, flush }]) =>
    [tool, gramsByTool(declared, tool, part + prime + flush)]))
}

export const gramsByTool = ({ densities, diameters }: Declared, tool: number, millimetres: number): number =>
  gramsOf(millimetres, densities[tool] || USUAL.density, diameters[tool] || USUAL.diameter) // profiles may say 0

/** `2 h 5 min`. */
function durationWords (seconds: number): string {
  const minutes = Math.round(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
