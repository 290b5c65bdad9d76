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
  /** Printers with a session, connected or connecting, in the same order. */
  readonly sessions: readonly PrinterSession[]
  get (name: string): PrinterSession | undefined
  config (name: string): PrinterConfig | undefined
  /**
   * The named printer, else the configured default, else the first connected one. If none is connected, the source is
   * `none`, and the printer is the first with a session.
   */
  choose (name?: string): ChosenPrinter
  /** The session of the chosen printer. @throws PRN_ERR_NOT_CONNECTED, PRN_ERR_NO_PRINTER */
  resolve (name?: string): PrinterSession
  /** Adds a printer, or replaces the one of that name, and connects. @throws PRN_ERR_BAD_INPUT for its name */
  add (printer: PrinterConfig): Promise<PrinterSession>
  /**
   * Adds a printer whose session another service holds.
   * @throws PRN_ERR_BAD_INPUT for its name
   */
  adopt (printer: PrinterConfig, adopted: Adopted): Promise<void>
  /** The service that holds an adopted printer, also while it has no session. */
  holderOf (name: string): RemoteHolder | undefined
  /** The services of a fleet that have printers; undefined if this service is not a hub. */
  readonly others: readonly RemoteHolder[] | undefined
  /** Makes this service the hub of these. */
  askOthers (list: () => readonly RemoteHolder[]): void
  /** @throws why a session with this printer must not start here */
  checkAdmitted (name: string): void
  /**
   * Restricts sessions to printers for which the test does not throw. The start of the service skips the others; the
   * plugin that set the rule starts and ends their sessions with `connect` and `disconnect`. The test is repeated
   * before every command to a printer, which it refuses by throwing.
   */
  admitOnly (test: (name: string) => void): void
  /** A printer is called otherwise from now on: if it is the default one, it stays that. */
  renameDefault (from: string, to: string): void
  /** Ends the session and removes the printer. */
  remove (name: string): Promise<void>
  /** Starts a session for a configured printer, after ending a running one. */
  connect (name: string): Promise<PrinterSession>
  /** Ends the session; the printer stays configured. */
  disconnect (name: string): Promise<void>
  /** Called for every session, now and later; the returned disposer is called when that session ends. */
  each (follow: Follow): Dispose
  /** The same without sessions held by other services: for actions on printers, and their records. */
  eachLocal (follow: Follow): Dispose
}

export interface RegistryDeps extends RunningSessionsDeps {
  readonly defaultPrinter: string | undefined
  readonly onForgotten: (name: string) => void
}

/** @returns the registry, and functions for the kernel only */
export function createRegistry (printers: readonly PrinterConfig[], deps: RegistryDeps) {
  const list = createPrinterList(printers)
  const sessions = createRunningSessions(list, deps, name => admit(name))
  /** Serialises the changes of each printer. */
  const queue = createKeyedQueue()
  let listOthers: (() => readonly RemoteHolder[]) | undefined
  let admit: (name: string) => void = () => {}

  let { defaultPrinter } = deps
  const isDefault = (name: string): boolean => name.toLowerCase() === defaultPrinter?.toLowerCase()

  const choose = (name?: string): ChosenPrinter =>
    choosePrinter(name, list.names.find(isDefault) ?? defaultPrinter, sessions.all)

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
    renameDefault (from, to) { if (isDefault(from)) defaultPrinter = to },
    each: sessions.follow,
    eachLocal: follow => sessions.follow(session => session.remote === undefined ? follow(session) : undefined)
  }

  return {
    registry,
    /** Starts all sessions; a printer that is off only delays its own session. */
    connectAll: async () => {
      const begin = (name: string) => { if (sessions.get(name) === undefined && !sessions.closed) sessions.begin(name) }
      const start = (name: string) => queue.run(name, () => begin(name))
        .catch(error => deps.onFollowerError(error, name))
      await Promise.all(list.names.filter(isAdmitted).map(start))
    },
    /** Ends all sessions; none can start afterwards. */
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

/** Each change waits for earlier ones of the same printer. */
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
