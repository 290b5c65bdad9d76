import type { FastifyBaseLogger } from 'fastify'
import { isServiceError } from '../errors.js'
import { as, guarded, type Owner } from './plugin-attribution.js'

/** What went wrong in one part of a plugin since the service began. */
export interface PluginFault {
  /** Such as `alert rule 'bed_warm'`. */
  readonly part: string
  /** How often it failed, or was too much. */
  readonly count: number
  /** What it said the last time. */
  readonly message: string
  /** ms since the epoch, of the last time. */
  readonly at: number
  /** It is not called now. */
  readonly cutOff: boolean
}

/** One thing of a plugin that the service calls. Whoever calls it looks at `cut` before and tells of failures. */
export interface FaultGuard {
  /** It is not to be called now. */
  readonly isDisabled: boolean
  /** It threw, or hung. */
  failed (error: unknown, where?: Readonly<Record<string, unknown>>): void
  /** Runs work beside an operation, such as a face's translation: what it throws unforeseen is told, and thrown on. */
  run<T> (work: () => T): T
  /** It made one of something. @returns false when that was too many in this minute: the thing is dropped */
  allow (): boolean
}

export interface Bounds {
  /** The first failure cuts it off for good: for what is called with every report. */
  readonly once?: boolean
  /** So many things it may make in a minute; what belongs to the application has no such bound. */
  readonly most?: number
}

/** Keeps faults of plugins to their plugins: counts them, names them, and cuts off what goes on failing. */
export interface PluginFaults {
  /** @param plugin undefined for what no plugin owns up to */
  guard (plugin: string | undefined, kind: string, name: string, bounds?: Bounds): FaultGuard
  /** Runs work of a plugin: listeners and followers that it adds meanwhile are known for its own. */
  as<T> (plugin: string | undefined, work: () => T): T
  /**
   * Runs work of a part of a plugin unless the part is cut off.
   * @returns undefined then, and when it threw: the part was told, and nobody else needs to care
   */
  attempt<T> (plugin: string | undefined, part: FaultGuard, work: () => T, where?: Readonly<Record<string, unknown>>):
  T | undefined
  /** It came by the configuration, not with the application. */
  isOutside (plugin: string): boolean
  /** What went wrong in a plugin, by part. */
  faults (plugin: string): readonly PluginFault[]
}

export interface IsolationDeps {
  /** Names of plugins that did not come with the application. */
  readonly outside: ReadonlySet<string>
  /** ms since the epoch. */
  readonly now: () => number
  readonly log: Pick<FastifyBaseLogger, 'error'>
}

/** So many failures within this time cut a part off for as long; then it is tried anew. */
export const MAX_FAILURES = 20
export const FAILURE_WINDOW_MS = 600_000
const MINUTE_MS = 60_000

interface Watched extends FaultGuard { fault (): PluginFault | undefined }

/** The words of whatever was thrown, even where that is no error at all. */
function wordsOf (thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message : String(thrown)
  } catch {
    return 'something without words was thrown'
  }
}

/** Counts what falls into one stretch of time; the next begins with the first thing after it. */
function createCount (ms: number) {
  let since = -Infinity
  let count = 0
  return (at: number): { readonly count: number, readonly until: number } => {
    if (at - since >= ms) [since, count] = [at, 0]
    return { count: ++count, until: since + ms }
  }
}

function watch (plugin: string, what: string, { once = false, most }: Bounds, deps: IsolationDeps): Watched {
  const { now, log } = deps
  const bounded = deps.outside.has(plugin)
  const strikes = createCount(FAILURE_WINDOW_MS)
  const made = createCount(MINUTE_MS)
  let cutUntil = -Infinity
  let count = 0
  let message = ''
  let at = 0

  const isCut = () => cutUntil !== -Infinity && cutUntil > now()

  function note (words: string): void {
    count++
    message = words
    at = now()
  }

  function failed (error: unknown, where: Readonly<Record<string, unknown>> = {}): void {
    note(wordsOf(error))
    if (isCut()) return // it was called before that
    const strike = strikes(at)
    const cuts = once || (bounded && strike.count >= MAX_FAILURES)
    if (cuts) cutUntil = once ? Infinity : at + FAILURE_WINDOW_MS
    if (!cuts && strike.count > 1) return // said already
    log.error({ err: error, plugin, ...where }, `${what} of plugin '${plugin}' failed${cuts ? ' and is cut off' : ''}`)
  }

  function allow (): boolean {
    if (!bounded || most === undefined) return true
    const { count: number, until } = made(now())
    if (number === most + 1) {
      note(`it made more than ${most} in a minute`)
      cutUntil = Math.max(cutUntil, until)
      log.error({ plugin }, `${what} of plugin '${plugin}' is too much and is cut off for the rest of the minute`)
    }
    return number <= most
  }

  function run<T> (work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (!isServiceError(error)) failed(error)
      throw error
    }
  }

  return {
    get isDisabled () { return isCut() },
    failed,
    run,
    allow,
    fault: () => count === 0 ? undefined : { part: what, count, message, at, cutOff: isCut() }
  }
}

export function createPluginFaults (deps: IsolationDeps): PluginFaults {
  const plugins = new Map<string, Map<string, Watched>>()
  const owners = new Map<string, Owner>()

  function part (plugin = '?', kind: string, name: string, bounds: Bounds = {}): FaultGuard {
    const parts = plugins.get(plugin) ?? new Map<string, Watched>()
    plugins.set(plugin, parts)
    const what = name === '' ? kind : `${kind} '${name}'`
    const known = parts.get(what) ?? watch(plugin, what, bounds, deps)
    parts.set(what, known)
    return known
  }

  function ownerOf (plugin: string): Owner {
    const known = owners.get(plugin) ?? { part: (kind, name) => part(plugin, kind, name) }
    owners.set(plugin, known)
    return known
  }

  return {
    guard: part,
    as: (plugin, work) => as(plugin === undefined ? undefined : ownerOf(plugin), work),
    attempt: (plugin = '?', part, work, where) => guarded(ownerOf(plugin), part, work, where),
    isOutside: plugin => deps.outside.has(plugin),
    faults: plugin => [...plugins.get(plugin)?.values() ?? []].flatMap(one => one.fault() ?? [])
  }
}
