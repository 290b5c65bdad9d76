// What colours and filaments are called on the pages.

import { colorOf } from './format.js'
import { nearestColor } from './nearest-color.js'
import { t } from './shell.js'

/** Words for the colours of a spool with several. */
const MOST_NAMED = 3

/** What a colour is called, such as `dark blue`; empty when unknown. @param {string | undefined} color */
export function colorName (color) {
  const key = nearestColor(color)
  return key === '' ? colorOf(color) ?? '' : t(`color.${key}`)
}

/**
 * What a filament is called with its colours, such as `PLA white`.
 * @param {string} material @param {readonly (string | undefined)[]} colors those that are unknown are left out
 */
export function filamentName (material, colors) {
  const names = [...new Set(colors.map(colorName))].filter(name => name !== '').slice(0, MOST_NAMED)
  return names.length === 0 || material === '' ? material : t('color.filament', { material, color: names.join(' / ') })
}

/**
 * What a spool is called; one that was added by itself, after its material and colour, gets the colour's name.
 * @param {{ name: string, material: string, color: string }} spool
 */
export const spoolName = ({ name, material, color }) => name === `${material} ${color}` ? filamentName(material, [color]) : name

/** A colour by its name and its exact value, such as `white (#ffffff)`. @param {string} color */
export function exactColor (color) {
  const [name, value] = [colorName(color), colorOf(color) ?? '']
  return name === value || nearestColor(color) === 'clear' ? name : t('color.exact', { color: name, value: value.toUpperCase() })
}
