import { BadInput } from '../../../core/index.js'

/** Settings in the words of PrusaSlicer. */
export type Settings = Readonly<Record<string, string>>

/** Presets of a bundle that somebody chose by name. */
export interface PresetNames {
  readonly printer?: string | undefined
  readonly print?: string | undefined
  readonly filament?: string | undefined
}

type Kind = keyof PresetNames
const KINDS: readonly Kind[] = ['print', 'filament', 'printer']

const KEY = /^[a-z][a-z0-9_]{0,79}$/
const MOST_LINES = 200_000
const LONGEST_VALUE = 65_536
/** For one preset: two parents that share two parents, and so on, would double the work at every step. */
const MOST_LOOKUPS = 200
const MOST_SETTINGS = 2_000
/** Of a list of names in an error. */
const MOST_NAMED = 12

interface Sections {
  /** Lines before any section: a whole configuration. */
  readonly flat: Map<string, string>
  /** By `kind:name`. */
  readonly presets: Map<string, Map<string, string>>
  /** Presets in use when the bundle was made. */
  readonly used: Map<string, string>
}

/** A configuration at the end of G-code of PrusaSlicer, every line a comment. */
function configurationIn (text: string): string {
  const [, block] = /^; prusaslicer_config = begin$(.*?)^; prusaslicer_config = end$/ms.exec(text) ?? []
  return block === undefined ? text : block.replaceAll(/^; /gm, '')
}

function sectionsOf (text: string): Sections {
  const lines = configurationIn(text).split(/\r?\n/)
  if (lines.length > MOST_LINES) throw new BadInput(`The file has more than ${MOST_LINES} lines`)
  const sections: Sections = { flat: new Map(), presets: new Map(), used: new Map() }
  let section: Map<string, string> | undefined = sections.flat
  for (const line of lines) {
    const [, title] = /^\[(.{1,200})\]\s*$/.exec(line) ?? []
    if (title !== undefined) {
      section = title === 'presets' ? sections.used : KINDS.some(kind => title.startsWith(`${kind}:`)) ? new Map() : undefined
      if (section && section !== sections.used) sections.presets.set(title, section)
      continue
    }
    const [, key = '', value = ''] = /^([^=#;\s]+)\s*=\s*(.*)$/.exec(line) ?? []
    if (!KEY.test(key)) continue
    if (value.length > LONGEST_VALUE) throw new BadInput(`${key} is longer than ${LONGEST_VALUE} characters`)
    section?.set(key, value.trim())
  }
  return sections
}

const namesOf = (presets: Sections['presets'], kind: Kind): string[] => [...presets.keys()]
  .filter(title => title.startsWith(`${kind}:`)).map(title => title.slice(kind.length + 1))

/** A list of parents, which may be quoted. */
const parentsIn = (text: string): string[] =>
  text.split(';').map(name => name.trim().replace(/^"(.*)"$/, '$1')).filter(name => name !== '')

/** Names in an error, the first few of them. */
export const listed = (names: readonly string[]): string =>
  names.slice(0, MOST_NAMED).join(', ') + (names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '')

/** The preset of a kind that is meant. @throws PRN_ERR_BAD_INPUT with the names that there are */
function chosenName ({ presets, used }: Sections, kind: Kind, wanted: string | undefined): string {
  const names = namesOf(presets, kind).filter(name => !/^\*.*\*$/.test(name)) // those in asterisks are parents only
  const name = wanted ?? used.get(kind) ?? (names.length === 1 ? names[0] : undefined)
  if (name !== undefined && names.includes(name)) return name
  if (names.length === 0) throw new BadInput(`The file has no ${kind} preset. Export a whole configuration, or a bundle`)
  const which = wanted === undefined ? `The file has several ${kind} presets` : `There is no ${kind} preset '${wanted}'`
  throw new BadInput(`${which}; name one: ${listed(names)}`)
}

interface Resolved { readonly settings: Map<string, string>, readonly missing: readonly string[] }

/**
 * A preset with what it inherits, the nearest last.
 * @throws PRN_ERR_BAD_INPUT for presets that inherit each other, or more than anybody's presets do
 */
function resolve (presets: Sections['presets'], kind: Kind, wanted: string): Resolved {
  let lookups = 0
  const from = (name: string, below: readonly string[]): Resolved => {
    if (below.includes(name)) throw new BadInput(`The ${kind} presets ${listed([...below, name])} inherit each other`)
    if (++lookups > MOST_LOOKUPS) throw new BadInput(`The ${kind} preset '${wanted}' has more than ${MOST_LOOKUPS} parents`)
    const own = presets.get(`${kind}:${name}`)
    if (own === undefined) return { settings: new Map(), missing: [name] }
    const parents = parentsIn(own.get('inherits') ?? '').map(parent => from(parent, [...below, name]))
    const settings = new Map([...parents.flatMap(({ settings }) => [...settings]), ...own])
    if (settings.size > MOST_SETTINGS) throw new BadInput(`The ${kind} preset '${name}' has more than ${MOST_SETTINGS} settings`)
    return { settings, missing: parents.flatMap(({ missing }) => missing) }
  }
  return from(wanted, [])
}

/** Without these, nothing can be said of what a configuration does. */
const REQUIRED = ['bed_shape', 'nozzle_diameter', 'start_gcode', 'layer_height', 'filament_type', 'temperature']

/**
 * Reads a configuration of PrusaSlicer: one that was exported as a whole, the end of its G-code, or three presets of a
 * bundle with what they inherit.
 * @throws PRN_ERR_BAD_INPUT that names what is missing
 */
export function readConfiguration (text: string, names: PresetNames = {}): Settings {
  const sections = sectionsOf(text)
  const chosen = sections.presets.size === 0
    ? [{ settings: sections.flat, missing: [] }]
    : KINDS.map(kind => resolve(sections.presets, kind, chosenName(sections, kind, names[kind])))
  const settings = new Map(chosen.flatMap(({ settings }) => [...settings]))
  const lacks = REQUIRED.filter(key => !settings.has(key))
  if (lacks.length > 0) {
    const missing = chosen.flatMap(({ missing }) => missing)
    if (lacks.length === REQUIRED.length && missing.length === 0) {
      throw new BadInput('This is not a configuration of PrusaSlicer: export one with File, Export, Export Config')
    }
    throw new BadInput(`The configuration lacks ${lacks.join(', ')}` + (missing.length === 0
      ? ''
      : `: it builds on ${listed(missing.map(name => `'${name}'`))}, which the file does not have. Export the whole configuration`))
  }
  return Object.fromEntries(settings)
}
