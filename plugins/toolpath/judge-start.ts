import { isServiceError, withTimeout, type PrinterSession } from '../../core/index.js'
import type { JudgeOptions, JudgePlate, PlateJudgement, PlateStart, StartedPrint } from '../projects/index.js'
import { actOnLateFindings, type LateFindingsDeps } from './late-findings.js'
import type { FindingView } from './schemas.js'
import type { ToolpathService } from './service.js'
import type { UnreadPlates } from './unread-plates.js'

export interface JudgeDeps extends LateFindingsDeps {
  readonly toolpath: Pick<ToolpathService, 'findings' | 'read' | 'readHost' | 'sure'>
  /** Prints whose plates are still being read, for the next start of the service. */
  readonly unread: Pick<UnreadPlates, 'keep'>
}

/** Reads and judges plates for starts. */
export const createPlateJudge = (deps: JudgeDeps): JudgePlate => (session, start, options) =>
  judgeStart(deps, session, start, options)

/** The start goes on without waiting for the rest. */
class SlowRead extends Error {}

async function judgeStart (
  { toolpath, unread, ...deps }: JudgeDeps, session: PrinterSession, start: PlateStart,
  { signal, withinMs }: JudgeOptions
): Promise<PlateJudgement> {
  const given = new AbortController()
  const reading = read(toolpath, session, start, AbortSignal.any([given.signal, deps.kernel.signal]))
  const first = await withTimeout(withinMs, reading, () => new SlowRead(), signal).catch((error: unknown) => {
    if (error instanceof SlowRead) return undefined
    given.abort(error)
    if (signal.aborted || !isServiceError(error)) throw error
    return error.message
  })
  if (typeof first === 'string') {
    deps.log.warn({ printer: session.name, file: start.path, why: first }, 'a plate is started that could not be read')
    return { findings: [], unread: first }
  }
  if (first !== undefined) return { findings: first, unread: '' }
  return {
    findings: start.isOnHost === true ? [] : toolpath.sure(session, start.path, start.plate),
    unread: `The plate could not be read within ${Math.round(withinMs / 1_000)} s; it is still being read.`,
    follow: print => {
      const judged = unread.keep(session, start, print)
      void actOnLateFindings(deps, session, { ...print, file: start.path, reading }).then(judged)
    }
  }
}

/** Reads the plate of a running print again, of which a service that has ended had not read everything. */
export async function readOn (
  { toolpath, ...deps }: Omit<JudgeDeps, 'unread'>, session: PrinterSession, start: PlateStart, print: StartedPrint
): Promise<void> {
  const reading = read(toolpath, session, start, AbortSignal.any([session.signal, deps.kernel.signal]))
  await actOnLateFindings(deps, session, { ...print, file: start.path, reading })
}

async function read (
  toolpath: JudgeDeps['toolpath'], session: PrinterSession, { path, isOnHost = false, plate, ...source }: PlateStart,
  signal: AbortSignal
): Promise<readonly FindingView[]> {
  const reading = isOnHost
    ? await toolpath.readHost(session, path, plate, { signal })
    : await toolpath.read(session, path, plate, { signal, isCurrent: true })
  return toolpath.findings(session, reading, source)
}
