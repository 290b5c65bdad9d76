import { createKeyedQueue, type Dispose, type PrinterSession } from '../../../core/index.js'
import { BackgroundTasks } from './background-tasks.js'
import { TimelapseEncoder, type EncoderDeps } from './encoder.js'
import { openJobFolders } from './job-folder.js'
import { JobTracker, type JobTrackerDeps } from './job-tracker.js'

/** Takes pictures of jobs, and makes a video of them when a job has ended. */
export interface Timelapse {
  follow (session: PrinterSession): Dispose
  /** The printer is no longer configured: what there is of its job becomes a video. */
  forget (printer: string): void
  /** The user has deleted one that could not be encoded. */
  discard (id: string): Promise<void>
  /** Resolves when nothing is read or written any more. */
  close (): Promise<void>
}

export interface TimelapseDeps extends EncoderDeps, JobTrackerDeps {
  readonly isConfigured: (printer: string) => boolean
}

const TICK_MS = 1_000

/** Goes on with the jobs that an earlier run has left, and encodes those that ended meanwhile. */
export async function createTimelapse (deps: TimelapseDeps): Promise<Timelapse> {
  const { store, isConfigured, signal, log } = deps
  const folders = await openJobFolders(store.folder)
  const tasks = new BackgroundTasks(error => { if (!signal.aborted) log.error({ err: error }, 'a timelapse failed') })
  const encoder = new TimelapseEncoder(deps, folders, tasks)
  const tracker = new JobTracker(deps, folders, folder => encoder.begin(folder))
  /** Work for one printer runs in the order it came. */
  const work = createKeyedQueue()
  const queue = (printer: string, task: () => Promise<void>) => tasks.run(work.run(printer, task, signal))

  function follow (session: PrinterSession): Dispose {
    let isQueued = false
    const update = async () => {
      isQueued = false
      if (session.state !== undefined) await tracker.update(session, session.state)
    }
    const notice = () => {
      if (isQueued || session.state === undefined || signal.aborted || tracker.isIdle(session)) return
      isQueued = true
      queue(session.name, update)
    }
    const off = session.events.on('state', notice)
    const timer = setInterval(notice, TICK_MS).unref()
    notice()
    return () => {
      off()
      clearInterval(timer)
    }
  }

  for (const folder of await folders.ended()) encoder.begin(folder)
  for (const folder of await folders.allUnfinished()) {
    if (!isConfigured(folder.description.recording.printer)) await tracker.end(folder)
  }
  return {
    follow,
    forget: printer => queue(printer, () => tracker.endAll(printer)),
    discard: folders.remove,
    async close () {
      encoder.close()
      await tasks.settled()
    }
  }
}
