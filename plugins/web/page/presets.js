// Usual temperatures and speeds, of what is loaded first. Pure.

const MOST = 5
const USUAL = ['PLA', 'PETG', 'ABS', 'TPU']
const CHAMBER_C = [45, 60]
const FAN_PERCENT = [50, 100]

/** The member of a catalogue entry that a heater needs. */
const MEMBERS = { bed: 'hot_plate_temp', nozzle: 'nozzle_temperature' }

/**
 * Materials with their temperature for a heater.
 * @param {'nozzle' | 'bed'} kind @param {readonly any[]} catalogue @param {readonly any[]} slots of the printer
 * @param {number} max
 */
function ofMaterials (kind, catalogue, slots, max) {
  const loaded = slots.filter(({ type }) => type).map(({ catalogue: id, type }) =>
    catalogue.find(entry => entry.tray_info_idx === id) ?? catalogue.find(({ name }) => name === `Generic ${type}`))
  const generic = USUAL.map(type => catalogue.find(({ name }) => name === `Generic ${type}`))
  const found = [...loaded, ...generic].filter(entry => entry && entry[MEMBERS[kind]] <= max)
    .map(entry => ({ name: entry.filament_type, value: entry[MEMBERS[kind]] }))
  return found.filter(({ name }, at) => found.findIndex(other => other.name === name) === at).slice(0, MOST)
}

/**
 * What a heater or fan is usually set to.
 * @param {string} key of the heater, or `fan`
 * @param {{ catalogue: readonly any[], slots: readonly any[], max?: number }} known
 * @returns {{ name: string, value: number }[]} `name` is a material, or empty
 */
export function presetsOf (key, { catalogue, slots, max = Infinity }) {
  if (key === 'fan') return FAN_PERCENT.map(value => ({ name: '', value }))
  if (key === 'chamber') return CHAMBER_C.filter(value => value <= max).map(value => ({ name: '', value }))
  return ofMaterials(key === 'bed' ? 'bed' : 'nozzle', catalogue, slots, max)
}
