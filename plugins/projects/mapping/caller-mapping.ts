import { BadInput, placeOfTray } from '../../../core/index.js'
import { MOST_FILAMENTS } from '../limits.js'
import { UNUSED } from '../read/external.js'

const FORM = 'ams_mapping must be a JSON list with one whole number per filament: -1 unused, 4 * unit + slot ' +
  '(0 to 103), 128 to 135 a single-slot unit, 254 or 255 an external holder'

function parse (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new BadInput(`${FORM}; ${(error as Error).message}`)
  }
}

/** Lists and objects are not printed: they may be nested too deeply to serialise. */
const shown = (value: unknown): string =>
  typeof value === 'object' && value !== null ? 'a list or an object' : JSON.stringify(value).slice(0, 40)

const isTray = (value: unknown): value is number =>
  typeof value === 'number' && (value === UNUSED || placeOfTray(value) !== undefined)

/**
 * The caller's mapping, given as a list or as JSON text; undefined for null, an empty text or an empty list.
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

/** The mapping as input of an operation. @throws PRN_ERR_BAD_INPUT */
export function mappingIn (given: unknown): { mapping?: number[] } {
  const mapping = mappingOf(given)
  return mapping ? { mapping: [...mapping] } : {}
}
