import { keptUntil, type Spacing } from '../spacings.js'
import type { Job, Run, RunState } from '../types.js'
import { countEnd, isStopped } from './failures.js'
import { closeJob } from './jobs.js'
import { inForce } from './pauses.js'
import { jobOf, rowOfRun, runOf, type Db } from './tables.js'

/** Another service, or another report, changed the row first. */
class Lost extends Error {}

/** @returns false when another service changed a row first; the transaction is rolled back then */
async function atomically (db: Db, work: (change: Db) => Promise<void>): Promise<boolean> {
  try {
    await db.transaction().execute(work)
    return true
  } catch (error) {
    if (error instanceof Lost) return false
    throw error
  }
}

const mustChange = (changed: bigint): void => { if (changed !== 1n) throw new Lost() }

type Taking = Pick<Run, 'id' | 'serial' | 'printer' | 'createdAt'>

/** Nobody takes the last turn of a printer that was warmed before: it would be warmed in vain, and then again. */
async function giveWay (change: Db, { ms, names, serials }: Spacing, run: Taking, now: number): Promise<void> {
  const { id, serial, printer } = run
  const heats = await change.selectFrom('queue_heats').innerJoin('queue_runs', 'queue_runs.id', 'queue_heats.run')
    .where('queue_runs.state', '=', 'preparing')
    .where(({ eb, or }) => or([eb('queue_heats.id', 'in', [serial, ...serials]), eb('queue_runs.printer', 'in', [printer, ...names])]))
    .select(['queue_heats.run', 'queue_heats.heated_at']).execute()
  const own = heats.find(heat => heat.run === id)?.heated_at ?? Infinity
  if (heats.some(({ heated_at: heatedAt }) => heatedAt < own && keptUntil({ heatedAt }, ms, now) > 0)) throw new Lost()
}

/** @param own a turn that was taken before does not count */
async function takeTurn (change: Db, spacing: Spacing, run: Taking, now: number, own = 0): Promise<void> {
  const { group, ms } = spacing
  await giveWay(change, spacing, run, now)
  await change.insertInto('queue_groups').values({ id: group, started_at: 0 })
    .onConflict(conflict => conflict.column('id').doNothing()).execute()
  const { numUpdatedRows } = await change.updateTable('queue_groups').set({ started_at: now })
    .where('id', '=', group)
    .where(builder => builder.or([builder('started_at', '<=', now - ms), builder('started_at', '=', own)])).executeTakeFirst()
  mustChange(numUpdatedRows)
}

/**
 * Records a decision before anything is sent: the run reserves the copy, the plate and the groups' spacing, or nothing.
 * Each step updates a row only if it is in the expected state, so only one of two services succeeds.
 */
export const claim = (db: Db, run: Run, spacings: readonly Spacing[]) => atomically(db, async change => {
  const job = await change.updateTable('queue_jobs').set(eb => ({ taken: eb('taken', '+', 1) }))
    .where('id', '=', run.job).where('state', '=', 'open').where('held', '=', 0)
    .whereRef('taken', '<', 'copies').executeTakeFirst()
  mustChange(job.numUpdatedRows)
  const plate = await change.updateTable('queue_plates').set({ state: 'taken', run: run.id })
    .where('id', '=', run.serial).where('state', '=', 'clear')
    .where(builder => builder.not(builder.exists(isStopped(run.serial)(builder)))).executeTakeFirst()
  mustChange(plate.numUpdatedRows)
  for (const spacing of spacings) await takeTurn(change, spacing, run, run.createdAt)
  await change.insertInto('queue_runs').values(rowOfRun(run)).execute()
})

/** Takes the turn of a claimed run again, since warming took its time. @returns false: another print has just begun */
export const takeTurnAgain = (db: Db, run: Taking, spacings: readonly Spacing[], now: number) =>
  atomically(db, async change => {
    for (const spacing of spacings) await takeTurn(change, spacing, run, now, run.createdAt)
  })

export interface Moment {
  /** Identity of the job that the printer reports. */
  readonly shown: string
  /** Of which none may be in force. */
  readonly pauses: readonly string[]
  readonly now: number
}

/** The last moment to withdraw: from now on the start may have been sent. */
export const aboutToSend = (db: Db, { id, job, owner }: Run, { shown, pauses, now }: Moment): Promise<boolean> =>
  atomically(db, async change => {
    // Waits for a move by hand that locks it: only what is asked afterwards sees the pause of that one.
    await change.updateTable('queue_runs').set(eb => ({ task: eb.ref('task') })).where('id', '=', id).execute()
    const { numUpdatedRows } = await change.updateTable('queue_runs').set({ state: 'sending', before: shown, sent_at: now })
      .where('id', '=', id).where('state', '=', 'preparing').where('owner', '=', owner)
      .where(({ exists, selectFrom }) => exists(selectFrom('queue_jobs').select('id')
        .where('id', '=', job).where('state', '=', 'open').where('held', '=', 0)))
      .where(builder => builder.not(builder.exists(inForce(pauses, now)(builder))))
      .executeTakeFirst()
    mustChange(numUpdatedRows)
  })

