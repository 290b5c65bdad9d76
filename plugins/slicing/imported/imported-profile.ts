import { BadInput } from '../../../core/index.js'
import type { Filaments } from '../../filament/index.js'
import type { ChosenProfile } from '../chosen-profile.js'
import { LIMITS } from '../own-profiles/machine.data.js'
import { MATERIALS } from '../own-profiles/materials.data.js'
import type { PlateOrder } from '../schemas.js'
import type { SlicingTarget } from '../types.js'
import { misfit, settingOf } from './profile-facts.js'
import type { ImportedProfile } from './imported-profiles.js'
import type { Settings } from './read-configuration.js'

/** What an order changes of a profile: nothing that it does not name. */
function changesOf ({ supports, brim, infill, color }: PlateOrder): Settings {
  return {
    ...supports !== undefined && { support_material: supports ? '1' : '0', support_material_auto: '1' },
    ...brim !== undefined && { brim_width: String(brim) },
    ...infill !== undefined && { fill_density: `${infill}%` },
    ...color !== undefined && { filament_colour: color.toUpperCase() }
  }
}

/** g/cm³ */
const USUAL_DENSITY = 1.24
const COLOR = /^#[0-9A-F]{6}$/i

/**
 * An imported profile of PrusaSlicer for a printer that it suits.
 * @throws PRN_ERR_BAD_INPUT with the figure that does not suit
 */
export function chosenImport (
  { byId }: Pick<Filaments, 'byId'>, target: SlicingTarget, { name, facts, settings: given }: ImportedProfile,
  order: PlateOrder
): ChosenProfile {
  const problem = misfit(facts, target)
  if (problem !== undefined) throw new BadInput(`'${name}' does not suit this printer: ${problem}`)
  const material = MATERIALS.find(({ name }) => name === facts.material)
  const filament = material && byId(material.catalogueId)
  if (material === undefined || filament === undefined) throw new BadInput(`The material ${facts.material} is not known here`)
  const isWeighed = settingOf(given, 'filament_density', 0) > 0 // PrusaSlicer writes 0 where nobody entered it
  const settings: Settings = {
    ...given,
    ...!isWeighed && { filament_density: String(filament.density_g_cm3 ?? USUAL_DENSITY) },
    ...changesOf(order)
  }
  const of = (key: string, instead: number) => settingOf(settings, key, instead)
  const color = settings.filament_colour ?? ''
  return {
    settings: Object.entries(settings).map(([key, value]) => `${key} = ${value}\n`).join(''),
    filament,
    flow: of('filament_max_volumetric_speed', 0) || material.flow,
    color: COLOR.test(color) ? color.toUpperCase() : '#FFFFFF',
    bedType: order.bed_type ?? 'textured_plate',
    layerHeightMm: facts.layerMm,
    supports: of('support_material', 0) > 0,
    infillPct: Math.round(of('fill_density', 15)),
    walls: of('perimeters', 2),
    brimMm: of('brim_width', 0),
    limits: Object.fromEntries(Object.entries(LIMITS).map(([key, value]) => [key, of(key, value)])),
    startCode: '' // that of whoever made the profile
  }
}
