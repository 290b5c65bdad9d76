import { BadInput, type ModelInfo } from '../../../core/index.js'
import { MATERIALS } from '../own-profiles/materials.data.js'
import type { SlicingTarget } from '../types.js'
import type { Settings } from './read-configuration.js'

/** What a configuration says of the machine and the material that it was made for. */
export interface ProfileFacts {
  /** mm: least x and y, greatest x and y. */
  readonly bed: readonly [number, number, number, number]
  /** mm; Infinity if it does not say. */
  readonly heightMm: number
  readonly nozzleMm: number
  readonly layerMm: number
  /** As in our list of materials; of other slicers' presets, as they name it. */
  readonly material: string
  /** Highest temperatures that it asks for, °C. */
  readonly nozzleC: number
  readonly bedC: number
}

/** Names that PrusaSlicer has for materials of our list. */
const ALIASES: Readonly<Record<string, string>> = { PET: 'PETG', FLEX: 'TPU', NYLON: 'PA' }
/** Toolpaths that the printers take. */
const FLAVOURS = ['marlin', 'marlin2']

/** The values of each extruder. */
const valuesOf = (text = ''): string[] => text.split(/[;,]/).map(value => value.trim().replace(/^"(.*)"$/, '$1'))
const numberOf = (text: string | undefined, instead: number): number => {
  const value = Number.parseFloat(valuesOf(text)[0] ?? '')
  return Number.isFinite(value) ? value : instead
}

/** The first value of a setting as a number. */
export const settingOf = (settings: Settings, key: string, instead: number): number => numberOf(settings[key], instead)

/** A bed from the list of its corners. @param key of the setting, for errors */
export function bedOf (shape: string, key = 'bed_shape'): ProfileFacts['bed'] {
  const points = shape.split(',').map(point => point.trim().split('x').map(Number))
  if (points.length < 3 || points.some(point => point.length !== 2 || !point.every(Number.isFinite))) {
    throw new BadInput(`${key} is not a list of points: ${shape.slice(0, 80)}`)
  }
  const along = (axis: 0 | 1) => points.map(point => point[axis] ?? 0)
  return [Math.min(...along(0)), Math.min(...along(1)), Math.max(...along(0)), Math.max(...along(1))]
}

/** @throws PRN_ERR_BAD_INPUT for G-code that these printers do not take */
export function checkFlavour (flavour = 'marlin'): void {
  if (FLAVOURS.includes(flavour)) return
  throw new BadInput(`The configuration writes G-code for ${flavour}; these printers take ${FLAVOURS.join(' and ')}`)
}

/** @throws PRN_ERR_BAD_INPUT for machines that no printer of this service is */
export function factsOf (settings: Settings): ProfileFacts {
  const extruders = valuesOf(settings.nozzle_diameter).length
  if (extruders > 1) throw new BadInput(`The configuration is for ${extruders} extruders; plates have one material so far`)
  checkFlavour(settings.gcode_flavor)
  const type = valuesOf(settings.filament_type)[0]?.toUpperCase() ?? ''
  const material = ALIASES[type] ?? type
  if (!MATERIALS.some(({ name }) => name === material)) {
    throw new BadInput(`The material ${type} is not known here; there are ${MATERIALS.map(({ name }) => name).join(', ')}`)
  }
  const highest = (...keys: string[]) =>
    Math.max(...keys.flatMap(key => valuesOf(settings[key])).map(Number).filter(Number.isFinite), 0)
  return {
    bed: bedOf(settings.bed_shape ?? ''),
    heightMm: settingOf(settings, 'max_print_height', Infinity),
    nozzleMm: settingOf(settings, 'nozzle_diameter', 0),
    layerMm: settingOf(settings, 'layer_height', 0),
    material,
    nozzleC: highest('temperature', 'first_layer_temperature'),
    bedC: highest('bed_temperature', 'first_layer_bed_temperature')
  }
}

const SAME_MM = 1

function bedProblem ({ bed: [minX, minY, maxX, maxY] }: ProfileFacts, { name, bedMm: [width, depth] }: ModelInfo) {
  const isSame = [minX, minY, maxX - width, maxY - depth].every(difference => Math.abs(difference) <= SAME_MM)
  return isSame
    ? undefined
    : `its bed reaches from ${minX}, ${minY} to ${maxX}, ${maxY} mm, that of the ${name} from 0, 0 to ${width}, ${depth} mm`
}

/** Why a printer cannot be driven by a profile, as the end of a sentence; undefined if nothing speaks against it. */
export function misfit (facts: ProfileFacts, { model, nozzleMm }: SlicingTarget): string | undefined {
  const bed = bedProblem(facts, model)
  if (bed !== undefined) return bed
  if (facts.heightMm !== Infinity && facts.heightMm > model.bedMm[2] + SAME_MM) {
    return `it prints up to ${facts.heightMm} mm, the ${model.name} up to ${model.bedMm[2]} mm`
  }
  if (Math.abs(facts.nozzleMm - nozzleMm) > 0.01) {
    return `it is for a nozzle of ${facts.nozzleMm} mm, the printer has ${nozzleMm} mm`
  }
  if (facts.nozzleC > model.nozzleMaxC) {
    return `it heats the nozzle to ${facts.nozzleC} °C, the ${model.name} reaches ${model.nozzleMaxC} °C`
  }
  if (facts.bedC > model.bedMaxC) {
    return `it heats the bed to ${facts.bedC} °C, the ${model.name} reaches ${model.bedMaxC} °C`
  }
  return undefined
}
