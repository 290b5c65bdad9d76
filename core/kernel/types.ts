// The kernel and its parts refer to each other, so their types are in one file to avoid circular imports.
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import type { AnyErrorClass, ServiceError } from '../errors.js'
import type { HmsCatalogue } from '../printer/hms/index.js'
import type { PrinterSession } from '../printer/types.js'
import type { Emitter } from '../util/emitter.js'
import type { AccessLevel } from './access-level.js'
import type { BudgetKind, Spending } from './budget.js'
import type { Pins } from './certificate-pins.js'
import type { Config } from './config.js'
import type { Connections } from './connections.js'
import type { Logs } from './log.js'
import type { PluginFaults } from './plugin-faults.js'
import type { PortPool } from './ports.js'
import type { PrinterRegistry } from './registry.js'
import type { Preview, Rehearsal } from './rehearsal.js'
import type { Caller } from './rights.js'
import type { ManagedSettings, SettingsSpec } from './stored-settings.js'

export type { AccessLevel } from './access-level.js'
export type { Caller, Rights, Role } from './rights.js'

/** Services that plugins provide to each other, by name. Extended with `declare module 'prnd'`. */
export interface Services {}

/** Lists that plugins add to. Extended with `declare module 'prnd'`. */
export interface Contributions {}

/** Operations that other plugins call by their names. Extended with `declare module 'prnd'`. */
export interface Operations {}

/** Events that plugins listen to. Extended with `declare module 'prnd'`. */
export interface Events {
  /** A session was created: at the start, for a new printer, or after a restart of the session. */
  'printer:added': [session: PrinterSession]
  /** A session has ended; the printer may still be configured. */
  'printer:removed': [name: string]
  /** A printer is no longer configured. */
  'printer:forgotten': [name: string]
  /** An operation that acts on a printer (`write` or `destructive`) has succeeded, whatever its caller. */
  'operation:done': [done: OperationDone]
  /** Such an operation was refused or failed. */
  'operation:failed': [failed: OperationDone, error: unknown]
  /** An outside plugin was skipped, or a part of it fails: at most every ten minutes, and when it is suspended. */
  'plugin:failed': [problem: PluginProblem]
  /** What a print or job has used in the end, as booked in a budget: it gives back the rest. */
  'budget:used': [pays: string, used: { readonly [Kind in BudgetKind]?: number }]
}

/** The caller and surface of an operation. */
export interface OperationDone {
  readonly operation: string
  /** Undefined for an operation of the service as a whole. */
  readonly printer: string | undefined
  /** `http`, `mcp` or the name of another plugin; undefined from inside the service. */
  readonly surface: string | undefined
  readonly caller: Caller | undefined
  /** The service that forwarded it, for display. */
  readonly via?: string | undefined
  /** When it was called, ms since the epoch. */
  readonly calledAt: number
  /** What the audit log says beside the operation; undefined for nothing. */
  readonly note?: string | undefined
  /** The entry of the audit log that was written before it began; undefined: one is written when it has ended. */
  readonly entry?: string | undefined
}

/** What a plugin accesses; shown to the operator, not enforced. */
export type DeclaredAccess = 'commands' | 'files' | 'camera' | 'network' | 'disk'

/** Self-description of a plugin. */
export interface PluginManifest {
  /** Short and unique; prefix of its operations and log lines. */
  name: string
  version: string
  /** Range of compatible kernel versions, such as `^2.0.0`. */
  kernel: string
  description?: string
  /** Plugins that must be loaded and set up before this one. */
  needs?: readonly string[]
  /** Where the configuration switches off what it needs, it is left out as well, and the service starts. */
  leavesWithNeeds?: true
  provides?: readonly (keyof Services)[]
  uses?: readonly DeclaredAccess[]
  options?: TObject
  settings?: SettingsSpec
}

/** A plugin that the configuration adds. */
export interface OutsidePlugin {
  /** Its reference in the configuration: a package or a path. */
  readonly reference: string
  readonly plugin: Readonly<PluginManifest>
}

/** An outside plugin that is skipped, so that the service can run without it. */
export interface SkippedPlugin {
  readonly reference: string
  /** Its own name; the reference if it could not be loaded. */
  readonly plugin: string
  readonly error: ServiceError
}

