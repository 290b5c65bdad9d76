import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Static, TObject } from 'typebox'
import type { Emitter } from '../util/emitter.js'
import { unknownName } from '../util/validate.js'
import type { PortPool } from './ports.js'
import type { PrinterRegistry } from './registry.js'
import type { Contributions, Events, Kernel, PluginManifest, Services } from './types.js'

export type Contributed = { readonly [K in keyof Contributions]?: readonly Contributions[K][] }

/** Everything plugins contribute to a list, in the order of the plugins. */
export type ContributedLists = <K extends keyof Contributions>(kind: K) => readonly Contributions[K][]

export interface PluginSpec<T extends TObject = TObject, O extends keyof Services = keyof Services>
  extends PluginManifest {
  /** Services it can do without. Plugins that provide them are set up before this one when they are loaded. */
  optional?: readonly O[]
  /** Schema of its options: defaults are filled in, unknown keys refused, the result frozen. */
  options?: T
  /**
   * The schema of its options together with what others contribute to them, such as the options of a kind of message
   * target. It tells which of them are secret; `options` alone is what is checked.
   */
  completeOptions?: (contributed: ContributedLists) => TObject
  /** Evaluated before any plugin is set up: services are there when what is contributed is used, not earlier. */
  contributes?: Contributed | ((options: Static<T>, services: Readonly<Services>) => Contributed)
  /** Surfaces turn it off: their parsers and error handler are for everyone. @default true */
  encapsulate?: boolean
  setup?: (context: PluginContext<Static<T>, O>) => Promise<void> | void
}
export interface Plugin<T extends TObject = TObject, O extends keyof Services = any>
  extends Readonly<PluginSpec<T, O>> {}

/** The compiler keeps it complete. */
const MEMBERS = {
  name: true,
  version: true,
  kernel: true,
  description: true,
  needs: true,
  optional: true,
  provides: true,
  uses: true,
  options: true,
  completeOptions: true,
  contributes: true,
  encapsulate: true,
  setup: true
} satisfies Record<keyof PluginSpec, true>

/** What is misspelt in a plugin: such a member would do nothing. */
export const misspeltIn = (plugin: object): string | undefined =>
  unknownName('member', Object.keys(plugin), Object.keys(MEMBERS))

/**
 * Declares a plugin. The value can be read, checked and documented without running anything.
 * @throws TypeError for a member that plugins do not have
 */
export function definePlugin<T extends TObject = TObject, const O extends keyof Services = never> (
  spec: PluginSpec<T, O>): Plugin<T> {
  const problem = misspeltIn(spec)
  if (problem !== undefined) throw new TypeError(`Plugin '${spec.name}': ${problem}`)
  return Object.freeze(spec) as Plugin<T>
}

export interface PluginContext<T = object, O extends keyof Services = keyof Services> {
  /** This plugin's own fastify scope: raw routes, hooks, parsers. */
  readonly app: FastifyInstance
  readonly options: Readonly<T>
  readonly log: FastifyBaseLogger
  readonly kernel: Kernel
  readonly printers: PrinterRegistry
  readonly ports: PortPool
  readonly events: Emitter<Events>
  readonly services: Readonly<Services>
  /** Services that it declares as optional; undefined where no loaded plugin provides them. */
  readonly optional: Readonly<Partial<Pick<Services, O>>>
  /** Aborted when shutdown begins. */
  readonly signal: AbortSignal
  /** A folder of its own below the data directory, made on first use. */
  folder (): Promise<string>
  /** @throws PRN_ERR_DUPLICATE */
  provide<K extends keyof Services> (name: K, service: Services[K]): void
  /** Everything all plugins contribute to a list, in the order of the plugins. */
  readonly contributed: ContributedLists
  /** Runs after every plugin is set up, before the service answers. */
  onReady (fn: () => Promise<void> | void): void
  /** Runs at shutdown, later plugins first; a failure is logged and passed over. */
  onClose (fn: () => Promise<void> | void): void
}

export type AnyPlugin = Plugin<any, any>

/** A plugin, a plugin with options, or a list of them; falsy entries are left out. */
export type PluginEntry =
  | AnyPlugin | readonly [plugin: AnyPlugin, options: object] | readonly PluginEntry[] | false | null | undefined

/** A named list of plugins: an application. */
export interface Preset { readonly name: string, readonly plugins: PluginEntry }
export const definePreset = (preset: Preset): Preset => Object.freeze(preset)
