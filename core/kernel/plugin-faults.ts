import type { FastifyBaseLogger } from 'fastify'
import { isServiceError, PluginCutOff, PluginLate } from '../errors.js'
import { runInContext, type ExecutionContext } from '../util/execution-context.js'

/** Failures of one part of a plugin since the service started. */
export interface PluginFault {
  /** Such as `alert rule 'bed_warm'`. */
  readonly part: string
  /** Number of failures. */
  readonly count: number
  /** Message of the last failure. */
  readonly message: string
  /** Time of the last failure, ms since the epoch. */
  readonly at: number
  /** It is currently suspended. */
  readonly cutOff: boolean
}

/** Further details of a failure, for the log. */
export type FaultDetails = Readonly<Record<string, unknown>>

/** Calls one contribution or registration of a plugin. */
export interface FaultGuard {
  /** It failed too often and is currently suspended. */
  readonly isDisabled: boolean
  /**
   * Runs work that others do not depend on.
   * @returns undefined while it is suspended, and when it fails, now or later; failures are recorded
   */
  run<T> (work: () => Promise<T>, where?: FaultDetails): Promise<T | undefined> | undefined
  run<T> (work: () => T, where?: FaultDetails): T | undefined
  /**
   * Runs work whose failures reach the caller; unexpected ones are recorded as well.
   * @param caller aborted when the caller has left: later failures are nobody's fault
   * @throws PRN_ERR_PLUGIN_CUT_OFF while it is suspended, and whatever the work throws
   */
  call<T> (work: () => T, caller?: AbortSignal): T
  /** Records a failure that was caught elsewhere. */
  failed (error: unknown, where?: FaultDetails): void
}

export interface GuardOptions {
  /** The first failure disables it permanently: for callbacks of every report. */
  readonly once?: boolean
}

/** Isolates faults of plugins: records them, attributes them, and suspends what keeps failing. */
export interface PluginFaults {
  /** Returns the same guard for the same part. @param plugin undefined for a part of the service itself */
  guard (plugin: string | undefined, kind: string, name: string, options?: GuardOptions): FaultGuard
  /** Runs work of a plugin: listeners and followers that it adds before its first `await` are guarded as its own. */
  runAs<T> (plugin: string, work: () => T): T
  /** Added by the configuration, not part of the application. */
  isOutside (plugin: string): boolean
  /** The failures of a plugin, by part. */
  faults (plugin: string): readonly PluginFault[]
}

export interface PluginFaultsDeps {
  /** Names of plugins that are not part of the application. */
  readonly outside: ReadonlySet<string>
  /** ms since the epoch. */
  readonly now: () => number
  readonly log: Pick<FastifyBaseLogger, 'error'>
  /** Aborted at shutdown, when failures are expected. */
  readonly signal?: AbortSignal
  /** Called for logged failures of outside plugins. */
  readonly onFault?: (plugin: string, fault: PluginFault) => void
}

/** This many failures within the period suspend a part for the same period; then it is tried again. */
export const MAX_FAILURES = 20
export const FAILURE_WINDOW_MS = 600_000

function messageOf (thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message : String(thrown)
  } catch {
    return 'something without words was thrown'
  }
}

/** Errors that are meant for the caller. */
const isForeseen = (error: unknown): boolean => isServiceError(error) && !(error instanceof PluginLate)

class Guard implements FaultGuard {
  readonly #context: ExecutionContext
  readonly #deps: PluginFaultsDeps
  readonly #once: boolean
  #windowEnds = -Infinity
  #failuresInWindow = 0
  #disabledUntil = -Infinity
  #last: { readonly count: number, readonly message: string, readonly at: number } | undefined

  constructor (readonly plugin: string, readonly kind: string, readonly name: string,
    { once = false }: GuardOptions, context: ExecutionContext, deps: PluginFaultsDeps) {
    this.#once = once
    this.#context = context
    this.#deps = deps
  }

  get part (): string { return this.name === '' ? this.kind : `${this.kind} '${this.name}'` }
  get isDisabled (): boolean { return this.#disabledUntil !== -Infinity && this.#disabledUntil > this.#deps.now() }
  get fault (): PluginFault | undefined {
    return this.#last && { part: this.part, ...this.#last, cutOff: this.isDisabled }
  }

  run<T> (work: () => T, where?: FaultDetails): T | undefined {
    if (this.isDisabled) return undefined
    try {
      const outcome = runInContext(this.#context, work)
      return outcome instanceof Promise ? outcome.catch((error: unknown) => this.failed(error, where)) as T : outcome
    } catch (error) {
      this.failed(error, where)
      return undefined
    }
  }

  call<T> (work: () => T, caller?: AbortSignal): T {
    if (this.isDisabled) throw new PluginCutOff(this.name, this.plugin)
    const failed = (error: unknown): never => {
      if (!isForeseen(error) && caller?.aborted !== true) this.failed(error)
      throw error
    }
    try {
      const outcome = runInContext(this.#context, work)
      return outcome instanceof Promise ? outcome.catch(failed) as T : outcome
    } catch (error) {
      return failed(error)
    }
  }

  failed (error: unknown, where?: FaultDetails): void {
    const { now, log, outside, signal, onFault } = this.#deps
    if (signal?.aborted) return
    const at = now()
    this.#last = { count: (this.#last?.count ?? 0) + 1, message: messageOf(error), at }
    if (this.isDisabled) return // it was called before it was suspended
    if (at >= this.#windowEnds) [this.#windowEnds, this.#failuresInWindow] = [at + FAILURE_WINDOW_MS, 0]
    const isFirst = ++this.#failuresInWindow === 1
    const disables = this.#once || (outside.has(this.plugin) && this.#failuresInWindow >= MAX_FAILURES)
    if (disables) this.#disabledUntil = this.#once ? Infinity : at + FAILURE_WINDOW_MS
    if (!disables && !isFirst) return // logged already
    log.error({ err: error, plugin: this.plugin, ...where },
      `${this.part} of plugin '${this.plugin}' failed${disables ? ' and is disabled' : ''}`)
    if (this.fault !== undefined && outside.has(this.plugin)) onFault?.(this.plugin, this.fault)
  }
}

export function createPluginFaults (deps: PluginFaultsDeps): PluginFaults {
  const plugins = new Map<string, { readonly context: ExecutionContext, readonly guards: Map<string, Guard> }>()

  function plugin (name: string) {
    const known = plugins.get(name) ??
      { context: { guard: (kind: string, part: string) => guard(name, kind, part) }, guards: new Map<string, Guard>() }
    plugins.set(name, known)
    return known
  }

  function guard (owner = '?', kind: string, name: string, options: GuardOptions = {}): FaultGuard {
    const { context, guards } = plugin(owner)
    const key = `${kind} ${name}`
    const known = guards.get(key) ?? new Guard(owner, kind, name, options, context, deps)
    guards.set(key, known)
    return known
  }

  return {
    guard,
    runAs: (name, work) => runInContext(plugin(name).context, work),
    isOutside: name => deps.outside.has(name),
    faults: name => [...plugins.get(name)?.guards.values() ?? []].flatMap(({ fault }) => fault ?? [])
  }
}