/** A problem of an outside plugin, for operators. */
export interface PluginProblem {
  readonly plugin: string
  /** The failing part, such as `route 'GET /glow'`; null if the whole plugin is skipped. */
  readonly part: string | null
  readonly message: string
  /** It is currently suspended. */
  readonly disabled: boolean
}

/** Time limits for parts of plugins, ms. */
export interface Limits {
  readonly setup: number
  readonly ready: number
  readonly close: number
  /** One call of an operation of an outside plugin. */
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
  /** Port of the API; 0 while it is not bound. */
  readonly apiPort: number
  /** Secret that is shared with readers of the data folder; undefined while the API is not bound. */
  readonly folderKey: string | undefined
  /** Setup is complete and shutdown has not begun, regardless of printers that are switched off. */
  readonly ready: boolean
  readonly events: Emitter<Events>
  readonly services: Readonly<Services>
  /** Services that may be missing; read them when they are used. */
  readonly optional: Readonly<Partial<Services>>
  readonly plugins: ReadonlyMap<string, Readonly<PluginManifest>>
  /** Those of them that the configuration adds. */
  readonly outside: readonly OutsidePlugin[]
  /** Configured plugins that are skipped, each with its reason. */
  readonly skipped: readonly SkippedPlugin[]
  /** Settings of the plugins that declare any, by plugin. */
  readonly settings: ReadonlyMap<string, ManagedSettings>
  readonly operations: ReadonlyMap<string, AnyOperation>
  /** An operation of another plugin, for `call`; undefined if that plugin is not loaded. */
  operation<Name extends keyof Operations>(name: Name): Operations[Name] | undefined
  readonly logs: Logs
  readonly hms: HmsCatalogue
  /** Certificates pinned on first connection. */
  readonly pins: Pins
  readonly signal: AbortSignal
  readonly now: () => number
  /** Masks all secrets that the service knows. */
  readonly redact: (text: string) => string
  /** Masks this text from now on. */
  maskSecret (secret: string): void
  contributed<K extends keyof Contributions> (kind: K): readonly Contributions[K][]
  /** Name of the plugin that contributed a value, or the operation behind it. */
  originOf (contribution: object): string | undefined
  /** The contributions of a plugin, by list. */
  contributionsOf (plugin: string): Readonly<Record<string, readonly object[]>>
  /** All external connections of the service, except those to printers. */
  readonly connections: Connections
  /** Isolates faults of plugins. */
  readonly pluginFaults: PluginFaults
  /** Time limits for parts of plugins. */
  readonly limits: Limits
  /** Compares an output, or what is made of it, with its schema. @throws PRN_ERR_OUTPUT in tests */
  checkOutput (described: Pick<AnyOperation, 'name' | 'output'>, output: unknown): void
  /** The single path of all calls: access, input validation, printer, guards, run. */
  call<Op extends AnyOperation> (operation: Op, input: InputOf<Op>, options?: CallOptions): Promise<OutputOf<Op>>
  /** What a call would do; sends and stores nothing. @throws what the call would throw */
  rehearse<Op extends AnyOperation> (operation: Op, input: InputOf<Op>, options?: CallOptions): Promise<Rehearsal>
  /**
   * Sets everything up; `listen` false: only `app.inject` reaches it. After a failure, `close` ends what had begun.
   * @throws PRN_ERR_FOLDER_IN_USE, PRN_ERR_PLUGIN_SETUP, PRN_ERR_PORTS_EXHAUSTED, PRN_ERR_PORT_TAKEN,
   * PRN_ERR_SHUTTING_DOWN if closed meanwhile
   */
  start (options?: { listen?: boolean }): Promise<void>
  /** Ends everything, in any state, and never rejects. A closed kernel cannot be started again. */
  close (): Promise<void>
}

export interface CallOptions {
  /** Name of the printer; defaults to the default printer. */
  readonly printer?: string | undefined
  /** Aborted when the caller disconnects. */
  readonly signal?: AbortSignal | undefined
  readonly progress?: Progress
  readonly log?: FastifyBaseLogger
  /** Origin of the call, required of every surface. Omitted from inside the service. */
  readonly caller?: Caller | undefined
  /** For a call from inside the service: the caller of the operation that makes it, whose budget pays. */
  readonly paidBy?: Caller | undefined
  /** Host and port as a remote caller wrote them, after `https://` if it used that; validated by the surface. */
  readonly host?: string | undefined
  /** The service that forwards the call, for the audit log. */
  readonly via?: string | undefined
  /** Name of the plugin that received the call, such as `http`. Omitted from inside the service. */
  readonly surface?: string
}

