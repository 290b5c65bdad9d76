import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Static, TObject } from 'typebox'
import type { Emitter } from '../util/emitter.js'
import { unknownName } from '../util/validate.js'
import type { PortPool } from './ports.js'
import type { PrinterRegistry } from './registry.js'
import { settingsProblem, type SettingsSpec, type StoredSettings } from './stored-settings.js'
import type { Contributions, Events, Kernel, PluginManifest, Services } from './types.js'

export type Contributed = { readonly [K in keyof Contributions]?: readonly Contributions[K][] }

/** All contributions to a list, in the order of the plugins. */
export type ContributedLists = <K extends keyof Contributions>(kind: K) => readonly Contributions[K][]

export interface PluginSpec<T extends TObject = TObject, O extends keyof Services = keyof Services,
  S extends TObject = any> extends PluginManifest {
  /** Services it can work without. Loaded plugins that provide them are set up first. */
  optional?: readonly O[]
  /** Schema of its options: defaults are filled in, unknown keys are refused, the result is frozen. */
  options?: T
  /**
   * The schema of its options including what other plugins contribute to them, such as the options of a kind of message
   * target. It declares which of them are secret; validation uses `options` alone.
   */
  completeOptions?: (contributed: ContributedLists) => TObject
  /** Values that users change on the settings page while the service runs. */
  settings?: SettingsSpec<S>
  /**
   * Evaluated before any plugin is set up: services and settings are available when contributions are used, not
   * earlier.
   */
  contributes?: Contributed |
    ((options: Static<T>, services: Readonly<Services>, settings: StoredSettings<Static<S>>) => Contributed)
  /** Disabled by surfaces, whose parsers and error handler apply to all plugins. @default true */
  encapsulate?: boolean
  setup?: (context: PluginContext<Static<T>, O, Static<S>>) => Promise<void> | void
}
export interface Plugin<T extends TObject = TObject, O extends keyof Services = any, S extends TObject = any>
  extends Readonly<PluginSpec<T, O, S>> {}

/** Typed so that it must list all members. */
const MEMBERS = {
  name: true,
  version: true,
  kernel: true,
  description: true,
  needs: true,
  leavesWithNeeds: true,
  optional: true,
  provides: true,
  uses: true,
  options: true,
  completeOptions: true,
  settings: true,
  contributes: true,
  encapsulate: true,
  setup: true
} satisfies Record<keyof PluginSpec, true>

/** A misspelt member of a plugin, which would have no effect, or settings that cannot be shown. */
export const declarationProblem = (plugin: object): string | undefined =>
  unknownName('member', Object.keys(plugin), Object.keys(MEMBERS)) ??
  ('settings' in plugin && plugin.settings !== undefined ? settingsProblem(plugin.settings) : undefined)

/**
 * Declares a plugin. The value can be inspected, validated and documented without running anything.
 * @throws TypeError for an unknown member, and for settings that cannot be shown
 */
export function definePlugin<T extends TObject = TObject, const O extends keyof Services = never,
  S extends TObject = TObject> (spec: PluginSpec<T, O, S>): Plugin<T> {
  const problem = declarationProblem(spec)
  if (problem !== undefined) throw new TypeError(`Plugin '${spec.name}': ${problem}`)
  return Object.freeze(spec) as Plugin<T>
}

export interface PluginContext<T = object, O extends keyof Services = keyof Services, S = object> {
  /** This plugin's own fastify scope, for raw routes, hooks and parsers. */
  readonly app: FastifyInstance
  readonly options: Readonly<T>
  /** The values of its declared settings. */
  readonly settings: StoredSettings<S>
  readonly log: FastifyBaseLogger
  readonly kernel: Kernel
  readonly printers: PrinterRegistry
  readonly ports: PortPool
  readonly events: Emitter<Events>
  readonly services: Readonly<Services>
  /** Its optional services; undefined if no loaded plugin provides them. */
  readonly optional: Readonly<Partial<Pick<Services, O>>>
  /** Aborted when shutdown begins. */
  readonly signal: AbortSignal
  /** A folder of its own below the data directory, made on first use. */
  folder (): Promise<string>
  /** @throws PRN_ERR_DUPLICATE */
  provide<K extends keyof Services> (name: K, service: Services[K]): void
  /** All contributions to a list, in the order of the plugins. */
  readonly contributed: ContributedLists
  /** Called when all plugins are set up, before the service accepts requests. */
  onReady (fn: () => Promise<void> | void): void
  /** Called at shutdown, later plugins first; failures are logged and ignored. */
  onClose (fn: () => Promise<void> | void): void
}

export type AnyPlugin = Plugin<any, any>

/** A plugin, a plugin with options, or a list of them; falsy entries are ignored. */
export type PluginEntry =
  | AnyPlugin | readonly [plugin: AnyPlugin, options: object] | readonly PluginEntry[] | false | null | undefined

/** A named list of plugins: an application. */
export interface Preset { readonly name: string, readonly plugins: PluginEntry }
export const definePreset = (preset: Preset): Preset => Object.freeze(preset)
