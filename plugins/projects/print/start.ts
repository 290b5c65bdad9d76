import { Refused, type Command, type Fault, type PrinterSession, type PrinterState, type StartRecord } from '../../../core/index.js'
import { OtherJob } from '../errors.js'
import { judgeStart, whoseJob, type StartOutcome } from './start-outcome.js'

/** Outcome of a start. */
export type Outcome = 'started' | 'unconfirmed'

/** Longest wait from the answer to the first report of the new job. Slow printers take about ten seconds. */
const WATCH_MS = 15_000

/** A job's fields arrive over several reports, and printers check the file only after they have accepted the job. */
const SETTLE_MS = 1_500

/** After these outcomes no further report about the start is expected. */
const OVER: ReadonlySet<StartRecord['outcome']> = new Set(['given_up', 'restarted'])

const ACT = 'to start the print'

const deviceError = ({ errors: { faults } }: PrinterState): Fault | undefined =>
  faults.find(({ type }) => type === 'device_error')

/** Watches for new device errors: one that was shown before has nothing to do with this start. */
function watchErrors (session: PrinterSession) {
  let shown = session.state && deviceError(session.state)?.digits
  let raised: Fault | undefined
  let latest: Fault | undefined
  const off = session.events.on('state', state => {
    const fault = deviceError(state)
    if (fault?.digits === shown) return
    shown = fault?.digits
    raised = fault
    latest = fault ?? latest
  })
  return { get raised () { return raised }, get latest () { return latest }, off }
}

/** The text of a device error. */
export type Explain = (fault: Fault) => string

export interface Starting {
  readonly explain: Explain
  /** Called right before the command is sent; what it throws keeps it from being sent. */
  readonly check?: () => void
  readonly watchMs?: number
}

/**
 * Sends a start and watches the reports until the job is in progress. Only an error caused by this job counts as its
 * refusal, and only this job as its success.
 * @param session claimed for the start
 * @returns `unconfirmed` when neither an answer nor a report confirmed it
 * @throws PRN_ERR_REFUSED with the printer's reason, PRN_ERR_OTHER_JOB, PRN_ERR_SIGNATURE_REQUIRED, those of sending
 */
export async function start (session: PrinterSession, command: Command,
  { explain, check, watchMs = WATCH_MS }: Starting): Promise<Outcome> {
  const errors = watchErrors(session)
  const before = session.state?.job
  const takenBefore = session.context.projectFile
  try {
    const { confirmed } = await session.perform(ACT, command, [], check)
    const judge = (state: PrinterState): StartOutcome =>
      judgeStart(state, { command, before, confirmed, raised: errors.raised })
    const isOver = () => OVER.has(session.context.start?.outcome)
    await session.until(state => judge(state) !== 'pending' || isOver(), watchMs)
    const first = session.state && judge(session.state)
    const isSure = first === 'started' && session.state?.job.gcodeState === 'RUNNING'
    if (first !== undefined && first !== 'pending' && !isSure) {
      await session.until(state => judge(state) !== first, Math.min(watchMs, SETTLE_MS))
    }
    const { state } = session
    if (!state) return 'unconfirmed'
    const last = judge(state)
    const verdict = last === 'pending' ? first : last
    if (verdict === 'other') throw new OtherJob(session.name, state.job.subtaskName)
    if (verdict !== 'failed') return verdict === 'started' ? 'started' : 'unconfirmed'
    // Another client's start was accepted meanwhile: the error may belong to that one.
    const taken = session.context.projectFile
    const isForeign = taken !== undefined && taken !== takenBefore && taken.taskId !== String(command.task_id)
    if (isForeign && whoseJob(state.job, command, before) !== 'ours') return 'unconfirmed'
    throw new Refused(session.name, ACT, errors.latest === undefined ? '' : explain(errors.latest))
  } finally {
    errors.off()
  }
}
