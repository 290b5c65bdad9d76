import { MOST_BOXES, MOST_FILAMENTS } from '../limits.js'
import { isFields, listOf, parseFields, type Fields } from './fields.js'
import { colorOf, textOf, wholeOf } from './numbers.js'

/** x and y, smallest then largest, in mm from the plate's lower left corner. */
export type Bounds = readonly [xMin: number, yMin: number, xMax: number, yMax: number]

/** The first layer's outline of an object, or of the wipe tower. */
export interface Box {
  readonly id: number
  readonly name: string
  readonly bounds: Bounds
  /** Further members, unchanged. */
  readonly fields: Fields
}

export interface PlateMap {
  readonly boxes: readonly Box[]
  /** Filaments in use, from 0. */
  readonly filamentIds: readonly number[]
  readonly filamentColors: readonly string[]
  /** All members but the objects, unchanged. */
  readonly fields: Fields
}

export const NO_MAP: PlateMap = { boxes: [], filamentIds: [], filamentColors: [], fields: {} }

export const isTower = (name: string): boolean => name.toLowerCase().includes('wipe_tower')

function boundsOf (value: unknown): Bounds | undefined {
  const numbers = listOf(value)
  if (numbers.length !== 4 || !numbers.every(number => typeof number === 'number' && Number.isFinite(number))) return undefined
  const [xMin, yMin, xMax, yMax] = numbers as [number, number, number, number]
  return xMin <= xMax && yMin <= yMax ? [xMin, yMin, xMax, yMax] : undefined
}

function boxOf (value: unknown): Box[] {
  if (!isFields(value)) return []
  const bounds = boundsOf(value.bbox ?? value.val)
  return bounds === undefined ? [] : [{ id: wholeOf(value.id) ?? -1, name: textOf(value.name), bounds, fields: value }]
}

/** Reads `plate_N.json`; undefined when it is not an object. */
export function readPlateMap (text: string | undefined): PlateMap | undefined {
  const fields = parseFields(text)
  if (!fields) return undefined
  const { bbox_objects: objects, ...rest } = fields
  const ids = listOf(rest.filament_ids).map(wholeOf)
  return {
    boxes: listOf(objects).slice(0, MOST_BOXES).flatMap(boxOf),
    filamentIds: ids.filter(id => id !== undefined && id >= 0 && id < MOST_FILAMENTS) as number[],
    filamentColors: listOf(rest.filament_colors).map(colorOf),
    fields: rest
  }
}
