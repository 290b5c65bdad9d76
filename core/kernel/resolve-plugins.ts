import type { TObject } from 'typebox'
import { BadConfig, Duplicate, PluginCycle, PluginLoad, PluginMissing, PluginOptions, PluginVersion } from '../errors.js'
import { closestMatch } from '../util/closest-match.js'
import { freeze } from '../util/freeze.js'
import { validationError } from '../util/validate.js'
import { declarationProblem, type AnyPlugin, type PluginEntry } from './plugin.js'
import { createStoredSettings, type ManagedSettings } from './stored-settings.js'
import { isRange, satisfies, VERSION } from './version.js'

/** A plugin with its options as configured. */
export interface ChosenPlugin { readonly plugin: AnyPlugin, readonly options: object }

/** A plugin with its validated options, and its settings, which are loaded when it is set up. */
export interface ResolvedPlugin extends ChosenPlugin { readonly settings: ManagedSettings }

const isList = (entry: PluginEntry | object): entry is readonly PluginEntry[] => Array.isArray(entry)

const isPlugin = (entry: unknown): entry is AnyPlugin => {
  const { name, kernel } = (entry ?? {}) as { name?: unknown, kernel?: unknown }
  return typeof name === 'string' && typeof kernel === 'string'
}

function flatten (entry: PluginEntry): ChosenPlugin[] {
  if (!entry) return []
  if (!isList(entry)) return [{ plugin: entry as AnyPlugin, options: {} }]
  const [first, second] = entry as readonly unknown[]
  const withOptions = entry.length === 2 && isPlugin(first) && typeof second === 'object' && second !== null &&
    !isList(second) && !isPlugin(second)
  return withOptions ? [{ plugin: first, options: second }] : entry.flatMap(flatten)
}

export const pluginsOf = (entries: PluginEntry): readonly AnyPlugin[] => flatten(entries).map(({ plugin }) => plugin)

/** Names of the plugins in a preset. */
export const pluginNames = (entries: PluginEntry): ReadonlySet<string> =>
  new Set(pluginsOf(entries).map(({ name }) => name))

/**
 * Resolves a preset to its plugins in order: lists are flattened, configured options override the preset's, ranges and
 * options are validated, and needed plugins precede those that need them.
 * @param configured options by name of a plugin in the preset; `false` omits it
 * @param outside plugins that the configuration adds after the preset's, with their options
 * @throws PRN_ERR_PLUGIN_LOAD, PRN_ERR_PLUGIN_VERSION, PRN_ERR_PLUGIN_OPTIONS, PRN_ERR_PLUGIN_MISSING,
 * PRN_ERR_PLUGIN_CYCLE, PRN_ERR_DUPLICATE
 */
export function resolvePlugins (entries: PluginEntry, configured: Readonly<Record<string, object | false>> = {},
  outside: readonly ChosenPlugin[] = []): readonly ResolvedPlugin[] {
  const own = switchedOn(flatten(entries), configured)
    .map(({ plugin, options }) => ({ plugin, options: { ...options, ...configured[plugin.name] as object } }))
  const chosen = [...own, ...outside]
  checkUnique(chosen)
  return inOrder(chosen.map(({ plugin, options }) => {
    const problem = declarationProblem(plugin)
    if (problem !== undefined) throw new PluginLoad(plugin.name, problem).with({ plugins: [plugin.name] })
    if (!isRange(plugin.kernel) || !satisfies(plugin.kernel)) {
      throw new PluginVersion(plugin.name, plugin.kernel, VERSION).with({ plugins: [plugin.name] })
    }
    const settings = createStoredSettings(plugin.name, plugin.settings)
    return { plugin, options: checkOptions(plugin, options), settings }
  }), needed => configured[needed] === false ? switchedOff(needed, chosen) : 'which is not loaded')
}

/** What to do about a plugin that others need. */
function switchedOff (needed: string, chosen: readonly ChosenPlugin[]): string {
  const without = new Set([needed])
  for (let found = 0; found !== without.size;) {
    found = without.size
    for (const { plugin: { name, needs = [] } } of chosen) if (needs.some(need => without.has(need))) without.add(name)
  }
  without.delete(needed)
  return `which the configuration switches off. Remove "${needed}": false, or switch these off as well: ` +
    [...without].join(', ')
}

/** Without those that the configuration switches off, and those that leave with what they need. */
function switchedOn (preset: readonly ChosenPlugin[], configured: Readonly<Record<string, object | false>>):
readonly ChosenPlugin[] {
  const off = new Set(preset.map(({ plugin }) => plugin.name).filter(name => configured[name] === false))
  for (let found = -1; found !== off.size;) {
    found = off.size
    for (const { plugin: { name, needs = [], leavesWithNeeds } } of preset) {
      if (leavesWithNeeds === true && needs.some(needed => off.has(needed))) off.add(name)
    }
  }
  return preset.filter(({ plugin: { name } }) => !off.has(name))
}

