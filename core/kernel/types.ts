// The kernel and its parts refer to each other: their types stand in one file, so that no two files import each other.
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import type { AnyErrorClass, ServiceError } from '../errors.js'
import type { HmsCatalogue } from '../printer/hms/index.js'
import type { PrinterSession } from '../printer/types.js'
import type { Emitter } from '../util/emitter.js'
import type { Pins } from './certificate-pins.js'
import type { Config } from './config.js'
import type { Connections } from './connections.js'
import type { Logs } from './log.js'
import type { PluginFaults } from './plugin-faults.js'
import type { PortPool } from './ports.js'
import type { PrinterRegistry } from './registry.js'

/** Things plugins give each other, by name. Extended with `declare module 'prnd'`. */
export interface Services {}

/** Lists that plugins add to. Extended with `declare module 'prnd'`. */
export interface Contributions {}

/** Operations that other plugins call by their names. Extended with `declare module 'prnd'`. */
export interface Operations {}

/** Moments that plugins listen to. Extended with `declare module 'prnd'`. */
export interface Events {
  /** A printer has a session: at the start, and when it was added or begun anew. */
  'printer:added': [session: PrinterSession]
  /** A session has ended; the printer may still be configured. */
  'printer:removed': [name: string]
  /** A printer is no longer configured. */
  'printer:forgotten': [name: string]
  /** An operation that acts on a printer (`write` or `destructive`) has succeeded, whoever called it. */
  'operation:done': [done: OperationDone]
  /** Such an operation was refused or failed. */
  'operation:failed': [failed: OperationDone, error: unknown]
  /** A plugin from outside is left out, or a part of it fails: once in ten minutes, and when it is disabled. */
  'plugin:failed': [problem: PluginProblem]
}

/** Who had an operation done, and by which way. */
export interface OperationDone {
  readonly operation: string
  /** Undefined for an operation of the service as a whole. */
  readonly printer: string | undefined
  /** `http`, `mcp` or that of another plugin; undefined from inside the service. */
  readonly surface: string | undefined
  readonly caller: Caller | undefined
  /** Another service for which it was done, in words. */
  readonly via?: string | undefined
  /** When it was called, ms since the epoch. */
  readonly calledAt: number
}

/** What a plugin touches; shown to the operator, not a sandbox. */
export type DeclaredAccess = 'commands' | 'files' | 'camera' | 'network' | 'disk'

/** What a plugin says of itself. */
export interface PluginManifest {
  /** Short and unique; prefix of its operations and log lines. */
  name: string
  version: string
  /** Range of kernel versions it works with, such as `^2.0.0`. */
  kernel: string
  description?: string
  /** Plugins that must be loaded, and are set up, before this one. */
  needs?: readonly string[]
  provides?: readonly (keyof Services)[]
  uses?: readonly DeclaredAccess[]
  options?: TObject
}

/** A plugin that the configuration adds. */
export interface OutsidePlugin {
  /** What the configuration calls it: a package or a path. */
  readonly reference: string
  readonly plugin: Readonly<PluginManifest>
}

/** One that is left out, so that the service can run without it. */
export interface SkippedPlugin {
  readonly reference: string
  /** Its own name; the reference where it could not be loaded. */
  readonly plugin: string
  readonly error: ServiceError
}

/** What is wrong with a plugin from outside, for those who run the service. */
export interface PluginProblem {
  readonly plugin: string
  /** What of it fails, such as `route 'GET /glow'`; null where the plugin is left out as a whole. */
  readonly part: string | null
  readonly message: string
  /** It is not called now. */
  readonly disabled: boolean
}

/** How long the parts of plugins may take, ms. */
export interface Limits {
  readonly setup: number
  readonly ready: number
  readonly close: number
  /** One call of an operation of a plugin that did not come with the application. */
  readonly call: number
}

