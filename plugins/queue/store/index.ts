import type { Database } from '../../database/index.js'
import type { HeatRecord, Job, Run, SlicedFile } from '../types.js'
import * as failures from './failures.js'
import * as files from './files.js'
import * as heats from './heats.js'
import * as jobs from './jobs.js'
import * as pauses from './pauses.js'
import * as plates from './plates.js'
import * as runs from './runs.js'
import { readSnapshot } from './snapshot.js'
import { jobOf, type Db } from './tables.js'

export { MOST_OPEN } from './jobs.js'
export type { JobChanges } from './jobs.js'
export type { Confirmation } from './plates.js'
export type { End } from './runs.js'

export interface ListFilter {
  /** State of the jobs, such as `done`. */
  readonly state: string
  readonly limit: number
}

/**
 * The queue in the database; each method is one transaction. All throw the database's errors.
 * @param settings are read with every snapshot, so that no turn decides on older ones than its jobs
 */
export function createStore ({ query }: Pick<Database, 'query'>, settings: readonly { readIn (db: Db): Promise<unknown> }[]) {
  const run = <T>(work: (db: Db) => Promise<T>): Promise<T> => query(work)
  let version = 0
  /** Counted before and after: a reader in between has seen neither or both. */
  async function write<T> (work: (db: Db) => Promise<T>): Promise<T> {
    version++
    return await run(work).finally(() => { version++ })
  }
  return {
    /** Changes with every write of this service. */
    version: () => version,
    snapshot: () => run(async db => {
      for (const one of settings) await one.readIn(db)
      return await readSnapshot(db)
    }),
    addJob: (job: Job) => write(db => jobs.add(db, job)),
    findJob: (id: string) => run(db => jobs.find(db, id)),
    updateJob: (...[id, changes, before, now]: Tail<typeof jobs.update>) =>
      write(db => jobs.update(db, id, changes, before, now)),
    cancelJob: (id: string, now: number) => write(db => jobs.cancel(db, id, now)),
    retryJob: (id: string) => write(db => jobs.retry(db, id)),
    /** Jobs that are over, the newest first. */
    ended: ({ state, limit }: ListFilter) => run(async db => (await db.selectFrom('queue_jobs').selectAll()
      .where('state', '=', state).orderBy('ended_at', 'desc').orderBy('id').limit(limit).execute()).map(jobOf)),
    addFile: (file: SlicedFile) => write(db => files.add(db, file)),
    files: () => run(files.files),
    setParts: (...[id, plate, parts]: Tail<typeof files.setParts>) => write(db => files.setParts(db, id, plate, parts)),
    removeFile: (id: string) => write(db => files.remove(db, id)),
    claim: (...[what, spacings]: Tail<typeof runs.claim>) => write(db => runs.claim(db, what, spacings)),
    takeTurnAgain: (...args: Tail<typeof runs.takeTurnAgain>) => write(db => runs.takeTurnAgain(db, ...args)),
    aboutToSend: (what: Run, now: runs.Moment) => write(db => runs.aboutToSend(db, what, now)),
    change: (...[what, from, to, reason]: Tail<typeof runs.change>) =>
      write(db => runs.change(db, what, from, to, reason)),
    end: (what: Run, how: runs.End) => write(db => runs.end(db, what, how)),
    linkPrint: (what: Run, print: string) => run(db => runs.linkPrint(db, what, print)),
    unlinkedRun: (serial: string, isIt: (run: Run) => boolean) => run(db => runs.unlinkedRun(db, serial, isIt)),
    fileOfPrint: (print: string) => run(db => runs.fileOfPrint(db, print)),
    runsOf: (ids: readonly string[]) => run(db => runs.runsOf(db, ids)),
    activeRun: (serial: string) => run(db => runs.activeRun(db, serial)),
    confirmClear: (confirmation: plates.Confirmation) => write(db => plates.confirmClear(db, confirmation)),
    markUsed: (serial: string, now: number) => write(db => plates.markUsed(db, serial, now)),
    clearUsed: (plate: plates.UsedPlate) => write(db => plates.clearUsed(db, plate)),
    plates: () => run(plates.readPlates),
    pause: (pausing: pauses.Pausing) => write(db => pauses.pause(db, pausing)),
    resume: (...ids: string[]) => write(db => pauses.resume(db, ids)),
    beginMove: (move: pauses.Move) => write(db => pauses.beginMove(db, move)),
    endMove: (...[move]: Tail<typeof pauses.endMove>) => write(db => pauses.endMove(db, move)),
    /** Why its power has to stay on: a run that is open, and until when somebody may be at it. */
    occupationOf: (serial: string) => run(async db =>
      ({ run: await runs.activeRun(db, serial), movedUntil: await pauses.movedUntil(db, serial) })),
    failures: () => run(failures.readFailures),
    setMostFailures: (serial: string, most: number | undefined) => write(db => failures.setMost(db, serial, most)),
    release: (serial: string, stoppedAt: number) => write(db => failures.release(db, serial, stoppedAt)),
    tellStop: (serial: string, stoppedAt: number) => write(db => failures.tell(db, serial, stoppedAt)),
    mayGoOn: (what: Run, now: Omit<runs.Moment, 'shown'>) => run(db => runs.mayGoOn(db, what, now)),
    heats: () => run(heats.readHeats),
    beginHeat: (serial: string, heat: HeatRecord) => write(db => heats.begin(db, serial, heat)),
    warm: (heat: HeatRecord, warmAt: number | undefined) => write(db => heats.warm(db, heat, warmAt)),
    endHeat: (heat: Pick<HeatRecord, 'run'>) => write(db => heats.end(db, heat))
  }
}

type Tail<F> = F extends (db: Db, ...rest: infer R) => unknown ? R : never

export type Store = ReturnType<typeof createStore>
