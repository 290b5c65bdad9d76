import type { PrinterSession } from '../../core/index.js'
import { isSameJob } from './follow.js'
import { recordedNear, type Db } from './queries.js'
import { createRecorder, type RecorderOptions } from './recorder.js'
import type { PrintCommand } from './starts.js'
import type { Owner } from './tables.js'
import type { Print } from './types.js'

/** The recording service writes the end of a print within this time, s. */
const RECORDED_WITHIN_S = 20
/** Two services see the same start within this time, ms. */
const SAME_START_MS = 60_000
/** Ended prints that were not compared with the record yet; beyond this the oldest are dropped. */
const MOST = 1_000

export interface ObserverOptions extends Pick<RecorderOptions, 'faultsOf' | 'now' | 'steady' | 'save'> {
  readonly query: <R> (work: (db: Db) => Promise<R>) => Promise<R>
}

/** A service that started after the print does not know when that began, and may have observed only its end. */
const isSamePrint = (own: Print, recorded: Print): boolean => isSameJob(own.job, recorded.job) &&
  (Math.abs(own.startedAt - recorded.startedAt) < SAME_START_MS ||
    (recorded.result === 'running' && (own.result === 'running' || !own.startSeen)))

/** Merges what two services know about one print. @param recorded as the previous service has written it */
const joined = (own: Print, recorded: Print): Print => ({
  ...own,
  id: recorded.id,
  startedAt: recorded.startedAt,
  startSeen: recorded.startSeen,
  startedBy: recorded.startedBy === 'elsewhere' || recorded.startedBy === '' ? own.startedBy : recorded.startedBy,
  times: recorded.result === 'running' ? longer(own, recorded) : recorded.times,
  asked: own.asked ?? recorded.asked,
  queueJob: own.queueJob ?? recorded.queueJob,
  parts: own.parts ?? recorded.parts,
  projectPath: recorded.projectPath,
  md5: recorded.md5,
  planned: recorded.planned,
  ...(recorded.filaments.length > 0
    ? { filaments: recorded.filaments, mapping: recorded.mapping, feeds: recorded.feeds }
    : {})
})

/** A service that missed the start of the print has measured less. */
const longer = (own: Print, recorded: Print): Print['times'] => own.startSeen ? own.times : recorded.times

/**
 * Follows printers whose prints another service records, so that nothing is lost when that service goes away: this one
 * continues from here when it takes over, and records a print that is still missing some time after its end.
 */
export function createObserver ({ query, save, ...options }: ObserverOptions) {
  const { steady } = options
  const ended = new Map<string, { readonly print: Print, readonly owner: Owner, readonly at: number }>()
  const recorder = createRecorder({
    ...options,
    newest: {},
    shown: {},
    starts: {},
    persist: async () => {},
    persistShown () {},
    persistStarts () {},
    endedUnseen () {},
    learn: async () => undefined,
    announce () {},
    save (print, owner) {
      if (print.result === 'running') return
      ended.set(print.id, { print, owner, at: steady() })
      const [oldest] = ended.keys()
      if (ended.size > MOST && oldest !== undefined) ended.delete(oldest)
    }
  })

  async function check (print: Print, owner: Owner): Promise<void> {
    const rows = await query(db => recordedNear(db, owner.serial, print.startedAt, SAME_START_MS))
    const row = rows.find(({ name, plate, task_id: taskId }) =>
      isSameJob({ subtaskName: name, plate, taskId, subtaskId: '' }, { ...print.job, subtaskId: '' }))
    if (row === undefined) save(print, owner)
    else if (['running', 'unknown'].includes(row.result)) save({ ...print, id: row.id }, owner)
  }

  return {
    started: (command: PrintCommand, session: PrinterSession): void => recorder.started(command, session),
    stopped: (command: PrintCommand, session: PrinterSession): void => recorder.stopped(command, session),
    watch: (session: PrinterSession): (() => void) => recorder.watch(session),
    /** The print to continue from when this service takes over. @param recorded the newest print in the record */
    handOver (serial: string, recorded: Print | undefined): Print | undefined {
      const own = recorder.newest(serial)
      recorder.leave(serial)
      if (own === undefined) return recorded
      ended.delete(own.id) // the recorder has it now
      return recorded && isSamePrint(own, recorded) ? joined(own, recorded) : own
    },
    /** Records ended prints that are missing in the record. */
    async checkEnded (): Promise<void> {
      for (const [id, { print, owner, at }] of ended) {
        if (steady() - at < RECORDED_WITHIN_S) continue
        await check(print, owner)
        ended.delete(id)
      }
    }
  }
}

export type Observer = ReturnType<typeof createObserver>
