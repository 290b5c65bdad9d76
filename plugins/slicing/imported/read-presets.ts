import { BadInput } from '../../../core/index.js'
import { MOST_SETTINGS, type PresetFile, type PresetKind, type PresetValue } from './preset-file.js'
import { listed, type PresetNames } from './read-configuration.js'

export type PresetSettings = Readonly<Record<string, PresetValue>>

/** A preset with everything that it inherits. */
export interface ResolvedPreset {
  readonly name: string
  readonly settings: PresetSettings
}

/** What OrcaSlicer and Bambu Studio slice with. */
export type Presets = Readonly<Record<PresetKind, ResolvedPreset>>

/** Looks for a preset that was not given, such as in the folders of a desktop slicer. */
export type FindPreset = (kind: PresetKind, name: string, child?: PresetFile) => PresetFile | undefined

/** In the words of the options and of the desktop slicers. */
const WORDS: Readonly<Record<PresetKind, keyof PresetNames>> = { machine: 'printer', process: 'print', filament: 'filament' }

/** For one preset: two parents that share two parents, and so on, would double the work at every step. */
const MOST_LOOKUPS = 200

interface Given {
  readonly files: readonly PresetFile[]
  readonly find: FindPreset
}

const presetOf = ({ files, find }: Given, kind: PresetKind, name: string, child?: PresetFile): PresetFile | undefined =>
  files.find(file => file.kind === kind && file.name === name) ?? find(kind, name, child)

/** The preset of a kind that is meant. @throws PRN_ERR_BAD_INPUT with the names that there are */
function chosen (given: Given, kind: PresetKind, wanted: string | undefined): PresetFile {
  const word = WORDS[kind]
  const all = given.files.filter(file => file.kind === kind)
  const parents = new Set(all.flatMap(({ parents }) => parents))
  const candidates = all.filter(({ name, isTemplate }) => !isTemplate && !parents.has(name))
  const names = candidates.map(({ name }) => name)
  if (wanted !== undefined) {
    const found = presetOf(given, kind, wanted)
    if (found) return found
    throw new BadInput(`There is no ${word} preset '${wanted}'` + (names.length > 0 ? `; name one: ${listed(names)}` : ''))
  }
  const [first] = candidates
  if (first === undefined) throw new BadInput(`There is no ${word} preset (type ${kind}). Give its file too`)
  if (candidates.length > 1) throw new BadInput(`There are several ${word} presets; name one: ${listed(names)}`)
  return first
}

interface Resolved extends ResolvedPreset {
  /** Of the preset, and all that it builds on. */
  readonly names: ReadonlySet<string>
}

/**
 * A preset with what it inherits, the nearest last.
 * @throws PRN_ERR_BAD_INPUT that names a parent which was not given, and for presets that nobody has
 */
function resolve (given: Given, kind: PresetKind, wanted: PresetFile): Resolved {
  const word = WORDS[kind]
  const names = new Set<string>()
  let lookups = 0
  const from = (file: PresetFile, below: readonly string[]): Map<string, PresetValue> => {
    if (below.includes(file.name)) throw new BadInput(`The ${word} presets ${listed([...below, file.name])} inherit each other`)
    names.add(file.name)
    const parents = file.parents.flatMap(name => {
      if (++lookups > MOST_LOOKUPS) throw new BadInput(`The ${word} preset '${wanted.name}' has more than ${MOST_LOOKUPS} parents`)
      const parent = presetOf(given, kind, name, file)
      if (parent) return [...from(parent, [...below, file.name])]
      throw new BadInput(`The ${word} preset '${file.name}' builds on '${name}', which was not given. Give its file too, or run ` +
        'prnd profiles import on the computer where you slice: it finds what the desktop slicer has')
    })
    const settings = new Map([...parents, ...file.settings])
    if (settings.size > MOST_SETTINGS) throw new BadInput(`The ${word} preset '${wanted.name}' has more than ${MOST_SETTINGS} settings`)
    return settings
  }
  const settings = from(wanted, [])
  return { name: wanted.name, settings: Object.fromEntries(settings), names }
}

/** Without these, nothing can be said of what presets do. */
const REQUIRED: Readonly<Record<PresetKind, readonly string[]>> = {
  machine: ['printable_area', 'nozzle_diameter', 'machine_start_gcode'],
  process: ['layer_height'],
  filament: ['filament_type', 'nozzle_temperature']
}

function checkComplete (kind: PresetKind, { name, settings }: ResolvedPreset): void {
  const lacks = REQUIRED[kind].filter(key => !Object.hasOwn(settings, key))
  if (lacks.length > 0) throw new BadInput(`The ${WORDS[kind]} preset '${name}' lacks ${lacks.join(', ')}`)
}

/** A preset names the printers that it was made for; a printer of one's own builds on one of these. */
function checkCompatible (kind: PresetKind, { name, settings }: ResolvedPreset, machine: Resolved): void {
  const printers = [settings.compatible_printers ?? []].flat().filter(printer => printer !== '')
  if (printers.length === 0 || printers.some(printer => machine.names.has(printer))) return
  throw new BadInput(`The ${WORDS[kind]} preset '${name}' is not made for '${machine.name}', but for ${listed(printers)}`)
}

/**
 * Puts a printer, a process and a filament together, each with what it inherits.
 * @param find looks for presets that are not among the files
 * @throws PRN_ERR_BAD_INPUT that names what is missing or does not belong together
 */
export function readPresets (
  files: readonly PresetFile[], names: PresetNames = {}, find: FindPreset = () => undefined
): Presets {
  const given = { files, find }
  const read = (kind: PresetKind): Resolved => {
    const resolved = resolve(given, kind, chosen(given, kind, names[WORDS[kind]]))
    checkComplete(kind, resolved)
    return resolved
  }
  const [machine, process, filament] = [read('machine'), read('process'), read('filament')]
  checkCompatible('process', process, machine)
  checkCompatible('filament', filament, machine)
  const bare = ({ name, settings }: Resolved): ResolvedPreset => {
    const { compatible_printers: _, ...others } = settings // it was checked
    return { name, settings: others }
  }
  return { machine: bare(machine), process: bare(process), filament: bare(filament) }
}

/** Resolved presets as files of JSON, which need no other one. */
export const presetTexts = (presets: Presets): string[] => Object.entries(presets).map(([kind, { name, settings }]) =>
  JSON.stringify({ type: kind, name, from: 'User', ...settings }))