function checkUnique (plugins: readonly ChosenPlugin[]): void {
  const names = new Map<string, AnyPlugin>()
  for (const { plugin } of plugins) {
    const first = names.get(plugin.name)
    if (first) {
      throw new Duplicate(`Plugin '${plugin.name}'`, versioned(first), versioned(plugin)).with({ plugins: [plugin.name] })
    }
    names.set(plugin.name, plugin)
  }
}

const versioned = ({ name, version }: AnyPlugin) => `${name}@${version}`

const NO_OPTIONS = {}
const strictSchemas = new WeakMap<object, TObject>()

/** Returns the same object each time, so that a schema is compiled once. */
function strictOf (schema: object): TObject {
  const known = strictSchemas.get(schema)
  if (known) return known
  const strict = { type: 'object', properties: {}, ...schema, additionalProperties: false } as unknown as TObject
  strictSchemas.set(schema, strict)
  return strict
}

function checkOptions ({ name, options: schema = NO_OPTIONS }: AnyPlugin, given: object): object {
  const { options, problem } = checked(strictOf(schema), given)
  if (problem !== undefined) throw new PluginOptions(name, problem).with({ plugins: [name] })
  return freeze(options)
}

/** An invalid schema, or code in options, is an error of the plugin's author and must name the plugin. */
function checked (schema: TObject, given: object): { options: object, problem: string | undefined } {
  try {
    const options = structuredClone(given)
    return { options, problem: validationError(schema, options) }
  } catch (error) {
    return { options: given, problem: (error as Error).message }
  }
}

/** In the given order, except that needed plugins come first. */
function inOrder (plugins: readonly ResolvedPlugin[],
  whyMissing: (needed: string) => string): readonly ResolvedPlugin[] {
  const byName = new Map(plugins.map(entry => [entry.plugin.name, entry]))
  const ordered = new Set<ResolvedPlugin>()
  const visit = (entry: ResolvedPlugin, path: readonly string[]) => {
    const { name, needs = [] } = entry.plugin
    if (ordered.has(entry)) return
    if (path.includes(name)) {
      const circle = path.slice(path.indexOf(name))
      throw new PluginCycle([...circle, name].join(' → ')).with({ plugins: circle })
    }
    for (const needed of needs) {
      const found = byName.get(needed)
      if (!found) throw new PluginMissing(name, needed, whyMissing(needed)).with({ plugins: [name] })
      visit(found, [...path, name])
    }
    ordered.add(entry)
  }
  for (const entry of plugins) visit(entry, [])
  return [...ordered]
}

/**
 * The setup order of resolved plugins: providers of optional services come first too, unless they need, directly or
 * indirectly, the plugin that wants them. If two can use each other's services, the one listed first waits.
 */
export function setupOrder (plugins: readonly ResolvedPlugin[]): readonly ResolvedPlugin[] {
  const byName = new Map(plugins.map(entry => [entry.plugin.name, entry]))
  const providers = new Map(plugins.flatMap(entry =>
    (entry.plugin.provides ?? []).map(service => [String(service), entry] as const)))
  const neededBy = ({ plugin: { needs = [] } }: ResolvedPlugin) => needs.flatMap(name => byName.get(name) ?? [])
  const needsAny = (entry: ResolvedPlugin, waiting: ReadonlySet<ResolvedPlugin>): boolean =>
    waiting.has(entry) || neededBy(entry).some(needed => needsAny(needed, waiting))
  const ordered = new Set<ResolvedPlugin>()
  const visit = (entry: ResolvedPlugin, path: ReadonlySet<ResolvedPlugin>) => {
    if (ordered.has(entry)) return
    const waiting = new Set([...path, entry])
    for (const needed of neededBy(entry)) visit(needed, waiting)
    for (const service of entry.plugin.optional ?? []) {
      const provider = providers.get(String(service))
      if (provider && !needsAny(provider, waiting)) visit(provider, waiting)
    }
    ordered.add(entry)
  }
  for (const entry of plugins) visit(entry, new Set())
  return [...ordered]
}

/** @throws PRN_ERR_CONFIG for a configured name that is neither loaded nor can be */
export function checkConfigured (configured: Readonly<Record<string, object | false>>,
  known: ReadonlySet<string>): void {
  for (const [name, value] of Object.entries(configured)) {
    if (value !== false || known.has(name)) continue
    const close = closestMatch(name, [...known])
    throw new BadConfig(`plugins.${name}: there is no such plugin to disable` +
      (close === undefined ? '' : `; did you mean '${close}'?`))
  }
}
