// What spools are made of, and how much is left, on labels and where they are scanned.

import { filamentName, number } from 'shell'

export { spoolName } from 'shell'

export const spoolFilament = ({ material, color }) => filamentName(material, [color])

/** @param {number} amount */
export const grams = amount => number(Math.round(amount))
