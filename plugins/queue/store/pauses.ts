import type { Db } from './tables.js'

/** What is paused until when, ms since the epoch; Infinity: until somebody resumes it. */
export type Pauses = ReadonlyMap<string, number>

/** A pause with an end has a row of its own: it neither shortens nor replaces one that a person has made. */
const TIMED = 'timed:'
const idsOf = (id: string): string[] => [id, TIMED + id]

/** A printer, by both of its names: what people call it may change, and another one may get the name. */
export interface PrinterNames {
  readonly name: string
  readonly serial: string
}

/** Of a printer that people pause. By serial, so that it lasts when the printer is renamed. */
const pauseOfPrinter = (serial: string): string => `serial:${serial}`
/** Of one that somebody moves by hand: kept apart, as it also keeps its power on. */
const pauseOfMove = (serial: string): string => `moved:${serial}`
/** As earlier versions stored it. */
const pauseOfName = (name: string): string => `printer:${name}`

/** All pauses of a printer itself, first that of people. */
export const pausesOfPrinter = ({ name, serial }: PrinterNames): readonly [string, ...string[]] =>
  [pauseOfPrinter(serial), pauseOfMove(serial), pauseOfName(name)]

export interface Pausing {
  readonly id: string
  /** When it ends by itself; undefined: it does not. */
  readonly until: number | undefined
  readonly by: string
  readonly now: number
}

/** Pauses; of two ends the later one counts. */
export async function pause (db: Db, { id, until, by, now }: Pausing): Promise<void> {
  const row = { id: until === undefined ? id : TIMED + id, paused_at: now, paused_by: by, paused_until: until ?? null }
  const { id: _, ...columns } = row
  await db.insertInto('queue_pauses').values(row).onConflict(conflict => until === undefined
    ? conflict.column('id').doNothing()
    : conflict.column('id').doUpdateSet(columns).where('queue_pauses.paused_until', '<', until)).execute()
}

/** Ends every pause of these. */
export async function resume (db: Db, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('queue_pauses').where('id', 'in', ids.flatMap(idsOf)).execute()
}

/**
 * Keeps what an earlier version stored by name for the printer that has the name now, before it may be renamed. The row
 * stays: another service may have another printer of that name.
 */
async function copyNamed (db: Db, printers: readonly PrinterNames[]): Promise<void> {
  for (const { name, serial } of printers) {
    const [own, timed] = [pauseOfName(name), TIMED + pauseOfName(name)]
    const rows = await db.selectFrom('queue_pauses').selectAll().where('id', 'in', [own, timed]).execute()
    for (const row of rows) {
      const id = row.id === own ? pauseOfPrinter(serial) : TIMED + pauseOfPrinter(serial)
      await db.insertInto('queue_pauses').values({ ...row, id }).onConflict(conflict => conflict.column('id').doNothing()).execute()
    }
  }
}

/** Done once, with the first snapshot. */
export function namedPauses (printers: () => readonly PrinterNames[]) {
  let isDone = false
  return {
    async readIn (db: Db): Promise<void> {
      if (isDone) return
      await copyNamed(db, printers())
      isDone = true
    }
  }
}

export interface Move {
  readonly serial: string
  /** Until when somebody may be at it. */
  readonly until: number
  readonly now: number
}

/**
 * Keeps the queues of all services from a printer that is moved by hand, unless one of them is sending it a start. The
 * run is locked first: a start that is just being recorded has either seen the pause, or is seen here.
 * @returns `starts`: nothing was kept away; `again`: it had been moved a moment before
 */
export const beginMove = (db: Db, { serial, until, now }: Move): Promise<'starts' | 'began' | 'again'> =>
  db.transaction().execute(async change => {
    await change.updateTable('queue_runs').set(eb => ({ task: eb.ref('task') }))
      .where('serial', '=', serial).where('ended_at', 'is', null).execute()
    const run = await change.selectFrom('queue_runs').select('state')
      .where('serial', '=', serial).where('ended_at', 'is', null).executeTakeFirst()
    if (run?.state === 'sending') return 'starts'
    const before = await movedUntil(change, serial)
    await pause(change, { id: pauseOfMove(serial), until, by: 'moved by hand', now })
    return before > now ? 'again' : 'began'
  })

/** It was not moved after all. @param move as it began */
export async function endMove (db: Db, { serial, until }: Pick<Move, 'serial' | 'until'>): Promise<void> {
  await db.deleteFrom('queue_pauses').where('id', '=', TIMED + pauseOfMove(serial)).where('paused_until', '=', until).execute()
}

/** Until when somebody may be at a printer that was moved by hand by any service, ms since the epoch; 0: nobody. */
export async function movedUntil (db: Db, serial: string): Promise<number> {
  const row = await db.selectFrom('queue_pauses').select('paused_until').where('id', '=', TIMED + pauseOfMove(serial)).executeTakeFirst()
  return row?.paused_until ?? 0
}

export async function readPauses (db: Db): Promise<Pauses> {
  const rows = await db.selectFrom('queue_pauses').select(['id', 'paused_until']).execute()
  const pauses = new Map<string, number>()
  for (const { id, paused_until: until } of rows) {
    const of = id.startsWith(TIMED) ? id.slice(TIMED.length) : id
    pauses.set(of, Math.max(pauses.get(of) ?? 0, until ?? Infinity))
  }
  return pauses
}

/** A query for the pauses of these that are in force. */
export const inForce = (ids: readonly string[], now: number) => ({ selectFrom }: any) =>
  selectFrom('queue_pauses').select('id').where('id', 'in', ids.flatMap(idsOf))
    .where(({ or, eb }: any) => or([eb('paused_until', 'is', null), eb('paused_until', '>', now)]))