/** What an operation changes: nothing, our own files, the printer, or something irreversibly. */
export type Effect = 'read' | 'local' | 'write' | 'destructive'
export type Scope = 'printer' | 'daemon'

/** Reports the progress of long work; surfaces pass it on to the caller. */
export type Progress = (done: number, total?: number, message?: string) => void

export interface DaemonContext {
  readonly kernel: Kernel
  readonly services: Readonly<Services>
  /** Services that may be missing; the operation's plugin lists those it reads in its `optional`. */
  readonly optional: Readonly<Partial<Services>>
  readonly log: FastifyBaseLogger
  /** Aborted at shutdown and when the caller disconnects. */
  readonly signal: AbortSignal
  readonly progress: Progress
  /** The caller is on this machine, has the token, or is trusted by the configuration. */
  readonly trusted: boolean
  /** Origin or rights of the caller; undefined from inside the service. */
  readonly caller: Caller | undefined
  /** Whether the caller may know of a printer. */
  sees (printer: string): boolean
  /** Caller and surface for logs: `http (local)`, `mcp (token)`, `http (anna)`; `service` from inside. */
  readonly askedBy: string
  /** The service's URL as the caller sees it: `http://HOST:PORT` without a trailing slash. */
  readonly baseUrl: string
}
export interface PrinterContext extends DaemonContext { readonly session: PrinterSession }
export type ContextOf<S extends Scope> = S extends 'printer' ? PrinterContext : DaemonContext

/** A precondition of operations, on every surface; throws or rejects if it is not met. */
export type Guard = (context: PrinterContext, operation: AnyOperation) => void | Promise<void>

/** A service of a fleet, as called by a hub. */
export interface AskedService<I, O> {
  /** Such as `hall-2/node-a`. */
  readonly name: string
  readonly reachable: boolean
  /** @throws the error of the operation; or that the service is not reachable */
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
   * `trusted` for access to the host or to what the service trusts: its files, addresses and codes, configuration,
   * plugins, logs. Without a token, it is then only available on this machine.
   * @default 'network'
   */
  access?: AccessLevel
  /** It uses a port or a file of this service: it runs here even if another service holds the printer. */
  runsHere?: boolean
  /** Whether calls are recorded in the audit log. @default for all operations that need consent, and no others */
  record?: boolean
  /** What the audit log says of a call beside the operation, such as what it was told to accept. */
  note?: (input: Static<I>) => string | undefined
  /** For a 'daemon' operation about one configured printer: it runs on the service that has that printer. */
  concerns?: (input: Static<I>) => string
  /** For a 'daemon' operation: how a hub combines the answers of the services with printers. */
  atHub?: (services: readonly AskedService<Static<I>, Static<O>>[], input: Static<I>) => Promise<Static<O>>
  /** What the call would use of its caller's budget; changes nothing. Required of all that leads to a print. */
  spends?: (context: ContextOf<S>, input: Static<I>) => Promise<Spending<Static<I>, Static<O>>>
  /** For a dry run: `run` does nothing but send commands, so it runs with a session that only notes them. */
  sendsOnly?: true
  /** For a dry run: what the call would send or find; changes nothing. Throws what `run` would throw. */
  preview?: (context: ContextOf<S>, input: Static<I>) => Promise<Preview>
  input: I
  output: O
  guards?: readonly Guard[]
  /** Errors in addition to the common ones; for the documentation. */
  errors?: readonly AnyErrorClass[]
  run (context: ContextOf<S>, input: Static<I>): Promise<Static<O>> | Static<O>
}

export interface Operation<S extends Scope = Scope, I extends TObject = TObject, O extends TSchema = TSchema>
  extends Readonly<Omit<OperationSpec<S, I, O>, 'run' | 'scope' | 'spends' | 'preview'>> {
  readonly scope: S
  spends? (context: ContextOf<S>, input: Static<I>): Promise<Spending<Static<I>, Static<O>>>
  preview? (context: ContextOf<S>, input: Static<I>): Promise<Preview>
  run (context: ContextOf<S>, input: Static<I>): Promise<Static<O>> | Static<O>
}

export type AnyOperation = Operation<any, any, any>
export type InputOf<Op extends AnyOperation> = Static<Op['input']>
export type OutputOf<Op extends AnyOperation> = Static<Op['output']>
