import type { FastifyBaseLogger } from 'fastify'
import type { PrinterSession } from '../../core/index.js'
import { hasJob, type JobReading } from './job.js'
import type { PrintSettings } from './read/print-settings.js'
import type { ImageKind } from './read/project.js'
import type { ProjectRecord } from './project-document.js'

/** The project of a printer's job. */
export interface JobProject {
  readonly info: ProjectRecord | null
  /** It was looked up, with or without success. */
  readonly fetched: boolean
}

/** The project of a job, and what was read of it. */
interface Known { readonly project: JobProject, readonly reading?: JobReading }

const UNKNOWN: Known = { project: { info: null, fetched: false } }
const RETRY_MS = 60_000

const identityOf = ({ state }: PrinterSession): string => {
  const { subtaskName = '', subtaskId = '', taskId = '', plate = -1 } = state?.job ?? {}
  return [subtaskName, subtaskId, taskId, plate].join('\n')
}

/** @param thorough whether the whole card may be listed */
type Read = (session: PrinterSession, thorough: boolean) => Promise<JobReading | undefined>

/** Lists the card ever less often, since a job may run for days from a file that is not on the card. */
const listsCard = (attempt: number) => Number.isInteger(Math.log2(attempt))

/** Looks up the project of each job once when the job appears, and again a minute later after a failure. */
export function createJobWatch (read: Read, log: FastifyBaseLogger, retryMs = RETRY_MS) {
  const jobs = new WeakMap<PrinterSession, Known>()

  function follow (session: PrinterSession): () => void {
    let identity: string | undefined
    let timer: NodeJS.Timeout | undefined

    async function fetch (expected: string, attempt = 1): Promise<void> {
      const found = await read(session, listsCard(attempt)).catch((error: Error) => {
        log.debug({ printer: session.name, err: error }, 'the project of the job cannot be read')
        return undefined
      })
      if (identity !== expected || session.signal.aborted) return
      jobs.set(session, { project: { info: found?.info ?? null, fetched: true }, ...(found && { reading: found }) })
      if (found !== undefined || !hasJob(session)) return
      timer = setTimeout(() => { void fetch(expected, attempt + 1) }, retryMs).unref()
    }

    function notice (): void {
      const now = hasJob(session) ? identityOf(session) : identity
      if (now === identity || now === undefined) return
      identity = now
      clearTimeout(timer)
      jobs.set(session, UNKNOWN)
      void fetch(now)
    }
    const off = session.events.on('state', notice)
    notice()
    return () => {
      off()
      clearTimeout(timer)
      identity = undefined
    }
  }

  const knownOf = (session: PrinterSession): Known => jobs.get(session) ?? UNKNOWN
  return {
    follow,
    of: (session: PrinterSession): JobProject => knownOf(session).project,
    picture: (session: PrinterSession, kind: ImageKind): Buffer | undefined => knownOf(session).reading?.images[kind],
    /** Drawn once for each job, on first request. */
    layout: async (session: PrinterSession): Promise<Buffer | undefined> => await knownOf(session).reading?.layout(),
    settings: (session: PrinterSession): PrintSettings => knownOf(session).reading?.print ?? {}
  }
}
