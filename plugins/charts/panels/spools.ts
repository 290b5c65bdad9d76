import { isHolder, type AmsUnit, type PrinterState, type Spool } from '../../../core/index.js'

const FIRST_HT = 128
const A = 'A'.charCodeAt(0)
const letter = (at: number) => String.fromCharCode(A + at % 26)

/** `A` to `D` for four-slot units, `HT A` and on for units of one slot. */
export const unitName = (amsId: number): string =>
  amsId >= FIRST_HT ? `HT ${letter(amsId - FIRST_HT)}` : letter(Math.max(0, amsId))

/** `A1`, `HT A`, `Ext`; on a printer with two nozzles `Ext L` and `Ext R`. */
export function placeName ({ id, amsId, slot }: Spool, dual: boolean): string {
  if (isHolder(id)) return dual ? `Ext ${id === 254 ? 'L' : 'R'}` : 'Ext'
  return amsId >= FIRST_HT ? unitName(amsId) : `${unitName(amsId)}${slot + 1}`
}

/** What people call it: the material with its sort, else the type. */
export const materialName = ({ subBrand, type }: Spool): string => subBrand || type || 'not set'

/** The spool the active nozzle draws from. */
export const isInUse = ({ id, amsId, slot }: Spool, { activeTray: tray }: PrinterState): boolean => {
  if (tray.id === -1) return false
  return tray.external ? isHolder(id) && slot === tray.slot : amsId === tray.amsId && slot === tray.slot
}

const UNSET = '00000000'

/** Colours of a spool as `#RRGGBB`; none when it is not set. */
export function coloursOf ({ rgba, colors }: Spool): string[] {
  const all = colors.length > 1 ? colors : [rgba]
  return all.filter(colour => /^[0-9A-F]{6}/i.test(colour) && colour !== UNSET).map(colour => `#${colour.slice(0, 6)}`)
}

const WETTEST = 2

/** Units whose humidity index says that they are wet: 1 or 2 of 5. */
export const wetUnits = (units: readonly AmsUnit[]): readonly AmsUnit[] =>
  units.filter(({ humidityIndex }) => humidityIndex >= 1 && humidityIndex <= WETTEST)
