import { nameProblem } from './config.js'
import type { Dispose } from '../util/emitter.js'
import { createKeyedQueue } from '../util/keyed-queue.js'
import { BadInput, NoPrinter, NotConnected, ShuttingDown } from '../errors.js'
import { currentContext } from '../util/execution-context.js'
import type { RunningSession } from '../printer/index.js'
import type { PrinterConfig, PrinterSession, RemoteHolder } from '../printer/types.js'

/** Where the default printer comes from; `none` when no printer is connected. */
export type DefaultSource = 'explicit' | 'env_var' | 'first_connected' | 'none'

/** The configured printers and their sessions. */
export interface PrinterRegistry {
  /** Every configured printer, in the order of the configuration. */
  readonly names: readonly string[]
  /** Printers with a session, connected or trying to, in the same order. */
  readonly sessions: readonly PrinterSession[]
  get (name: string): PrinterSession | undefined
  config (name: string): PrinterConfig | undefined
  /**
   * Named, else the configured default, else the first that is connected. With none connected the source is `none`,
   * and the printer the first that has a session.
   */
  choose (name?: string): { readonly printer: string | undefined, readonly source: DefaultSource }
  /** The session of the chosen printer. @throws PRN_ERR_NOT_CONNECTED, PRN_ERR_NO_PRINTER */
  resolve (name?: string): PrinterSession
  /** Adds a printer, or replaces one of that name, and begins to connect. @throws PRN_ERR_BAD_INPUT for its name */
  add (printer: PrinterConfig): Promise<PrinterSession>
  /**
   * Adds a printer that another service holds.
   * @throws PRN_ERR_BAD_INPUT for its name
   */
  adopt (printer: PrinterConfig, adopted: Adopted): Promise<void>
  /** Who holds an adopted printer, also while it has no session. */
  holderOf (name: string): RemoteHolder | undefined
  /** The services of a fleet that have printers; undefined where this service is not a hub of one. */
  readonly others: readonly RemoteHolder[] | undefined
  /** From now on this service is the hub of these. */
  askOthers (list: () => readonly RemoteHolder[]): void
  /** @throws why a session with this printer cannot be begun here */
  checkAdmitted (name: string): void
  /**
   * From now on sessions begin only where the test does not throw. The start of the service passes over the others;
   * whoever has made the rule begins and ends them with `connect` and `disconnect`. The test is made again before
   * everything that is sent to a printer: what it throws is why nothing was.
   */
  admitOnly (test: (name: string) => void): void
  /** Ends the session and forgets the printer. */
  remove (name: string): Promise<void>
  /** Begins a session for a configured printer; one that runs is ended first. */
  connect (name: string): Promise<PrinterSession>
  /** Ends the session; the printer stays configured. */
  disconnect (name: string): Promise<void>
  /** Runs for every session, now and later; the returned disposer runs when that session goes. */
  each (follow: (session: PrinterSession) => Dispose | void): Dispose
  /** The same without the sessions that other services hold: for what acts on a printer, or keeps its record. */
  eachLocal (follow: (session: PrinterSession) => Dispose | void): Dispose
}

/**
 * A printer as another service holds it.
 * @param make its session; undefined while that service has ended it
 * @param comesBefore keeps the order the same, whichever of them was heard of first
 */
export interface Adopted {
  readonly holder: RemoteHolder
  readonly make: (() => RunningSession) | undefined
  readonly comesBefore: (other: string) => boolean
}

export interface RegistryDeps {
  /** @param check throws while nothing may be sent */
  readonly create: (config: PrinterConfig, check: () => void) => RunningSession
  readonly defaultPrinter: string | undefined
  readonly onAdded: (session: PrinterSession) => void
  readonly onRemoved: (name: string) => void
  readonly onForgotten: (name: string) => void
  /** Told of every error in what follows a printer for no plugin, or in beginning its session. */
  readonly onFollowerError: (error: unknown, printer: string) => void
}