/** Whether a start that has not been sent is still wanted. */
export async function mayGoOn (db: Db, { id, job }: Pick<Run, 'id' | 'job'>, { pauses, now }: Omit<Moment, 'shown'>): Promise<boolean> {
  const row = await db.selectFrom('queue_runs').select('id').where('id', '=', id).where('state', '=', 'preparing')
    .where(({ exists, selectFrom }) => exists(selectFrom('queue_jobs').select('id')
      .where('id', '=', job).where('state', '=', 'open').where('held', '=', 0)))
    .where(builder => builder.not(builder.exists(inForce(pauses, now)(builder)))).executeTakeFirst()
  return row !== undefined
}

/** Moves a run to another active state. @returns whether it was in one of the states in `from` */
export async function change (db: Db, { id }: Run, from: readonly RunState[], to: RunState, reason = ''):
Promise<boolean> {
  const { numUpdatedRows } = await db.updateTable('queue_runs').set({ state: to, reason })
    .where('id', '=', id).where('state', 'in', from).executeTakeFirst()
  return numUpdatedRows === 1n
}

export interface End {
  readonly state: Extract<RunState, 'finished' | 'failed' | 'cancelled' | 'not_started'>
  readonly reason: string
  /** State of the plate afterwards; `as_before`: nothing was sent. */
  readonly plate: 'clear' | 'used' | 'as_before'
  /** Identity of the job that the printer reports. */
  readonly identity: string
  readonly by: string
  readonly now: number
  /** So many failures in a row stop the printer, unless a person has set another number for it; 0: never. */
  readonly mostFailures: number
  /** The job starts no further copy until a person releases it. */
  readonly holdsJob?: boolean
  /** Only from one of these states; left out: from any in which it has not ended. */
  readonly from?: readonly RunState[]
}

/** Whether a copy that ended this way is printed again. */
async function isRepeated (change: Db, { retries, id }: Job, { state }: End): Promise<boolean> {
  if (state === 'not_started') return true
  if (state !== 'failed') return false
  const { failures } = await change.selectFrom('queue_runs').where('job', '=', id).where('state', '=', 'failed').where('forgiven', '=', 0)
    .select(({ fn }) => fn.countAll().as('failures')).executeTakeFirstOrThrow()
  return Number(failures) <= retries
}

async function leavePlate (change: Db, run: Run, { plate, identity, by, now }: End): Promise<void> {
  const isAsBefore = plate === 'as_before'
  const row = { state: isAsBefore ? 'clear' : plate, run: null, changed_at: now, ...(!isAsBefore && { changed_by: by, job: identity }) }
  const update = change.updateTable('queue_plates').set(row).where('id', '=', run.serial)
  // If a print was observed meanwhile the plate is used, even though this run was never sent.
  await (isAsBefore ? update.where('run', '=', run.id).where('state', '=', 'taken') : update).execute()
}

/** Ends a run. @returns false when it had already ended, or was in another state */
export const end = (db: Db, run: Run, how: End): Promise<boolean> => atomically(db, async change => {
  // Locks the job's row first, in the same order as a claim, so that the two cannot deadlock.
  await change.updateTable('queue_jobs').set(eb => ({ taken: eb.ref('taken') })).where('id', '=', run.job).execute()
  const active = change.updateTable('queue_runs').set({ state: how.state, reason: how.reason, ended_at: how.now })
    .where('id', '=', run.id).where('ended_at', 'is', null)
  const { numUpdatedRows } = await (how.from ? active.where('state', 'in', how.from) : active).executeTakeFirst()
  mustChange(numUpdatedRows)
  await leavePlate(change, run, how)
  await countEnd(change, run, how)
  const row = await change.selectFrom('queue_jobs').selectAll().where('id', '=', run.job).executeTakeFirst()
  if (!row) return
  const job = jobOf(row)
  const repeated = await isRepeated(change, job, how)
  await change.updateTable('queue_jobs').set({
    // A cancelled job prints no copy again.
    taken: repeated && job.state === 'open' ? job.taken - 1 : job.taken,
    finished: job.finished + Number(how.state === 'finished'),
    held: Number(job.held || how.holdsJob === true)
  }).where('id', '=', job.id).execute()
  await closeJob(change, job.id, how.now)
})

export async function linkPrint (db: Db, { id }: Run, print: string): Promise<void> {
  await db.updateTable('queue_runs').set({ print }).where('id', '=', id).where('print', '=', '').execute()
}

/** Runs that may match a print: a printer has no more of them between its start and its record. */
const NEWEST_RUNS = 5

/** The run that belongs to a print, whatever its state by now. @param isIt whether a run is that print */
export async function unlinkedRun (db: Db, serial: string, isIt: (run: Run) => boolean): Promise<Run | undefined> {
  const rows = await db.selectFrom('queue_runs').selectAll().where('serial', '=', serial).where('print', '=', '')
    .orderBy('created_at', 'desc').limit(NEWEST_RUNS).execute()
  return rows.map(runOf).find(isIt)
}

/** Id of the library file that was printed. */
export const fileOfPrint = async (db: Db, print: string): Promise<string | undefined> =>
  (await db.selectFrom('queue_runs').select('file').where('print', '=', print).executeTakeFirst())?.file

export const runsOf = async (db: Db, jobs: readonly string[]): Promise<Run[]> => jobs.length === 0
  ? []
  : (await db.selectFrom('queue_runs').selectAll().where('job', 'in', jobs).orderBy('created_at').execute()).map(runOf)

export async function activeRun (db: Db, serial: string): Promise<Run | undefined> {
  const row = await db.selectFrom('queue_runs').selectAll().where('serial', '=', serial).where('ended_at', 'is', null)
    .executeTakeFirst()
  return row && runOf(row)
}
