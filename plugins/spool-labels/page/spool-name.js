// What spools are called on labels and where they are scanned.

import { filamentName, number } from 'shell'

/** One that was added by itself, after its material and colour, gets the colour's name. */
export const spoolName = ({ name, material, color }) => name === `${material} ${color}` ? filamentName(material, [color]) : name

export const spoolFilament = ({ material, color }) => filamentName(material, [color])

/** @param {number} amount */
export const grams = amount => number(Math.round(amount))
