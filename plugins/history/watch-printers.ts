import { randomUUID } from 'node:crypto'
import { nameOfCaller, type Plugin, type PrinterSession } from '../../core/index.js'
import type {} from '../projects/index.js' // its event, where that plugin is loaded
import { closeForgotten, isOpen, newestOf, takeCommands, type Db } from './queries.js'
import type { Observer } from './observer.js'
import type { Recorder } from './recorder.js'
import type { PrintCommand } from './starts.js'
import { ownerOf, type Owner } from './tables.js'
import { createWriters } from './writers.js'

type Setup = Parameters<NonNullable<Plugin['setup']>>[0]

export interface WatchOptions extends Pick<Setup, 'printers' | 'events' | 'onReady'> {
  readonly database: Setup['services']['database']
  readonly recorder: Recorder
  /** Of what other services record. */
  readonly observer: Observer
  /** Of this service, across restarts. */
  readonly instance: string
  readonly now: () => number
  readonly onProblem: (error: Error) => void
}

/**
 * Has prints recorded of the printers that this service is connected to, and of who began or stopped them. Where
 * several services share a database, one of them records a printer, and the others pass on to it what people did.
 */
export function watchPrinters (options: WatchOptions) {
  const { printers, events, database, recorder, observer, instance, now, onReady, onProblem } = options
  const isShared = database.status.kind === 'postgres'
  const known = new Map<string, PrinterSession>()
  /** What ends following a printer, by serial. */
  const following = new Map<string, () => void>()
  /** Serials of those whose prints are recorded here. */
  const recorded = new Set<string>()
  const owners = new Map<string, Owner>()
  /** Serials of those whose prints this service has gone on with, be the printer here or not. */
  const taken = new Set<string>()
  /** Of printers that went before it was known who records them, by serial: their prints are ended if it is us. */
  const gone = new Map<string, Owner>()
  /** Those of them that the current round asks for. */
  let asked: readonly string[] = []
  const forget = (serials: readonly string[]) =>
    database.query((db: Db) => closeForgotten(db, serials, recorder.newestIds()))

  function record (session: PrinterSession): void {
    const owner = ownerOf(session)
    unfollow(owner.serial)
    recorder.catchUp(owner, id => database.query((db: Db) => isOpen(db, id))).catch(onProblem)
    recorded.add(owner.serial)
    following.set(owner.serial, recorder.watch(session))
  }

  function observe (session: PrinterSession): void {
    unfollow(session.config.serial)
    following.set(session.config.serial, observer.watch(session))
  }

  /** A printer that is not in reach may be another service's before it comes back. */
  function suspend (owner: Owner): void {
    if (!writers || !recorded.has(owner.serial)) return
    recorder.flush([owner]).catch(onProblem)
    taken.delete(owner.serial)
    writers.suspend(owner.serial)
    const session = known.get(owner.serial)
    if (session) observe(session)
  }

  function unfollow (serial: string): void {
    following.get(serial)?.()
    following.delete(serial)
    recorded.delete(serial)
  }

  /** What the service before has recorded is gone on with, as after a restart. */
  async function takeOver (serial: string): Promise<void> {
    const last = await database.query((db: Db) => newestOf(db, serial)).catch(onProblem)
    const own = recorder.newest(serial)
    const recorded = last && last.writer !== instance ? last.print : own ?? last?.print
    const next = observer.handOver(serial, recorded)
    if (next && next !== own) recorder.goOn(serial, next)
    taken.add(serial)
    const session = known.get(serial) // it may have come or gone meanwhile
    const owner = gone.get(serial)
    gone.delete(serial)
    if (session) {
      if (next && next !== recorded) recorder.adopt(next, recorded, session)
      record(session)
      if (session.live) recorder.observe(session)
      forget([serial]).catch(onProblem)
    } else {
      writers?.suspend(serial) // under whatever name it comes back, it is gone on with again
      if (owner) recorder.forget(owner)
    }
  }

  function tell (command: PrintCommand, session: PrinterSession): void {
    const to = recorded.has(session.config.serial) ? recorder : observer
    if (command.kind === 'start') to.started(command, session)
    else to.stopped(command, session)
  }

  async function hearCommands (serials: readonly string[]): Promise<void> {
    for (const { serial, ...command } of await database.query((db: Db) => takeCommands(db, serials))) {
      const session = known.get(serial)
      if (session) tell(command, session)
    }
  }

  const writers = isShared
    ? createWriters({
      query: database.query,
      instance,
      wanted () {
        asked = [...gone.keys()]
        return [...[...known].filter(([, { live }]) => live).map(([serial]) => serial), ...asked]
      },
      begin: takeOver,
      end (serial) {
        taken.delete(serial)
        recorder.leave(serial)
        const session = known.get(serial)
        if (session) observe(session)
      },
      async renewed (held) {
        for (const serial of asked) gone.delete(serial) // what is left of them another service records
        await hearCommands(held)
        await observer.checkEnded()
      },
      onProblem
    })
    : undefined

  printers.eachLocal(session => {
    const owner = ownerOf(session)
    owners.set(session.name, owner)
    known.set(owner.serial, session)
    gone.delete(owner.serial)
    if (writers) observe(session)
    else record(session)
    const off = writers ? session.events.on('live', live => { if (live) writers.renew(); else suspend(owner) }) : () => {}
    if (session.live) writers?.renew()
    return () => {
      off()
      if (known.get(owner.serial) !== session) return
      suspend(owner)
      known.delete(owner.serial)
      unfollow(owner.serial)
    }
  })
  events.on('printer:forgotten', name => {
    const owner = owners.get(name)
    owners.delete(name)
    if (!owner) return
    if (!writers || taken.has(owner.serial)) {
      recorder.forget(owner)
    } else {
      gone.set(owner.serial, owner)
      writers.renew()
    }
  })

  events.on('projects:starting', (printer, { wish: asked, by, job }) => {
    pass({ kind: 'start', by, calledAt: now(), asked, job }, printers.get(printer))
  })
  events.on('operation:done', done => {
    if (done.operation !== 'print.stop' || done.printer === undefined) return
    const { calledAt } = done
    pass({ kind: 'stop', by: nameOfCaller(done), calledAt, asked: undefined }, printers.get(done.printer))
  })

  function pass (command: PrintCommand, session: PrinterSession | undefined): void {
    if (session === undefined || known.get(session.config.serial) !== session) return
    const { serial } = session.config
    tell(command, session)
    if (recorded.has(serial)) return
    database.put({
      table: 'history_told',
      values: {
        id: randomUUID(),
        serial,
        kind: command.kind,
        caller: command.by,
        called_at: command.calledAt,
        asked: command.asked === undefined ? '' : JSON.stringify(command.asked),
        job: command.job === undefined ? '' : JSON.stringify(command.job)
      }
    })
  }

  onReady(() => {
    const serials = printers.names.filter(isHeldHere).flatMap(name => printers.config(name)?.serial ?? [])
    if (!isShared && serials.length > 0) forget(serials).catch(onProblem)
  })

  /** What another service holds, that one records. */
  function isHeldHere (printer: string): boolean {
    try {
      printers.checkAdmitted(printer)
      return true
    } catch {
      return false
    }
  }

  return {
    records: (serial: string): boolean => recorded.has(serial),
    /** Sessions whose prints are recorded here. */
    sessions: (): PrinterSession[] => [...known].flatMap(([serial, session]) => recorded.has(serial) ? session : []),
    async close (): Promise<void> {
      await recorder.flush([...owners.values()].filter(({ serial }) => recorded.has(serial) || !isShared))
      await writers?.close()
    }
  }
}
