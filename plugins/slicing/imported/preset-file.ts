import { BadInput } from '../../../core/index.js'

/** Kinds of presets, as OrcaSlicer and Bambu Studio name them in their files. */
export type PresetKind = 'machine' | 'process' | 'filament'
export const PRESET_KINDS: readonly PresetKind[] = ['machine', 'process', 'filament']

/** Numbers are texts in these files; a setting with a value for each extruder is a list. */
export type PresetValue = string | readonly string[]

/** One JSON file of a desktop slicer. */
export interface PresetFile {
  readonly kind: PresetKind
  readonly name: string
  /** Names of presets that it builds on, the nearest last. */
  readonly parents: readonly string[]
  /** Others build on it, and nobody prints with it. */
  readonly isTemplate: boolean
  readonly settings: ReadonlyMap<string, PresetValue>
}

/** Characters; the largest of a vendor has some 30,000. */
export const LONGEST_PRESET = 1024 ** 2
export const MOST_SETTINGS = 4_000
const LONGEST_NAME = 200
const LONGEST_VALUE = 65_536
const MOST_VALUES = 1_024
const MOST_PARENTS = 16
/** Some have capitals, such as `machine_max_force_Y`. */
const KEY = /^[A-Za-z][A-Za-z0-9_]{0,79}$/

/** What a file says of itself, which no slicing depends on. */
const ABOUT = new Set(['type', 'name', 'from', 'inherits', 'include', 'instantiation', 'version', 'setting_id', 'base_id',
  'user_id', 'updated_time', 'created_time', 'is_custom_defined', 'description', 'url', 'renamed_from', 'bundle_id'])

/** Presets of people do not say their kind: the slicer knows it from the folder. */
const KIND_BY_KEY: readonly (readonly [string, PresetKind])[] =
  [['printer_settings_id', 'machine'], ['print_settings_id', 'process'], ['filament_settings_id', 'filament']]

type Document = Readonly<Record<string, unknown>>
const own = (document: Document, key: string): unknown => Object.hasOwn(document, key) ? document[key] : undefined

function documentIn (text: string): Document | undefined {
  if (text.length > LONGEST_PRESET) throw new BadInput(`A preset has more than ${LONGEST_PRESET} characters`)
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value as Document : undefined
  } catch {
    return undefined
  }
}

function kindOf (document: Document): PresetKind | undefined {
  const type = own(document, 'type')
  if (type !== undefined) return PRESET_KINDS.find(kind => kind === type)
  return KIND_BY_KEY.find(([key]) => Object.hasOwn(document, key))?.[1]
}

/** Numbers and yes or no are written as these programs write them; anything nested is none of their settings. */
function textOf (value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  return typeof value === 'boolean' ? (value ? '1' : '0') : undefined
}

function valueOf (key: string, value: unknown): PresetValue | undefined {
  if (!Array.isArray(value)) {
    const text = textOf(value)
    if (text !== undefined && text.length > LONGEST_VALUE) throw new BadInput(`${key} is longer than ${LONGEST_VALUE} characters`)
    return text
  }
  if (value.length > MOST_VALUES) throw new BadInput(`${key} has more than ${MOST_VALUES} values`)
  const texts = value.map(textOf).filter(text => text !== undefined)
  if (texts.reduce((sum, text) => sum + text.length, 0) > LONGEST_VALUE) {
    throw new BadInput(`${key} is longer than ${LONGEST_VALUE} characters`)
  }
  return texts.length === value.length ? texts : undefined
}

/** Names in a member that holds one, or a list. Bundles of OrcaSlicer put a folder of their own before a name. */
function namesIn (value: unknown): string[] {
  const names = [value].flat().filter(name => typeof name === 'string').map(name => name.replace(/^_local\/[^/]*\//, '').trim())
  if (names.length > MOST_PARENTS) throw new BadInput(`A preset builds on more than ${MOST_PARENTS} others`)
  return names.filter(name => name !== '')
}

function settingsIn (document: Document): Map<string, PresetValue> {
  const keys = Object.keys(document).filter(key => KEY.test(key) && !ABOUT.has(key))
  if (keys.length > MOST_SETTINGS) throw new BadInput(`A preset has more than ${MOST_SETTINGS} settings`)
  const settings = new Map<string, PresetValue>()
  for (const key of keys) {
    const value = valueOf(key, document[key])
    if (value !== undefined) settings.set(key, value)
  }
  return settings
}

/**
 * Reads a preset of OrcaSlicer or Bambu Studio.
 * @returns undefined for JSON of another kind, such as the description of a printer's model, and for what is no JSON
 * @throws PRN_ERR_BAD_INPUT for one that is larger than any preset
 */
export function readPresetFile (text: string): PresetFile | undefined {
  const document = documentIn(text)
  const kind = document && kindOf(document)
  if (document === undefined || kind === undefined) return undefined
  const idKey = KIND_BY_KEY.find(([, its]) => its === kind)?.[0] ?? ''
  const name = [own(document, 'name'), own(document, idKey)].flat().find(name => typeof name === 'string' && name.trim() !== '')
  if (typeof name !== 'string') return undefined
  if (name.length > LONGEST_NAME) throw new BadInput(`A preset has a name of more than ${LONGEST_NAME} characters`)
  // The slicers read `include` in presets of vendors only.
  const included = own(document, 'from') === 'User' ? [] : namesIn(own(document, 'include'))
  return {
    kind,
    name: name.trim(),
    parents: [...namesIn(own(document, 'inherits')), ...included],
    isTemplate: own(document, 'instantiation') === 'false',
    settings: settingsIn(document)
  }
}
