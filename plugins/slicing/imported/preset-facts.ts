import { BadInput } from '../../../core/index.js'
import type { PresetValue } from './preset-file.js'
import { bedOf, checkFlavour, type ProfileFacts } from './profile-facts.js'
import type { PresetSettings, Presets } from './read-presets.js'

/** The values of each extruder. */
const valuesOf = (value: PresetValue | undefined): string[] =>
  [value ?? []].flat().flatMap(text => text.split(',')).map(text => text.trim()).filter(text => text !== '')

/** The first value of a setting as a number. */
export function presetNumber (settings: PresetSettings, key: string, instead: number): number {
  const value = Number.parseFloat(valuesOf(settings[key])[0] ?? '')
  return Number.isFinite(value) ? value : instead
}

/** Temperatures for each build plate, such as `textured_plate_temp_initial_layer`. */
const BED = /^(?:[a-z]+_)+plate_temp(?:_initial_layer)?$/
const MATERIAL = /^[A-Za-z0-9+ -]{1,20}$/

/** @throws PRN_ERR_BAD_INPUT for machines that no printer of this service is */
export function presetFacts ({ machine, process, filament }: Presets): ProfileFacts {
  const nozzles = valuesOf(machine.settings.nozzle_diameter)
  if (nozzles.length > 1) {
    throw new BadInput(`The printer preset '${machine.name}' has ${nozzles.length} extruders; plates have one material so far`)
  }
  checkFlavour(valuesOf(machine.settings.gcode_flavor)[0])
  const [type = ''] = valuesOf(filament.settings.filament_type)
  if (!MATERIAL.test(type)) throw new BadInput(`The filament preset '${filament.name}' does not say its material`)
  const highest = (isMeant: (key: string) => boolean) => Object.entries(filament.settings)
    .filter(([key]) => isMeant(key)).flatMap(([, value]) => valuesOf(value)).map(Number).filter(Number.isFinite)
    .reduce((most, value) => Math.max(most, value), 0)
  return {
    bed: bedOf(valuesOf(machine.settings.printable_area).join(','), 'printable_area'),
    heightMm: presetNumber(machine.settings, 'printable_height', Infinity),
    nozzleMm: presetNumber(machine.settings, 'nozzle_diameter', 0),
    layerMm: presetNumber(process.settings, 'layer_height', 0),
    material: type.toUpperCase(),
    nozzleC: highest(key => /^nozzle_temperature(_initial_layer)?$/.test(key)),
    bedC: highest(key => BED.test(key))
  }
}
