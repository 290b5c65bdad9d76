import type { ExpressionBuilder } from '../database/index.js'
import type { Db, Tables } from './tables.js'

/** A writer that has not renewed for this long loses its printers to another. */
const HOLD_S = 15
const RENEW_MS = 3_000

export interface WritersOptions {
  readonly query: <R> (work: (db: Db) => Promise<R>) => Promise<R>
  /** Of this service, across restarts. */
  readonly instance: string
  /** Printers whose prints this service could record now, by serial. */
  readonly wanted: () => readonly string[]
  /** This service starts to record a printer. */
  readonly begin: (serial: string) => Promise<void>
  /** Another service has taken over. */
  readonly end: (serial: string) => void
  /** Called after each round. */
  readonly renewed: (held: readonly string[]) => Promise<void>
  readonly onProblem: (error: Error) => void
}

type Writers = ExpressionBuilder<Tables, 'history_writers'>

/** Seconds by the database server's clock, because the clocks of services may differ. */
const serverTime = (eb: Writers) => eb.fn<number>('date_part', [eb.val('epoch'), eb.fn('clock_timestamp', [])])

/** Claims in the same order everywhere, so that services cannot deadlock. @returns what this service may record now */
const hold = async (db: Db, instance: string, serials: readonly string[]): Promise<string[]> => {
  if (serials.length === 0) return []
  const rows = await db.insertInto('history_writers')
    .values(eb => serials.toSorted().map(id => {
      const time = serverTime(eb as unknown as Writers)
      return { id, owner: instance, until: eb(time as never, '+', HOLD_S as never) as never }
    }))
    .onConflict(conflict => conflict.column('id')
      .doUpdateSet(eb => ({ owner: eb.ref('excluded.owner'), until: eb.ref('excluded.until') }))
      .where(eb => eb.or([
        eb('history_writers.owner', '=', instance),
        eb('history_writers.until', '<', serverTime(eb as unknown as Writers))
      ])))
    .returning('id').execute()
  return rows.map(({ id }) => id)
}

/**
 * Ensures that only one of several services with one database records a printer, and that another takes over when it is
 * gone. While the database is unreachable, each service continues with the printers that it recorded, and takes over
 * none: the others are still recorded by whoever did so. Only a service that has never reached it records all.
 */
export function createWriters (options: WritersOptions) {
  const { query, instance, wanted, begin, end, renewed, onProblem } = options
  const held = new Set<string>()
  let running: Promise<void> | undefined
  let isAgain = false
  let isClosed = false
  let hasHeld = false
  /** Of the last round that reached the database. */
  let granted: ReadonlySet<string> | undefined

  /** The printers that this service may record, among those that it could. */
  async function claim (serials: readonly string[]): Promise<ReadonlySet<string>> {
    try {
      granted = new Set(await query(db => hold(db, instance, serials)))
      return granted
    } catch (error) {
      onProblem(error as Error)
      return new Set(serials.filter(serial => granted?.has(serial) ?? true))
    }
  }

  async function round (): Promise<void> {
    const ours = await claim(wanted())
    for (const serial of held) {
      if (ours.has(serial)) continue
      held.delete(serial)
      end(serial)
    }
    for (const serial of ours) {
      if (held.has(serial) || isClosed) continue
      held.add(serial)
      hasHeld = true
      await begin(serial)
    }
    await renewed([...held]).catch(onProblem)
  }

  /** One round at a time; calls in between cause one more. */
  function renew (): void {
    if (running) {
      isAgain = true
      return
    }
    running = round().finally(() => {
      running = undefined
      if (isAgain && !isClosed) renew()
      isAgain = false
    })
  }

  const timer = setInterval(renew, RENEW_MS)
  timer.unref()
  return {
    /** A printer has come or gone. */
    renew,
    /** Another service may record the printer meanwhile, so it must be claimed again first. */
    suspend (serial: string): void { held.delete(serial) },
    /** Releases its printers, so that another service can take over at once. */
    async close (): Promise<void> {
      isClosed = true
      clearInterval(timer)
      await running
      if (!hasHeld) return
      await query(db => db.updateTable('history_writers').set({ until: 0 }).where('owner', '=', instance).execute())
        .catch(onProblem)
    }
  }
}
