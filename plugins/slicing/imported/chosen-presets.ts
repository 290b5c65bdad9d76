import { BadInput } from '../../../core/index.js'
import type { PlateProfile } from '../chosen-profile.js'
import { BED_TYPES } from '../plate-file/plate-description.js'
import type { PlateOrder } from '../schemas.js'
import type { SlicingTarget } from '../types.js'
import { presetNumber } from './preset-facts.js'
import { misfit, type ProfileFacts } from './profile-facts.js'
import type { Presets, PresetSettings } from './read-presets.js'

/** What a plate is made with by OrcaSlicer or Bambu Studio. */
export interface ChosenPresets extends PlateProfile { readonly presets: Presets }

interface ImportedPresets {
  readonly name: string
  readonly facts: ProfileFacts
  readonly presets: Presets
}

/** What an order changes of a process: nothing that it does not name. */
function changesOf ({ supports, brim, infill, bed_type: bed = 'textured_plate' }: PlateOrder): PresetSettings {
  return {
    // As the programs spell it, other than in the records of plates.
    curr_bed_type: bed === 'supertack_plate' ? 'Supertack Plate' : BED_TYPES[bed],
    ...supports !== undefined && { enable_support: supports ? '1' : '0' },
    ...brim !== undefined && { brim_type: brim > 0 ? 'outer_only' : 'no_brim', brim_width: String(brim) },
    ...infill !== undefined && { sparse_infill_density: `${infill}%` }
  }
}

const COLOR = /^#[0-9A-F]{6}/i
/** The width of a brim that was asked for; one that the slicer decides on is its own matter. */
const brimOf = (settings: PresetSettings): number =>
  /^(outer_|inner_and_|outer_and_)/.test(String(settings.brim_type ?? '')) ? presetNumber(settings, 'brim_width', 0) : 0

/**
 * Presets for a printer that they suit.
 * @throws PRN_ERR_BAD_INPUT with the figure that does not suit
 */
export function chosenPresets (
  target: SlicingTarget, { name, facts, presets }: ImportedPresets, order: PlateOrder
): ChosenPresets {
  const problem = misfit(facts, target)
  if (problem !== undefined) throw new BadInput(`'${name}' does not suit this printer: ${problem}`)
  const { machine, process, filament } = presets
  const ownColors = [filament.settings.filament_colour ?? [], filament.settings.default_filament_colour ?? []].flat()
  const color = (order.color ?? ownColors.find(text => COLOR.test(text))?.slice(0, 7) ?? '#FFFFFF').toUpperCase()
  const changed = { ...process.settings, ...changesOf(order) }
  return {
    presets: {
      machine,
      process: { ...process, settings: changed },
      filament: { ...filament, settings: { ...filament.settings, filament_colour: [color] } }
    },
    color,
    brimMm: brimOf(changed),
    startCode: '' // that of whoever made the presets
  }
}
