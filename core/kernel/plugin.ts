import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Static, TObject } from 'typebox'
import type { Emitter } from '../util/emitter.js'
import { BadConfig, Duplicate, PluginCycle, PluginMissing, PluginOptions, PluginVersion } from '../errors.js'
import { freeze } from '../util/freeze.js'
import type { Kernel } from './kernel.js'
import type { Route, Tool } from './operation.js'
import type { PortPool } from './ports.js'
import type { PrinterRegistry } from './registry.js'
import type { PrinterSession } from '../printer/types.js'
import { closestMatch } from '../util/did-you-mean.js'
import { validationError } from '../util/validate.js'
import { isRange, satisfies, VERSION } from './version.js'

/** Things plugins give each other, by name. Extended with `declare module 'prn'`. */
export interface Services {}

/** Lists that plugins add to. Extended with `declare module 'prn'`. */
export interface Contributions {
  routes: Route
  tools: Tool
}

/** Moments that plugins listen to. Extended with `declare module 'prn'`. */
export interface Events {
  /** A printer has a session: at the start, and when it was added or begun anew. */
  'printer:added': [session: PrinterSession]
  /** A session has ended; the printer may still be configured. */
  'printer:removed': [name: string]
  /** A printer is no longer configured. */
  'printer:forgotten': [name: string]
}

export type Contributed = { readonly [K in keyof Contributions]?: readonly Contributions[K][] }

/** What a plugin touches; shown to the operator, not a sandbox. */
export type DeclaredAccess = 'commands' | 'files' | 'camera' | 'network' | 'disk'

export interface PluginSpec<T extends TObject = TObject> {
  /** Short and unique; prefix of its operations and log lines. */
  name: string
  version: string
  /** Range of kernel versions it works with, such as `^1.0.0`. */
  kernel: string
  description?: string
  /** Plugins that must be loaded, and are set up, before this one. */
  needs?: readonly string[]
  provides?: readonly (keyof Services)[]
  uses?: readonly DeclaredAccess[]
  /** Schema of its options: defaults are filled in, unknown keys refused, the result frozen. */
  options?: T
  contributes?: Contributed | ((options: Static<T>) => Contributed)
  /** Surfaces turn it off: their parsers and error handler are for everyone. @default true */
  encapsulate?: boolean
  setup?: (context: PluginContext<Static<T>>) => Promise<void> | void
}
export interface Plugin<T extends TObject = TObject> extends Readonly<PluginSpec<T>> {}

/** Declares a plugin. The value can be read, checked and documented without running anything. */
export const definePlugin = <T extends TObject = TObject> (spec: PluginSpec<T>): Plugin<T> => Object.freeze(spec)

export interface PluginContext<T = object> {
  /** This plugin's own fastify scope: raw routes, hooks, parsers. */
  readonly app: FastifyInstance
  readonly options: Readonly<T>
  readonly log: FastifyBaseLogger
  readonly kernel: Kernel
  readonly printers: PrinterRegistry
  readonly ports: PortPool
  readonly events: Emitter<Events>
  readonly services: Readonly<Services>
  /** Aborted when shutdown begins. */
  readonly signal: AbortSignal
  /** A folder of its own below the data directory, made on first use. */
  folder (): Promise<string>
  /** @throws PRN_ERR_DUPLICATE */
  provide<K extends keyof Services> (name: K, service: Services[K]): void
  /** Everything all plugins contribute to a list, in the order of the plugins. */
  contributed<K extends keyof Contributions> (kind: K): readonly Contributions[K][]
  /** Runs after every plugin is set up, before the service answers. */
  onReady (fn: () => Promise<void> | void): void
  /** Runs at shutdown, later plugins first; a failure is logged and passed over. */
  onClose (fn: () => Promise<void> | void): void
}

export type AnyPlugin = Plugin<any>

/** A plugin, a plugin with options, or a list of them; falsy entries are left out. */
export type PluginEntry =
  | AnyPlugin | readonly [plugin: AnyPlugin, options: object] | readonly PluginEntry[] | false | null | undefined

/** A named list of plugins: an application. */
export interface Preset { readonly name: string, readonly plugins: PluginEntry }
export const definePreset = (preset: Preset): Preset => Object.freeze(preset)

/** A plugin with its checked options. */
export interface ArrangedPlugin { readonly plugin: AnyPlugin, readonly options: object }

const isList = (entry: PluginEntry | object): entry is readonly PluginEntry[] => Array.isArray(entry)

const isPlugin = (entry: unknown): entry is AnyPlugin => {
  const { name, kernel } = (entry ?? {}) as { name?: unknown, kernel?: unknown }
  return typeof name === 'string' && typeof kernel === 'string'
}

