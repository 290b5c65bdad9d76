import { colorOf, wholesOf } from './numbers.js'
import { printSettings, type PrintSettings } from './print-settings.js'

/** Facts from the head of a plate's toolpaths. */
export interface GcodeHead {
  /** Filaments in use, from 1. */
  readonly filamentIds: readonly number[]
  readonly types: readonly string[]
  readonly colors: readonly string[]
  readonly physicalExtruders: readonly number[]
  readonly layers: number | undefined
  readonly print: PrintSettings
}

const split = (text: string | undefined, separator: string): string[] =>
  text === undefined ? [] : text.split(separator).map(word => word.trim().replace(/^"(.*)"$/, '$1'))

/** Values of comments `; key = value` or `; key: value` up to the end of the settings; the first of each key wins. */
function readComments (text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const line of text.split('\n')) {
    if (line.startsWith('; CONFIG_BLOCK_END')) break
    const [, key, value] = /^; ([\w [\]^]{1,80}?) ?[=:] ?(.*)$/.exec(line.trimEnd()) ?? []
    if (key !== undefined && value !== undefined && !found.has(key)) found.set(key, value)
  }
  return found
}

export function readGcodeHead (text: string): GcodeHead {
  const comments = readComments(text)
  const layers = Number(comments.get('total layer number'))
  return {
    filamentIds: wholesOf(comments.get('filament')),
    types: split(comments.get('filament_type'), ';'),
    colors: split(comments.get('filament_colour'), ';').map(colorOf),
    physicalExtruders: wholesOf(comments.get('physical_extruder_map')),
    layers: Number.isSafeInteger(layers) && layers > 0 ? layers : undefined,
    print: printSettings(key => comments.get(key))
  }
}
