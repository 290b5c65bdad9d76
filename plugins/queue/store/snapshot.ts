import type { Attempt, RunState, Snapshot } from '../types.js'
import { readFailures } from './failures.js'
import { files } from './files.js'
import { readHeats } from './heats.js'
import { readPauses } from './pauses.js'
import { readPlates } from './plates.js'
import { jobOf, runOf, type Db } from './tables.js'

async function attemptsOf (db: Db): Promise<Map<string, Attempt[]>> {
  const rows = await db.selectFrom('queue_runs')
    .innerJoin('queue_jobs', 'queue_jobs.id', 'queue_runs.job').where('queue_jobs.state', '=', 'open')
    .where('queue_runs.forgiven', '=', 0).where('queue_runs.state', 'in', ['failed', 'not_started'])
    .select(['queue_runs.job', 'queue_runs.serial', 'queue_runs.printer', 'queue_runs.state', 'queue_runs.reason',
      'queue_runs.ended_at'])
    .orderBy('queue_runs.ended_at').execute()
  const attempts = new Map<string, Attempt[]>()
  for (const { job, ended_at: endedAt, state, ...rest } of rows) {
    const own = attempts.get(job) ?? []
    attempts.set(job, own)
    own.push({ ...rest, state: state as RunState, endedAt: endedAt ?? 0 })
  }
  return attempts
}

async function usedOf (db: Db): Promise<Map<string, number>> {
  const rows = await db.selectFrom('queue_runs').where('state', '<>', 'not_started')
    .select(['serial', ({ fn }) => fn.sum('seconds').as('seconds')]).groupBy('serial').execute()
  return new Map(rows.map(({ serial, seconds }) => [serial, Number(seconds)]))
}

/** Reads everything that a turn of the queue decides on. */
export async function readSnapshot (db: Db): Promise<Snapshot> {
  const jobs = await db.selectFrom('queue_jobs').selectAll().where('state', '=', 'open')
    .orderBy('priority', 'desc').orderBy('position').orderBy('id').execute()
  const runs = await db.selectFrom('queue_runs').selectAll().where('ended_at', 'is', null).execute()
  const groups = await db.selectFrom('queue_groups').selectAll().execute()
  return {
    jobs: jobs.map(jobOf),
    runs: runs.map(runOf),
    files: new Map((await files(db)).map(file => [file.id, file])),
    plates: await readPlates(db),
    pauses: await readPauses(db),
    groupStarts: new Map(groups.map(({ id, started_at: at }) => [id, at])),
    attempts: await attemptsOf(db),
    used: await usedOf(db),
    failures: await readFailures(db),
    heats: await readHeats(db)
  }
}
