import { BadInput } from '../../core/index.js'
import type { Filament, Filaments } from '../filament/index.js'
import { LIMITS } from './own-profiles/machine.data.js'
import { MATERIALS, QUALITIES } from './own-profiles/materials.data.js'
import { ownSettings } from './own-profiles/settings.js'
import type { BedType } from './plate-file/plate-description.js'
import type { PlateOrder } from './schemas.js'
import type { SlicingTarget } from './types.js'

/** Which start code a plate has, as the plate itself says it. A new number after every change of what it does. */
export const START_CODE = 'prnd-1'

/** What a plate needs of any profile. */
export interface PlateProfile {
  /** `#RRGGBB` */
  readonly color: string
  /** Space that a brim takes around models. */
  readonly brimMm: number
  /** Which start code of ours it has; empty: that of somebody else. */
  readonly startCode: string
}

/** Settings for PrusaSlicer, and what the plate's archive says of them. */
export interface ChosenProfile extends PlateProfile {
  readonly settings: string
  readonly filament: Filament
  readonly flow: number
  readonly bedType: BedType
  readonly layerHeightMm: number
  readonly supports: boolean
  readonly infillPct: number
  readonly walls: number
  readonly limits: Readonly<Record<string, number>>
}

/** °C below the lowest temperature of a material: the model cannot print it. */
function checkModel ({ model }: SlicingTarget, filament: Filament): void {
  if (filament.nozzle_temperature_range_low <= model.nozzleMaxC) return
  throw new BadInput(`${filament.filament_type} needs ${filament.nozzle_temperature_range_low} °C, and the ${model.name} ` +
    `reaches ${model.nozzleMaxC} °C. Choose another material`)
}

/**
 * The built-in profile for a printer, a material and a quality.
 * @throws PRN_ERR_BAD_INPUT for a material that is not known or that the printer cannot print
 */
export function chosenProfile ({ byId }: Pick<Filaments, 'byId'>, target: SlicingTarget, order: PlateOrder): ChosenProfile {
  const { material: wanted = 'PLA', quality: qualityName = 'standard', color = '#FFFFFF', supports = false, brim = 0 } = order
  const material = MATERIALS.find(({ name }) => name.toLowerCase() === wanted.trim().toLowerCase())
  const filament = material && byId(material.catalogueId)
  if (material === undefined || filament === undefined) {
    throw new BadInput(`There is no built-in profile for ${wanted}; there are ${MATERIALS.map(({ name }) => name).join(', ')}`)
  }
  checkModel(target, filament)
  const quality = QUALITIES.find(({ name }) => name === qualityName)!
  const infillPct = order.infill ?? quality.infillPct
  const choice = { material, filament, quality, color: color.toUpperCase(), supports, brimMm: brim, infillPct }
  return {
    settings: ownSettings(target, choice),
    filament,
    flow: material.flow,
    color: choice.color,
    bedType: order.bed_type ?? 'textured_plate',
    layerHeightMm: Math.round(target.nozzleMm * quality.layer * 100) / 100,
    supports,
    infillPct,
    walls: quality.walls,
    brimMm: brim,
    limits: LIMITS,
    startCode: START_CODE
  }
}
