import { JobEnded, NoJob, QueueFull, TooManyCopies } from '../errors.js'
import type { Job, JobState, Soak } from '../types.js'
import { jobOf, rowOfJob, type Db, type Tables } from './tables.js'

/** Most open jobs: each is compared with each printer at every turn. */
export const MOST_OPEN = 5_000
/** Most waiting copies: years of work for a room full of printers. */
export const MOST_WAITING = 20_000
/** Ended jobs that are retained. */
const MOST_ENDED = 5_000

/** Ends a job once no copy is waiting or in progress. The transaction must already have locked its row. */
export async function closeJob (change: Db, id: string, now: number): Promise<void> {
  const row = await change.selectFrom('queue_jobs').selectAll().where('id', '=', id).executeTakeFirst()
  if (row?.state !== 'open' || row.taken < row.copies) return
  const runs = await change.selectFrom('queue_runs').select(['state', 'ended_at']).where('job', '=', id).execute()
  if (runs.some(({ ended_at: endedAt }) => endedAt === null)) return
  const state: JobState = row.finished >= row.copies
    ? 'done'
    : runs.some(run => run.state === 'cancelled') ? 'cancelled' : 'failed'
  await change.updateTable('queue_jobs').set({ state, ended_at: now }).where('id', '=', id).execute()
}

async function bounds (db: Db) {
  const { first, last, count } = await db.selectFrom('queue_jobs').where('state', '=', 'open')
    .select(({ fn }) => [fn.min('position').as('first'), fn.max('position').as('last'), fn.countAll().as('count')])
    .executeTakeFirstOrThrow()
  return { first: first ?? 0, last: last ?? 0, count: Number(count) }
}

/** @throws PRN_ERR_QUEUE_COPIES when more copies wait than the queue takes */
async function checkWaiting (change: Db): Promise<void> {
  const { waiting } = await change.selectFrom('queue_jobs').where('state', '=', 'open')
    .select(({ fn, eb }) => fn.sum<number | null>(eb('copies', '-', eb.ref('taken'))).as('waiting')).executeTakeFirstOrThrow()
  if (Number(waiting) > MOST_WAITING) throw new TooManyCopies(MOST_WAITING)
}

/** Deletes the oldest ended jobs beyond the retained ones, with their runs. */
async function forgetOld (change: Db): Promise<void> {
  const old = await change.selectFrom('queue_jobs').select('id').where('state', '<>', 'open')
    .orderBy('ended_at', 'desc').offset(MOST_ENDED).limit(100).execute()
  if (old.length === 0) return
  const ids = old.map(({ id }) => id)
  await change.deleteFrom('queue_runs').where('job', 'in', ids).execute()
  await change.deleteFrom('queue_jobs').where('id', 'in', ids).execute()
}

/** Puts a job at the end. @throws PRN_ERR_QUEUE_FULL, PRN_ERR_QUEUE_COPIES */
export const add = (db: Db, job: Job): Promise<Job> => db.transaction().execute(async change => {
  const { last, count } = await bounds(change)
  if (count >= MOST_OPEN) throw new QueueFull(MOST_OPEN)
  const placed = { ...job, position: last + 1 }
  await change.insertInto('queue_jobs').values(rowOfJob(placed)).execute()
  await checkWaiting(change)
  await forgetOld(change)
  return placed
})

export async function find (db: Db, id: string): Promise<Job> {
  const row = await db.selectFrom('queue_jobs').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw new NoJob(id)
  return jobOf(row)
}

/** A position between two neighbours; undefined when floating point has none left. */
function between (before: number, after: number): number | undefined {
  const middle = (before + after) / 2
  return middle > before && middle < after ? middle : undefined
}

async function renumber (change: Db): Promise<void> {
  const rows = await change.selectFrom('queue_jobs').select('id').where('state', '=', 'open')
    .orderBy('position').orderBy('id').execute()
  for (const [at, { id }] of rows.entries()) {
    await change.updateTable('queue_jobs').set({ position: at + 1 }).where('id', '=', id).execute()
  }
}

