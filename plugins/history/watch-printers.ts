import { setTimeout as sleep } from 'node:timers/promises'
import { nameOfCaller, type Plugin, type PrinterSession } from '../../core/index.js'
import type {} from '../projects/index.js' // its event, if that plugin is loaded
import { CommandRelay } from './command-relay.js'
import { FollowedPrinters } from './followed-printers.js'
import type { Observer } from './observer.js'
import { closeForgotten, isOpen, type Db } from './queries.js'
import type { Recorder } from './recorder.js'
import { SharedRecording } from './shared-recording.js'
import { ownerOf, type Owner } from './tables.js'

type Setup = Parameters<NonNullable<Plugin['setup']>>[0]

/** The database may come back later than the printers. */
const RETRY_MS = 5_000

export interface WatchOptions extends Pick<Setup, 'printers' | 'events' | 'onReady'> {
  readonly database: Setup['services']['database']
  readonly recorder: Recorder
  /** Follows printers that other services record. */
  readonly observer: Observer
  /** Of this service, across restarts. */
  readonly instance: string
  readonly now: () => number
  readonly onProblem: (error: Error) => void
  readonly retryMs?: number
}

/** Asks the database until it answers. Printers that come and go while it is away must not add to the questions. */
function createAsker ({ database, onProblem, retryMs = RETRY_MS }: WatchOptions, signal: AbortSignal) {
  const newest = new Map<string, symbol>()
  /**
   * @param key a later question with the same one takes its place
   * @param question is asked again if it gives undefined
   * @param isWanted asked before each try
   * @returns undefined if it was replaced, or is not wanted any more
   */
  return async function ask<R> (key: string, question: (db: Db) => Promise<R | undefined>, isWanted = () => true):
  Promise<R | undefined> {
    const own = Symbol(key)
    newest.set(key, own)
    try {
      for (let isFirst = true; newest.get(key) === own && isWanted(); isFirst = false) {
        const failed = (error: Error): undefined => { if (isFirst) onProblem(error) }
        const answer = await database.query(question).catch(failed)
        if (answer !== undefined) return answer
        await sleep(retryMs, undefined, { signal, ref: false })
      }
      return undefined
    } finally {
      if (newest.get(key) === own) newest.delete(key)
    }
  }
}

/**
 * Records the prints of the connected printers, with the user who started or stopped them. If several services share a
 * database, one of them records a printer and the others pass commands on to it.
 */
export function watchPrinters (options: WatchOptions) {
  const { printers, events, database, recorder, observer, instance, onReady, onProblem } = options
  const closing = new AbortController()
  const followed = new FollowedPrinters(recorder, observer)
  const relay = new CommandRelay({ database, followed, recorder, observer })
  const owners = new Map<string, Owner>()

  const ask = createAsker(options, closing.signal)
  const unlessClosed = (error: Error): void => { if (!closing.signal.aborted) onProblem(error) }
  const forget = (serials: readonly string[]): void => {
    ask('forgotten', db => closeForgotten(db, serials, recorder.newestIds())).catch(unlessClosed)
  }
  /** Another service may record the printer before the database answers. */
  const forgetHeld = (serial: string): void => {
    ask(`forgotten ${serial}`, db => closeForgotten(db, [serial], recorder.newestIds(), instance), () => followed.isRecorded(serial))
      .catch(unlessClosed)
  }

  function record (session: PrinterSession): void {
    const owner = ownerOf(session)
    recorder.catchUp(owner, async id => await ask(`open ${id}`, db => isOpen(db, id)) === true).catch(unlessClosed)
    followed.record(session)
  }

  const shared = database.status.kind === 'postgres'
    ? new SharedRecording({
      database,
      followed,
      recorder,
      observer,
      instance,
      record,
      closeForgotten: forgetHeld,
      onHeld: held => relay.receive(held),
      onProblem
    })
    : undefined

  printers.eachLocal(session => {
    const owner = ownerOf(session)
    owners.set(session.name, owner)
    followed.add(session)
    if (!shared) record(session)
    const off = shared?.add(session)
    return () => {
      off?.()
      if (!followed.has(session)) return
      shared?.suspend(owner)
      followed.remove(owner.serial)
    }
  })
  events.on('printer:forgotten', name => {
    const owner = owners.get(name)
    owners.delete(name)
    if (!owner) return
    if (shared) shared.remove(owner)
    else recorder.forget(owner)
  })
  passCommands(options, relay)
  onReady(() => {
    const serials = printers.names.filter(name => isHeldHere(printers, name))
      .flatMap(name => printers.config(name)?.serial ?? [])
    if (!shared && serials.length > 0) forget(serials)
  })

  return {
    records: (serial: string): boolean => followed.isRecorded(serial),
    /** Sessions whose prints are recorded here. */
    sessions: (): PrinterSession[] => followed.recorded(),
    async close (): Promise<void> {
      closing.abort()
      await recorder.flush([...owners.values()].filter(({ serial }) => !shared || followed.isRecorded(serial)))
      await shared?.close()
    }
  }
}

function passCommands ({ events, printers, now }: WatchOptions, relay: CommandRelay): void {
  events.on('projects:starting', (printer, { request: asked, by, job }) => {
    relay.pass({ kind: 'start', by, calledAt: now(), asked, job }, printers.get(printer))
  })
  events.on('operation:done', done => {
    if (done.operation !== 'print.stop' || done.printer === undefined) return
    const { calledAt } = done
    relay.pass({ kind: 'stop', by: nameOfCaller(done), calledAt, asked: undefined }, printers.get(done.printer))
  })
}

/** A printer that another service holds is recorded there. */
function isHeldHere (printers: WatchOptions['printers'], name: string): boolean {
  try {
    printers.checkAdmitted(name)
    return true
  } catch {
    return false
  }
}
