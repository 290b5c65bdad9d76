// Colours of lines. Pure.

import { FEATURES } from './pack-track.js'

/** Colours of what a line builds, as in the pictures for agents; related ones look alike. */
const FEATURE_COLORS = {
  none: '#c9a26b',
  outer_wall: '#ff8a3d',
  inner_wall: '#ffd24a',
  overhang_wall: '#4c6fff',
  sparse_infill: '#c0392b',
  solid_infill: '#b35cff',
  top_surface: '#ff5a5a',
  bottom_surface: '#6d8bff',
  bridge: '#4fb3ff',
  gap_infill: '#ffffff',
  ironing: '#ffb3b3',
  skirt: '#2f8f6b',
  brim: '#2fa37a',
  support: '#33d17a',
  support_interface: '#1fa055',
  prime_tower: '#8fd3c8',
  custom: '#7fe0d0'
}
export const featureColor = name => FEATURE_COLORS[name] ?? FEATURE_COLORS.custom
/** Of filaments whose colour is not known. */
const FILAMENT_COLORS = ['#5b8def', '#f2a33a', '#4fbf8b', '#d8627a', '#9a7be0', '#5cc5d6', '#c9b458', '#8c96a5']
export const filamentColor = (known, filament) =>
  known[filament] ?? FILAMENT_COLORS[(filament - 1) % FILAMENT_COLORS.length]

/** From slow to fast: even in lightness, and distinct without red and green. */
export const RAMP = ['#3b3f9f', '#2f7fc4', '#35b0a2', '#8ccf5a', '#f0d84a', '#f58a3c']

const MOST = 24

/** `#rrggbb` as three numbers from 0 to 1. @param {string} color */
export const channels = color => [1, 3, 5].map(at => parseInt(color.slice(at, at + 2), 16) / 255)

/** @param {readonly string[]} colors */
function packed (colors) {
  const all = new Float32Array(MOST * 3)
  colors.slice(0, MOST).forEach((color, at) => all.set(channels(color), at * 3))
  return all
}

const filamentPalette = filaments =>
  Array.from({ length: MOST }, (_, at) => visible(filamentColor(filaments, at + 1)))

export const MODES = ['feature', 'filament', 'speed', 'flow', 'temperature']

/**
 * The palette of a mode for the graphics card.
 * @param {string} mode @param {Record<number, string>} filaments colours by number
 */
export function paletteOf (mode, filaments) {
  if (mode === 'feature') return packed(FEATURES.map(featureColor))
  if (mode === 'filament') return packed(filamentPalette(filaments))
  return packed(RAMP)
}

/** Black filament would show no form: it becomes a dark grey. @param {string} color */
export function visible (color) {
  const [red, green, blue] = channels(color)
  const light = 0.3 * red + 0.59 * green + 0.11 * blue
  if (light >= 0.13) return color
  const raised = [red, green, blue].map(value => Math.round((value * 0.5 + 0.13) * 255))
  return `#${raised.map(value => value.toString(16).padStart(2, '0')).join('')}`
}

const FIRST_SINGLE_UNIT = 128
const HEX = /^#?([0-9a-f]{6})/i

/** Number of a tray in a mapping. */
const trayOf = ({ ams_id: ams, slot_id: slot }) =>
  ams < 0 ? slot : ams >= FIRST_SINGLE_UNIT ? ams + slot : ams * 4 + slot

const hexOf = text => {
  const found = HEX.exec(text ?? '')
  return found ? `#${found[1].toLowerCase()}` : undefined
}

/** Colours of filaments by number: those of the spools that would feed them, else those of the file. Pure. */
export function colorsOf (filaments, mapping, spools) {
  /** @type {Record<number, string>} */
  const colors = {}
  for (const { id, color } of filaments) {
    const tray = mapping?.[id - 1] ?? -1
    const isFeeding = one => tray >= 0 && trayOf(one) === tray && one.color_known !== false && one.type
    const spool = spools.find(isFeeding)
    const known = hexOf(spool?.color) ?? hexOf(color)
    if (known !== undefined) colors[id] = known
  }
  return colors
}