/** The position before another job, or `first` or `last`. @throws PRN_ERR_NO_SUCH_JOB, PRN_ERR_QUEUE_JOB_ENDED */
async function positionFor (change: Db, id: string, before: string): Promise<number> {
  const { first, last } = await bounds(change)
  if (before === 'first') return first - 1
  if (before === 'last') return last + 1
  for (;;) {
    const next = await find(change, before)
    if (next.state !== 'open') throw new JobEnded(before, next.state)
    const { previous } = await change.selectFrom('queue_jobs').where('state', '=', 'open').where('id', '<>', id)
      .where('position', '<', next.position).select(({ fn }) => fn.max('position').as('previous'))
      .executeTakeFirstOrThrow()
    const found = previous === null ? next.position - 1 : between(previous, next.position)
    if (found !== undefined) return found
    await renumber(change)
  }
}

export type JobChanges = Partial<Pick<Tables['queue_jobs'],
  'name' | 'priority' | 'copies' | 'not_before' | 'retries' | 'held' | 'note'> & Pick<Job['needs'], 'allowLow' | 'acceptFindings'> & { /** null: none */ readonly soak: Soak | null }>

const atLeast = (wanted: number, { taken }: Job): number => Math.max(wanted, taken)

/**
 * Changes an open job. Lowering `copies` below the number in progress keeps those.
 * @throws PRN_ERR_NO_SUCH_JOB, PRN_ERR_QUEUE_JOB_ENDED, PRN_ERR_QUEUE_COPIES
 */
export const update = (
  db: Db, id: string, { allowLow, acceptFindings, soak, ...changes }: JobChanges, before: string | undefined,
  now: number
): Promise<Job> =>
  db.transaction().execute(async change => {
    await lock(change, id)
    const job = await find(change, id)
    if (job.state !== 'open') throw new JobEnded(id, job.state)
    const set = {
      ...changes,
      needs: JSON.stringify({
        ...job.needs,
        ...(allowLow !== undefined && { allowLow }),
        ...(acceptFindings && { acceptFindings }),
        ...(soak !== undefined && { soak })
      }),
      ...(changes.copies !== undefined && { copies: atLeast(changes.copies, job) }),
      ...(before !== undefined && before !== id && { position: await positionFor(change, id, before) })
    }
    await change.updateTable('queue_jobs').set(set).where('id', '=', id).execute()
    if ((changes.copies ?? 0) > job.copies) await checkWaiting(change)
    await closeJob(change, id, now)
    return await find(change, id)
  })

const lock = (change: Db, id: string) =>
  change.updateTable('queue_jobs').set(eb => ({ taken: eb.ref('taken') })).where('id', '=', id).execute()

/** Starts no further copy; those in progress continue. @throws PRN_ERR_NO_SUCH_JOB, PRN_ERR_QUEUE_JOB_ENDED */
export const cancel = (db: Db, id: string, now: number): Promise<Job> => db.transaction().execute(async change => {
  await lock(change, id)
  const job = await find(change, id)
  if (job.state !== 'open') throw new JobEnded(id, job.state)
  await change.updateTable('queue_jobs').set({ state: 'cancelled', ended_at: now }).where('id', '=', id).execute()
  return await find(change, id)
})

/**
 * Copies that failed or were cancelled wait again, and no printer is excluded any more.
 * @throws PRN_ERR_NO_SUCH_JOB, PRN_ERR_QUEUE_JOB_ENDED, PRN_ERR_QUEUE_FULL, PRN_ERR_QUEUE_COPIES
 */
export const retry = (db: Db, id: string): Promise<Job> => db.transaction().execute(async change => {
  await lock(change, id)
  const job = await find(change, id)
  if (job.state === 'done') throw new JobEnded(id, job.state)
  if (job.state !== 'open' && (await bounds(change)).count >= MOST_OPEN) throw new QueueFull(MOST_OPEN)
  const { active } = await change.selectFrom('queue_runs').where('job', '=', id).where('ended_at', 'is', null)
    .select(({ fn }) => fn.countAll().as('active')).executeTakeFirstOrThrow()
  await change.updateTable('queue_runs').set({ forgiven: 1 }).where('job', '=', id).execute()
  await change.updateTable('queue_jobs')
    .set({
      state: 'open',
      ended_at: null,
      held: Number(job.state === 'open' && job.held),
      taken: job.finished + Number(active)
    })
    .where('id', '=', id).execute()
  await checkWaiting(change)
  return await find(change, id)
})
