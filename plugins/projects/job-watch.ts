import type { FastifyBaseLogger } from 'fastify'
import type { PrinterSession } from '../../core/index.js'
import { hasJob, type JobReading } from './job.js'
import type { PrintSettings } from './read/print-settings.js'
import type { ProjectRecord } from './project-document.js'

/** What is known of the project of a printer's job. */
export interface JobProject {
  readonly info: ProjectRecord | null
  /** It was looked for, with or without success. */
  readonly fetched: boolean
}

const UNKNOWN: JobProject = { info: null, fetched: false }
const RETRY_MS = 60_000

const identityOf = ({ state }: PrinterSession): string => {
  const { subtaskName = '', subtaskId = '', taskId = '', plate = -1 } = state?.job ?? {}
  return [subtaskName, subtaskId, taskId, plate].join('\n')
}

/** @param thorough the whole card may be listed for it */
type Read = (session: PrinterSession, thorough: boolean) => Promise<JobReading | undefined>

/** A job may run for days from a file that is on no card: its printer is not to list the card every minute. */
const isThorough = (attempt: number) => Number.isInteger(Math.log2(attempt))

/** Looks up the project of each job once, when the job turns up; again a minute later when that failed. */
export function createJobWatch (read: Read, log: FastifyBaseLogger, retryMs = RETRY_MS) {
  const known = new WeakMap<PrinterSession, JobProject>()
  const readings = new WeakMap<JobProject, JobReading>()

  function follow (session: PrinterSession): () => void {
    let identity: string | undefined
    let timer: NodeJS.Timeout | undefined

    async function look (wanted: string, attempt = 1): Promise<void> {
      const found = await read(session, isThorough(attempt)).catch((error: Error) => {
        log.debug({ printer: session.name, err: error }, 'the project of the job cannot be read')
        return undefined
      })
      if (identity !== wanted || session.signal.aborted) return
      const project = { info: found?.info ?? null, fetched: true }
      known.set(session, project)
      if (found) readings.set(project, found)
      if (found !== undefined || !hasJob(session)) return
      timer = setTimeout(() => { void look(wanted, attempt + 1) }, retryMs).unref()
    }

    function notice (): void {
      const now = hasJob(session) ? identityOf(session) : identity
      if (now === identity || now === undefined) return
      identity = now
      clearTimeout(timer)
      known.set(session, UNKNOWN)
      void look(now)
    }
    const off = session.events.on('state', notice)
    notice()
    return () => {
      off()
      clearTimeout(timer)
      identity = undefined
    }
  }

  const of = (session: PrinterSession): JobProject => known.get(session) ?? UNKNOWN
  return {
    follow,
    of,
    /** Drawn once for each job, when it is first asked for. */
    layout: async (session: PrinterSession): Promise<Buffer | undefined> => await readings.get(of(session))?.layout(),
    settings: (session: PrinterSession): PrintSettings => readings.get(of(session))?.print ?? {}
  }
}