function flatten (entry: PluginEntry): ArrangedPlugin[] {
  if (!entry) return []
  if (!isList(entry)) return [{ plugin: entry as AnyPlugin, options: {} }]
  const [first, second] = entry as readonly unknown[]
  const withOptions = entry.length === 2 && isPlugin(first) && typeof second === 'object' && second !== null &&
    !isList(second) && !isPlugin(second)
  return withOptions ? [{ plugin: first, options: second }] : entry.flatMap(flatten)
}

/** Names of the plugins in a preset. */
export const pluginNames = (entries: PluginEntry): ReadonlySet<string> =>
  new Set(flatten(entries).map(({ plugin }) => plugin.name))

/**
 * Turns a preset into the list of plugins to set up, in order: lists flattened, the configuration's options
 * laid over the preset's, ranges and options checked, needs before those who need them.
 * @param configured options by name of a plugin in the preset; `false` leaves it out
 * @param outside plugins that the configuration adds after the preset's, with their options
 * @throws PRN_ERR_PLUGIN_VERSION, PRN_ERR_PLUGIN_OPTIONS, PRN_ERR_PLUGIN_MISSING, PRN_ERR_PLUGIN_CYCLE,
 * PRN_ERR_DUPLICATE
 */
export function arrangePlugins (entries: PluginEntry, configured: Readonly<Record<string, object | false>> = {},
  outside: readonly ArrangedPlugin[] = []): readonly ArrangedPlugin[] {
  const own = flatten(entries)
    .filter(({ plugin }) => configured[plugin.name] !== false)
    .map(({ plugin, options }) => ({ plugin, options: { ...options, ...configured[plugin.name] as object } }))
  const chosen = [...own, ...outside]
  checkUnique(chosen)
  return inOrder(chosen.map(({ plugin, options }) => {
    if (!isRange(plugin.kernel) || !satisfies(plugin.kernel)) {
      throw new PluginVersion(plugin.name, plugin.kernel, VERSION)
    }
    return { plugin, options: checkOptions(plugin, options) }
  }))
}

function checkUnique (plugins: readonly ArrangedPlugin[]): void {
  const names = new Map<string, AnyPlugin>()
  for (const { plugin } of plugins) {
    const first = names.get(plugin.name)
    if (first) throw new Duplicate(`Plugin '${plugin.name}'`, versioned(first), versioned(plugin))
    names.set(plugin.name, plugin)
  }
}

const versioned = ({ name, version }: AnyPlugin) => `${name}@${version}`

function checkOptions ({ name, options: schema }: AnyPlugin, given: object): object {
  const strict = { type: 'object', properties: {}, ...schema, additionalProperties: false } as unknown as TObject
  const { options, problem } = checked(strict, given)
  if (problem !== undefined) throw new PluginOptions(name, problem)
  return freeze(options)
}

/** A schema that is none, or an option that is code, is the plugin author's mistake and must name the plugin. */
function checked (schema: TObject, given: object): { options: object, problem: string | undefined } {
  try {
    const options = structuredClone(given)
    return { options, problem: validationError(schema, options) }
  } catch (error) {
    return { options: given, problem: (error as Error).message }
  }
}

function inOrder (plugins: readonly ArrangedPlugin[]): readonly ArrangedPlugin[] {
  const byName = new Map(plugins.map(entry => [entry.plugin.name, entry]))
  const done = new Set<string>()
  const ordered: ArrangedPlugin[] = []
  const visit = (entry: ArrangedPlugin, path: readonly string[]) => {
    const { name, needs = [] } = entry.plugin
    if (done.has(name)) return
    if (path.includes(name)) throw new PluginCycle([...path.slice(path.indexOf(name)), name].join(' → '))
    for (const needed of needs) {
      const found = byName.get(needed)
      if (!found) throw new PluginMissing(name, needed)
      visit(found, [...path, name])
    }
    done.add(name)
    ordered.push(entry)
  }
  for (const entry of plugins) visit(entry, [])
  return ordered
}

/** @throws PRN_ERR_CONFIG for a name in the configuration that is neither loaded nor can be */
export function checkConfigured (configured: Readonly<Record<string, object | false>>,
  known: ReadonlySet<string>): void {
  for (const [name, value] of Object.entries(configured)) {
    if (value !== false || known.has(name)) continue
    const close = closestMatch(name, [...known])
    throw new BadConfig(`plugins.${name}: there is no such plugin to leave out` +
      (close === undefined ? '' : `; did you mean '${close}'?`))
  }
}
