import type { ExpressionBuilder } from '../database/index.js'
import type { Db, Tables } from './tables.js'

/** Who is not heard of so long writes no more; the next one goes on with its record. */
const HOLD_S = 15
const RENEW_MS = 3_000

export interface WritersOptions {
  readonly query: <R> (work: (db: Db) => Promise<R>) => Promise<R>
  /** Of this service, across restarts. */
  readonly instance: string
  /** Printers whose prints this service could record now, by serial. */
  readonly wanted: () => readonly string[]
  /** From now on this service records the prints of a printer. */
  readonly begin: (serial: string) => Promise<void>
  /** Another service does. */
  readonly end: (serial: string) => void
  /** Told after each round. */
  readonly renewed: (held: readonly string[]) => Promise<void>
  readonly onProblem: (error: Error) => void
}

type Writers = ExpressionBuilder<Tables, 'history_writers'>

/** Seconds by the server's clock: those of the services may differ. */
const serverTime = (eb: Writers) => eb.fn<number>('date_part', [eb.val('epoch'), eb.fn('clock_timestamp', [])])

/** @returns those of the printers that this service may write of now */
const hold = async (db: Db, instance: string, serials: readonly string[]): Promise<string[]> => {
  if (serials.length === 0) return []
  const rows = await db.insertInto('history_writers')
    .values(eb => serials.map(id => {
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
 * Sees to it that of several services over one database one records the prints of a printer, and that another goes on
 * when it is gone. While the database is away everybody goes on as before.
 */
export function createWriters (options: WritersOptions) {
  const { query, instance, wanted, begin, end, renewed, onProblem } = options
  const held = new Set<string>()
  let running: Promise<void> | undefined
  let isAgain = false
  let isClosed = false
  let hasHeld = false

  async function round (): Promise<void> {
    const serials = wanted()
    // Without an answer nobody else can take over either.
    const ours = new Set(await query(db => hold(db, instance, serials)).catch((error: Error) => {
      onProblem(error)
      return serials
    }))
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

  /** One round at a time; what is asked for meanwhile makes one more. */
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
    /** What is recorded of a printer may go on elsewhere: it is asked for anew before this service goes on with it. */
    suspend (serial: string): void { held.delete(serial) },
    /** Leaves its printers to the next one at once. */
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