export interface Kernel {
  readonly version: string
  readonly preset: string
  readonly app: FastifyInstance
  readonly config: Config
  readonly configFile: string
  readonly dataDir: string
  readonly printers: PrinterRegistry
  readonly ports: PortPool
  /** Port the API is bound to; 0 while it is not. */
  readonly apiPort: number
  /** Shared with those who may read the data folder; undefined while the API is not bound. */
  readonly folderKey: string | undefined
  /** Everything is set up and shutdown has not begun. Printers that are switched off do not matter. */
  readonly ready: boolean
  readonly events: Emitter<Events>
  readonly services: Readonly<Services>
  /** Services that may be missing; read them when they are used. */
  readonly optional: Readonly<Partial<Services>>
  readonly plugins: ReadonlyMap<string, Readonly<PluginManifest>>
  /** Those of them that the configuration adds. */
  readonly outside: readonly OutsidePlugin[]
  /** Plugins that the configuration adds and that are left out, each with its reason. */
  readonly skipped: readonly SkippedPlugin[]
  readonly operations: ReadonlyMap<string, AnyOperation>
  /** An operation of another plugin, for `call`; undefined where that plugin is not part of the service. */
  operation<Name extends keyof Operations>(name: Name): Operations[Name] | undefined
  readonly logs: Logs
  readonly hms: HmsCatalogue
  /** Certificates learned at first contact. */
  readonly pins: Pins
  readonly signal: AbortSignal
  readonly now: () => number
  /** Masks every secret the service knows. */
  readonly redact: (text: string) => string
  /** From now on this text is masked wherever it would appear. */
  maskSecret (secret: string): void
  contributed<K extends keyof Contributions> (kind: K): readonly Contributions[K][]
  /** Name of the plugin that contributed a value, or the operation behind it. */
  originOf (contribution: object): string | undefined
  /** What a plugin contributes, by list. */
  contributionsOf (plugin: string): Readonly<Record<string, readonly object[]>>
  /** All that the service connects to besides printers. */
  readonly connections: Connections
  /** Keeps faults of plugins to their plugins. */
  readonly pluginFaults: PluginFaults
  /** How long the parts of plugins may take. */
  readonly limits: Limits
  /** The one path every surface takes: access, input check, printer, guards, run. */
  call<Op extends AnyOperation> (operation: Op, input: InputOf<Op>, options?: CallOptions): Promise<OutputOf<Op>>
  /**
   * Sets everything up; with `listen` false the API is reachable only through `app.inject`. When it fails, `close`
   * ends what had begun.
   * @throws PRN_ERR_FOLDER_IN_USE, PRN_ERR_PLUGIN_SETUP, PRN_ERR_PORTS_EXHAUSTED, PRN_ERR_PORT_TAKEN,
   * PRN_ERR_SHUTTING_DOWN when closed meanwhile
   */
  start (options?: { listen?: boolean }): Promise<void>
  /** Ends everything, in any state, and never rejects. A closed kernel cannot be started again. */
  close (): Promise<void>
}

/**
 * Who may use something: whoever reaches the service over the network, or only programs on this machine and those
 * that have shown the token.
 */
export type AccessLevel = 'network' | 'trusted'

/** Reading; also printing and whatever else acts; also what touches the host or what the service trusts. */
export type Role = 'view' | 'operate' | 'administrate'

/** What a person or a key may do, found out by a plugin that knows people. */
export interface Rights {
  /** Who it is, for records. */
  readonly name: string
  /** The same for as long as it is the same person or key, and never used again; left out: the name. */
  readonly id?: string
  readonly role: Role
  /** The only printers that exist for this caller; undefined: all. */
  readonly printers: ReadonlySet<string> | undefined
}

/** Where a call comes from, as the surface that took it has found out; of a person or key, what it may do. */
export type Caller = 'local' | 'token' | 'network' | Rights

export interface CallOptions {
  /** Name of the printer; the default printer when left out. */
  readonly printer?: string | undefined
  /** Aborted when the caller went away. */
  readonly signal?: AbortSignal | undefined
  readonly progress?: Progress
  readonly log?: FastifyBaseLogger
  /** Where the call comes from; every surface must tell. Left out: from inside the service. */
  readonly caller?: Caller | undefined
  /** Host and port as a caller from another machine wrote them, checked by the surface. */
  readonly host?: string | undefined
  /** Another service that asks for it, in words for the record. */
  readonly via?: string | undefined
  /** Name of the plugin that took the call, such as `http`. Left out: from inside the service. */
  readonly surface?: string
}

