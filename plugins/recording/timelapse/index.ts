import { createKeyedQueue, type Dispose, type PrinterSession } from '../../../core/index.js'
import { BackgroundTasks } from './background-tasks.js'
import { TimelapseEncoder, type EncoderDeps } from './encoder.js'
import { openJobFolders } from './job-folder.js'
import { JobTracker, type JobTrackerDeps } from './job-tracker.js'

/** Takes pictures during jobs and makes a video when a job has ended. */
export interface Timelapse {
  follow (session: PrinterSession): Dispose
  /** Called when a printer is removed: the pictures of its job become a video. */
  forget (printer: string): void
  /** Removes the pictures of a timelapse that the user deleted. */
  discard (id: string): Promise<void>
  /** Resolves when all reads and writes are done. */
  close (): Promise<void>
}

export interface TimelapseDeps extends EncoderDeps, JobTrackerDeps {
  readonly isConfigured: (printer: string) => boolean
}

const TICK_MS = 1_000

/** Resumes unfinished jobs of an earlier run and encodes those that have ended. */
export async function createTimelapse (deps: TimelapseDeps): Promise<Timelapse> {
  const { store, isConfigured, signal, log } = deps
  const folders = await openJobFolders(store.folder)
  const tasks = new BackgroundTasks(error => { if (!signal.aborted) log.error({ err: error }, 'a timelapse failed') })
  const encoder = new TimelapseEncoder(deps, folders, tasks)
  const tracker = new JobTracker(deps, folders, folder => encoder.begin(folder))
  /** Runs tasks of one printer in order. */
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
