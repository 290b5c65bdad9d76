import type { Palette } from '../../filament/index.js'
import { UNUSED } from '../read/external.js'
import { trayAt, type Tray } from './trays.js'
import type { Mapped, WantedFilament } from './judge.js'

type Wording = Pick<Mapped, 'filaments' | 'mapping' | 'trays' | 'dual'> & { readonly nameOf: Palette['nameOf'] }

/** `PLA, red #FF0000` */
const spoolWords = (material: string, color: string, nameOf: Palette['nameOf']): string =>
  [material || 'unknown material', ...(color === '' ? [] : [`${nameOf(color)} ${color}`])].join(', ')

function trayWords (trayId: number, tray: Tray | undefined, nameOf: Palette['nameOf']): string {
  if (trayId === UNUSED) return 'no tray'
  if (tray === undefined) return `tray ${trayId} (not there)`
  return `${tray.name} (${tray.present ? spoolWords(tray.label, tray.color, nameOf) : 'empty'})`
}

/** One sentence a filament: `Filament 1 (PLA, red #FF0000) → AMS A slot 2 (PLA Basic, firebrick #C12E1F)`. */
export const mappingWords = ({ filaments, mapping, trays, dual, nameOf }: Wording): string[] =>
  filaments.map(({ id, type, color }: WantedFilament) => {
    const trayId = mapping[id - 1] ?? UNUSED
    const place = trayWords(trayId, trayAt(trays, trayId, dual), nameOf)
    return `Filament ${id} (${spoolWords(type, color, nameOf)}) → ${place}`
  })
