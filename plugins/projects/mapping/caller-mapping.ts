import { BadInput, isHolder, placeOfTray } from '../../../core/index.js'
import { MOST_FILAMENTS } from '../limits.js'
import type { Filament } from '../read/slice-info.js'
import type { LoadedSpool } from './spools.js'

const UNUSED = -1
const FORM = 'ams_mapping must be a JSON list with one whole number per filament: -1 unused, 4 * unit + slot ' +
  '(0 to 103), 128 to 135 a single-slot unit, 254 or 255 an external holder'

function parse (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new BadInput(`${FORM}; ${(error as Error).message}`)
  }
}

/** What has parts is only named: it may be nested deeper than can be written. */
const shown = (value: unknown): string =>
  typeof value === 'object' && value !== null ? 'a list or an object' : JSON.stringify(value).slice(0, 40)

const isTray = (value: unknown): value is number =>
  typeof value === 'number' && (value === UNUSED || placeOfTray(value) !== undefined)

/**
 * The mapping that a caller gave, as a list or as JSON text; undefined for none: null, an empty text or list.
 * @throws PRN_ERR_BAD_INPUT
 */
export function mappingOf (given: unknown): readonly number[] | undefined {
  if (given === undefined || given === null) return undefined
  const value = typeof given === 'string' ? (given.trim() === '' ? [] : parse(given)) : given
  if (value === null) return undefined
  if (!Array.isArray(value) || value.length > MOST_FILAMENTS) throw new BadInput(FORM)
  const wrong = value.find(item => !isTray(item))
  if (wrong !== undefined) throw new BadInput(`${FORM}; not ${shown(wrong)}`)
  return value.length === 0 ? undefined : value as number[]
}

/** What is wrong with a given mapping for these filaments and spools; undefined when nothing is. */
export function problemOf (mapping: readonly number[], filaments: readonly Filament[], spools: readonly LoadedSpool[]):
string | undefined {
  const used = filaments.filter(({ id }) => id > 0)
  const without = used.filter(({ id }) => (mapping[id - 1] ?? UNUSED) === UNUSED)
  if (without.length > 0) return `ams_mapping names no tray for filament ${without.map(({ id }) => id).join(', ')}.`
  const isLoaded = (tray: number) => isHolder(tray) || spools.some(({ trayId }) => trayId === tray)
  const empty = used.find(({ id }) => !isLoaded(mapping[id - 1] ?? UNUSED))
  return empty && `ams_mapping sends filament ${empty.id} to tray ${mapping[empty.id - 1]}, which holds no known filament.`
}