/** What an operation does to the world: nothing, to our own files, to the printer, or beyond repair. */
export type Effect = 'read' | 'local' | 'write' | 'destructive'
export type Scope = 'printer' | 'daemon'

/** Reports how far long work has come; surfaces pass it on to whoever asked. */
export type Progress = (done: number, total?: number, message?: string) => void

export interface DaemonContext {
  readonly kernel: Kernel
  readonly services: Readonly<Services>
  /** Services that may be missing; the operation's plugin names those it reads in its `optional`. */
  readonly optional: Readonly<Partial<Services>>
  readonly log: FastifyBaseLogger
  /** Aborted at shutdown and when the caller went away. */
  readonly signal: AbortSignal
  readonly progress: Progress
  /** The caller is on this machine, has shown the token, or is trusted by the configuration. */
  readonly trusted: boolean
  /** Where the call comes from, or whose it is; undefined from inside. */
  readonly caller: Caller | undefined
  /** Whether the caller may know of a printer. */
  sees (printer: string): boolean
  /** Who asks and by which way, for records: `http (local)`, `mcp (token)`, `http (anna)`; `service` from inside. */
  readonly askedBy: string
  /** How the caller reaches this service: `http://HOST:PORT` without a slash at the end. */
  readonly baseUrl: string
}
export interface PrinterContext extends DaemonContext { readonly session: PrinterSession }
export type ContextOf<S extends Scope> = S extends 'printer' ? PrinterContext : DaemonContext

/** A precondition shared by every face of the operations that list it; throws or rejects when it does not hold. */
export type Guard = (context: PrinterContext, operation: AnyOperation) => void | Promise<void>

/** A service of a fleet, as a hub asks it for an operation. */
export interface AskedService<I, O> {
  /** Such as `hall-2/node-a`. */
  readonly name: string
  readonly reachable: boolean
  /** @throws the error of the operation; that it cannot be reached */
  ask (input: I): Promise<O>
}

export interface OperationSpec<S extends Scope, I extends TObject, O extends TSchema> {
  /** `feature.verbNoun`. */
  name: string
  summary: string
  effect: Effect
  /** @default 'printer'; a 'daemon' operation has no session in its context */
  scope?: S
  /** What the user must agree to; required for write and destructive. */
  consequence?: string
  /**
   * `trusted` for what touches the host or what the service trusts: its files, addresses and codes, configuration,
   * plugins, logs. Without a token it then answers only this machine.
   * @default 'network'
   */
  access?: AccessLevel
  /** It concerns this service as well, such as a port of it: it runs here wherever the printer's connection is held. */
  runsHere?: boolean
  /** Kept in the record of who did what. @default of everything that needs consent, and of nothing else */
  record?: boolean
  /** Of a 'daemon' operation that concerns one configured printer: it runs at the service that has that printer. */
  concerns?: (input: Static<I>) => string
  /** Of a 'daemon' operation: how a hub of a fleet makes the answer of those of the services with printers. */
  atHub?: (services: readonly AskedService<Static<I>, Static<O>>[], input: Static<I>) => Promise<Static<O>>
  input: I
  output: O
  guards?: readonly Guard[]
  /** Those it throws beside the common ones; for the reference. */
  errors?: readonly AnyErrorClass[]
  run (context: ContextOf<S>, input: Static<I>): Promise<Static<O>> | Static<O>
}

export interface Operation<S extends Scope = Scope, I extends TObject = TObject, O extends TSchema = TSchema>
  extends Readonly<Omit<OperationSpec<S, I, O>, 'run' | 'scope'>> {
  readonly scope: S
  run (context: ContextOf<S>, input: Static<I>): Promise<Static<O>> | Static<O>
}

export type AnyOperation = Operation<any, any, any>
export type InputOf<Op extends AnyOperation> = Static<Op['input']>
export type OutputOf<Op extends AnyOperation> = Static<Op['output']>
