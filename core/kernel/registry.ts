import { NoPrinter, NotConnected } from '../errors.js'
import type { PrinterConfig, PrinterSession, RemoteHolder } from '../printer/types.js'
import type { Dispose } from '../util/emitter.js'
import { createKeyedQueue, type KeyedQueue } from '../util/keyed-queue.js'
import { choosePrinter, whyAbsent, type ChosenPrinter } from './choose-printer.js'
import type { Follow } from './followers.js'
import { createPrinterList, type Adopted, type PrinterList } from './printer-list.js'
import { createRunningSessions, type RunningSessions, type RunningSessionsDeps } from './running-sessions.js'

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
  choose (name?: string): ChosenPrinter
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
   * the plugin that made the rule begins and ends them with `connect` and `disconnect`. The test is made again before
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
  each (follow: Follow): Dispose
  /** The same without the sessions that other services hold: for what acts on a printer, or keeps its record. */
  eachLocal (follow: Follow): Dispose
}

export interface RegistryDeps extends RunningSessionsDeps {
  readonly defaultPrinter: string | undefined
  readonly onForgotten: (name: string) => void
}

/** @returns the registry, and what only the kernel may do with it */
export function createRegistry (printers: readonly PrinterConfig[], deps: RegistryDeps) {
  const list = createPrinterList(printers)
  const sessions = createRunningSessions(list, deps, name => admit(name))
  /** What is done to one printer happens one after the other. */
  const queue = createKeyedQueue()
  let listOthers: (() => readonly RemoteHolder[]) | undefined
  let admit: (name: string) => void = () => {}

  const choose = (name?: string): ChosenPrinter => choosePrinter(name, deps.defaultPrinter, sessions.all)

  function resolve (name?: string): PrinterSession {
    const { printer } = choose(name)
    const session = printer === undefined ? undefined : sessions.get(printer)
    if (session) return session
    const { names } = list
    if (printer === undefined && names.length === 0) throw new NoPrinter()
    throw new NotConnected(printer ?? 'default').with({ detail: whyAbsent(printer, names) })
  }

  const isAdmitted = (name: string): boolean => {
    try {
      admit(name)
      return true
    } catch {
      return false
    }
  }

  const registry: PrinterRegistry = {
    get names () { return list.names },
    get sessions () { return sessions.all() },
    get: sessions.get,
    config: list.config,
    choose,
    resolve,
    ...changes(list, sessions, queue, { admit: name => admit(name), onForgotten: deps.onForgotten }),
    holderOf: name => list.adopted(name)?.holder,
    get others () { return listOthers?.() },
    askOthers (others) { listOthers = others },
    checkAdmitted: name => admit(name),
    admitOnly (test) { admit = test },
    each: sessions.follow,
    eachLocal: follow => sessions.follow(session => session.remote === undefined ? follow(session) : undefined)
  }

  return {
    registry,
    /** Begins every session; a printer that is off only makes its own session wait. */
    connectAll: async () => {
      const begin = (name: string) => { if (sessions.get(name) === undefined && !sessions.closed) sessions.begin(name) }
      const start = (name: string) => queue.run(name, () => begin(name))
        .catch(error => deps.onFollowerError(error, name))
      await Promise.all(list.names.filter(isAdmitted).map(start))
    },
    /** Ends every session; none begins afterwards. */
    close: async () => {
      sessions.close()
      const stop = (name: string) => queue.run(name, () => sessions.end(name))
        .catch(error => deps.onFollowerError(error, name))
      await Promise.all([...new Set([...queue.keys(), ...sessions.names])].map(stop))
    }
  }
}

interface Rules {
  readonly admit: (name: string) => void
  readonly onForgotten: (name: string) => void
}

/** Each waits for what is under way with the same printer. */
function changes (list: PrinterList, sessions: RunningSessions, queue: KeyedQueue<string>, rules: Rules):
Pick<PrinterRegistry, 'add' | 'adopt' | 'connect' | 'disconnect' | 'remove'> {
  const { admit, onForgotten } = rules
  return {
    add: printer => queue.run(printer.name, async () => {
      list.checkName(printer.name)
      admit(printer.name)
      await sessions.end(printer.name)
      list.put(printer)
      return sessions.begin(printer.name)
    }),
    adopt: (printer, how) => queue.run(printer.name, async () => {
      list.checkName(printer.name)
      await sessions.end(printer.name)
      list.adopt(printer, how)
      if (how.make !== undefined) sessions.begin(printer.name)
    }),
    connect: name => queue.run(name, async () => {
      await sessions.end(name)
      return sessions.begin(name)
    }),
    disconnect: name => queue.run(name, () => sessions.end(name)),
    remove: name => queue.run(name, async () => {
      await sessions.end(name)
      if (list.remove(name)) onForgotten(name)
    })
  }
}
