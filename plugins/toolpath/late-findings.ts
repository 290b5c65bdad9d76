import type { FastifyBaseLogger } from 'fastify'
import { isActive, isServiceError, isStartOf, LONGEST_START_MS, type Kernel, type PrinterSession } from '../../core/index.js'
import type { Finding as AlertFinding } from '../alerts/index.js'
import { findingsText, refusing, type StartedPrint } from '../projects/index.js'
import type { FindingView } from './schemas.js'

/** A print that runs while its plate is still being read. */
export interface RunningPrint extends StartedPrint {
  readonly file: string
  readonly reading: Promise<readonly FindingView[]>
}

export interface LateFindingsDeps {
  readonly kernel: Pick<Kernel, 'call' | 'now' | 'operation' | 'signal'>
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>
  readonly raise: (printer: string, finding: AlertFinding) => void
}

/**
 * Once the plate is read: a finding that would have refused the print is reported, and pauses it if asked for. A plate
 * that cannot be read to its end is reported, too: whoever started the print was told that it is still being read.
 */
export async function actOnLateFindings (
  deps: LateFindingsDeps, session: PrinterSession, print: RunningPrint
): Promise<void> {
  const { log } = deps
  const { name } = session
  try {
    const stops = refusing(await print.reading, print)
    log.info({ printer: name, file: print.file, stops: stops.length }, 'a plate was read after its print had started')
    if (stops.length === 0 || !await isInPrint(session, print)) return
    const done = print.pauses ? await pause(deps, session) : 'It goes on printing'
    deps.raise(name, {
      type: 'plate_fault',
      severity: 'high',
      payload: { gcode_file: print.file, reason: `${findingsText(stops as FindingView[])} ${done}.` }
    })
  } catch (error) {
    if (deps.kernel.signal.aborted || session.signal.aborted) return
    log.warn({ err: error, printer: name, file: print.file }, 'a plate in print could not be read to its end')
    await reportUnread(deps, session, print, error).catch((error: unknown) => log.warn({ err: error, printer: name },
      'a plate that could not be read could not be reported'))
  }
}

async function isInPrint (session: PrinterSession, { job }: RunningPrint): Promise<boolean> {
  const isOurs = () =>
    session.state !== undefined && isStartOf(job, session.state.job) && isActive(session.state.job.gcodeState)
  await session.until(isOurs, LONGEST_START_MS)
  return isOurs()
}

async function reportUnread ({ raise }: LateFindingsDeps, session: PrinterSession, print: RunningPrint, error: unknown):
Promise<void> {
  if (!await isInPrint(session, print)) return
  const why = isServiceError(error) ? error.message : 'the log says why'
  raise(session.name, {
    type: 'plate_unread',
    severity: 'medium',
    payload: {
      gcode_file: print.file,
      reason: `The plate could not be read to its end (${why}), so its faults are not known. It goes on printing.`
    }
  })
}

/** @returns what became of it, in words */
async function pause ({ kernel, log }: LateFindingsDeps, { name }: PrinterSession): Promise<string> {
  const operation = kernel.operation('print.pause')
  if (operation === undefined) return 'This service cannot pause it'
  try {
    await kernel.call(operation, {}, { printer: name, surface: 'toolpath', signal: kernel.signal })
    return 'The print was paused'
  } catch (error) {
    log.warn({ err: error, printer: name }, 'a print with a faulty plate could not be paused')
    return `It could not be paused: ${(error as Error).message}`
  }
}