interface Follower {
  readonly follow: (session: PrinterSession) => Dispose | void
  readonly undo: Map<string, Dispose>
}

type Follow = Follower['follow']

/** What a plugin follows printers with is that plugin's, and so is what it adds meanwhile. */
function attributed (follow: Follow): Follow {
  const guard = currentContext()?.guard('follower of printers', '')
  if (guard === undefined) return follow
  return session => {
    const where = { printer: session.name }
    const dispose: unknown = guard.run(() => follow(session), where)
    return typeof dispose === 'function' ? () => { guard.run(dispose as Dispose, where) } : undefined
  }
}

/** A long list helps nobody who mistyped a name. */
const MOST_NAMED = 20

/** Why there is no session, and which names there are. */
export function whyAbsent (name: string | undefined, names: readonly string[]): string {
  if (name !== undefined && names.includes(name)) {
    return `'${name}' is configured, but has no session: the tool start_printer starts one.`
  }
  const named = names.slice(0, MOST_NAMED).map(known => `'${known}'`).join(', ')
  const known = `${named}${names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ''}`
  if (name === undefined) return `No printer has a session. Configured: ${known}.`
  return `No printer of that name is configured. ${names.length === 0 ? 'There is none yet.' : `Configured: ${known}.`}`
}

/** @returns the registry, and what only the kernel may do with it */
export function createRegistry (printers: readonly PrinterConfig[], deps: RegistryDeps) {
  const configured = new Map(printers.map(printer => [printer.name, printer]))
  const running = new Map<string, RunningSession>()
  const adopted = new Map<string, Adopted>()
  let listOthers: (() => readonly RemoteHolder[]) | undefined
  let admit: (name: string) => void = () => {}
  const followers = new Set<Follower>()
  /** What is done to one printer happens one after the other. */
  const queue = createKeyedQueue()
  let closed = false

  const sessions = () => [...configured.keys()]
    .map(name => running.get(name)?.session)
    .filter(session => session !== undefined)

  function first (fits: (running: RunningSession) => boolean): string | undefined {
    for (const name of configured.keys()) {
      const made = running.get(name)
      if (made !== undefined && fits(made)) return name
    }
    return undefined
  }

  const isConnected = ({ session }: RunningSession): boolean => session.service === 'CONNECTED'

  function choose (name?: string): ReturnType<PrinterRegistry['choose']> {
    if (name !== undefined && name !== '') return { printer: name, source: 'explicit' }
    if (deps.defaultPrinter !== undefined) return { printer: deps.defaultPrinter, source: 'env_var' }
    const connected = first(isConnected)
    if (connected !== undefined) return { printer: connected, source: 'first_connected' }
    return { printer: first(({ session }) => session.service === 'PAUSED') ?? first(() => true), source: 'none' }
  }

  function resolve (name?: string): PrinterSession {
    const { printer } = choose(name)
    const session = printer === undefined ? undefined : running.get(printer)?.session
    if (printer === undefined && configured.size === 0) throw new NoPrinter()
    if (!session) throw new NotConnected(printer ?? 'default').with({ detail: whyAbsent(printer, registry.names) })
    return session
  }

  function guard (printer: string, work: () => void): void {
    try {
      work()
    } catch (error) {
      deps.onFollowerError(error, printer)
    }
  }

  function attach ({ follow, undo }: Follower, session: PrinterSession): void {
    guard(session.name, () => {
      const dispose: unknown = follow(session)
      if (typeof dispose === 'function') undo.set(session.name, dispose as Dispose)
      if (dispose instanceof Promise) dispose.catch(error => deps.onFollowerError(error, session.name))
    })
  }

  function detach ({ undo }: Follower, name: string): void {
    guard(name, () => undo.get(name)?.())
    undo.delete(name)
  }

  function begin (name: string): PrinterSession {
    if (closed) throw new ShuttingDown()
    const config = configured.get(name)
    if (!config) throw new BadInput(`Printer '${name}' is not configured`)
    const maker = adopted.get(name)?.make
    if (maker === undefined) admit(name)
    const made = maker?.() ?? deps.create(config, () => admit(name))
    running.set(name, made)
    for (const follower of [...followers]) attach(follower, made.session)
    made.start()
    deps.onAdded(made.session)
    return made.session
  }

  async function end (name: string): Promise<void> {
    const gone = running.get(name)
    if (!gone) return
    running.delete(name)
    for (const follower of [...followers]) detach(follower, name)
    try {
      await gone.end()
    } finally {
      deps.onRemoved(name)
    }
  }

  function checkName (name: string): void {
    const problem = nameProblem(name)
    if (problem !== undefined) throw new BadInput(`The printer's name ${problem}`)
    const other = registry.names.find(known => known !== name && known.toLowerCase() === name.toLowerCase())
    if (other !== undefined) throw new BadInput(`Printer '${name}' is already configured as '${other}'`)
  }

  const put = (printer: PrinterConfig) => queue.run(printer.name, async () => {
    checkName(printer.name)
    admit(printer.name)
    await end(printer.name)
    configured.set(printer.name, printer)
    adopted.delete(printer.name)
    return begin(printer.name)
  })

  function insert (printer: PrinterConfig, comesBefore: Adopted['comesBefore']): void {
    const known = [...configured]
    const at = known.findLastIndex(([name]) => !comesBefore(name)) + 1
    for (const [name] of known.slice(at)) configured.delete(name)
    configured.set(printer.name, printer)
    for (const [name, config] of known.slice(at)) configured.set(name, config)
  }

  const adopt = (printer: PrinterConfig, how: Adopted) => queue.run(printer.name, async () => {
    checkName(printer.name)
    await end(printer.name)
    adopted.set(printer.name, how)
    if (configured.has(printer.name)) configured.set(printer.name, printer)
    else insert(printer, how.comesBefore)
    if (how.make !== undefined) begin(printer.name)
  })

  const isAdmitted = (name: string): boolean => {
    try {
      admit(name)
      return true
    } catch {
      return false
    }
  }

  const registry: PrinterRegistry = {
    get names () { return [...configured.keys()] },
    get sessions () { return sessions() },
    get: name => running.get(name)?.session,
    config: name => configured.get(name),
    choose,
    resolve,
    connect: name => queue.run(name, async () => {
      await end(name)
      return begin(name)
    }),
    disconnect: name => queue.run(name, () => end(name)),
    add: put,
    adopt,
    holderOf: name => adopted.get(name)?.holder,
    get others () { return listOthers?.() },
    askOthers (list) { listOthers = list },
    checkAdmitted: name => admit(name),
    admitOnly (test) { admit = test },
    remove: name => queue.run(name, async () => {
      await end(name)
      adopted.delete(name)
      if (configured.delete(name)) deps.onForgotten(name)
    }),
    each (follow) {
      const follower: Follower = { follow: attributed(follow), undo: new Map() }
      followers.add(follower)
      for (const session of sessions()) attach(follower, session)
      return () => {
        followers.delete(follower)
        for (const name of [...follower.undo.keys()]) detach(follower, name)
      }
    },
    eachLocal: follow => registry.each(session => session.remote === undefined ? follow(session) : undefined)
  }

  return {
    registry,
    /** Begins every session; a printer that is off only makes its own session wait. */
    connectAll: async () => {
      const start = (name: string) => queue.run(name, () => { if (!running.has(name) && !closed) begin(name) })
        .catch(error => deps.onFollowerError(error, name))
      await Promise.all(registry.names.filter(isAdmitted).map(start))
    },
    /** Ends every session; none begins afterwards. */
    close: async () => {
      closed = true
      const stop = (name: string) => queue.run(name, () => end(name)).catch(error => deps.onFollowerError(error, name))
      await Promise.all([...new Set([...queue.keys(), ...running.keys()])].map(stop))
    }
  }
}
