import type { Dispose, Kernel, OperationDone, PrinterSession, PrinterState, SessionProblem } from '../../core/index.js'

/** Keeps a printer with intermittent errors from filling the log. */
const MOST_PER_MINUTE = 60
const MS_PER_MINUTE = 60_000
const MOST_CHARS = 300

/** Limits the lines of each minute; the first one beyond says that more are left out. */
function createLimit (now: () => number) {
  const minutes = new Map<string, { since: number, count: number }>()
  return (printer: string): 'write' | 'last' | 'drop' => {
    const known = minutes.get(printer)
    const minute = known !== undefined && now() - known.since < MS_PER_MINUTE ? known : { since: now(), count: 0 }
    minutes.set(printer, minute)
    minute.count++
    return minute.count < MOST_PER_MINUTE ? 'write' : minute.count === MOST_PER_MINUTE ? 'last' : 'drop'
  }
}

type Note = (message: string, more?: object) => void

/** Codes of errors; a refused command has none and is named instead. */
const codesOf = (errors: PrinterState['errors'] | undefined): string[] =>
  (errors?.faults ?? []).map(({ code, command }) => code || (command?.name ?? ''))

function noteProblem (problem: SessionProblem | undefined, note: Note): void {
  if (problem === undefined) return note('commands are answered again')
  const { code, message } = problem
  const what = code === 'takes_no_commands' ? 'commands are not answered' : 'no connection'
  note(what, { problem: code, why: message.slice(0, MOST_CHARS) })
}

function followSession ({ events }: PrinterSession, note: Note): Dispose {
  const off = [
    events.on('service', (service, before) => note('session', { service, before })),
    events.on('problem', problem => noteProblem(problem, note)),
    events.on('live', live => note(live ? 'reports flow' : 'reports do not flow')),
    events.on('state', ({ job, errors }, before) => {
      const { gcodeState: state } = job
      if (state !== before?.job.gcodeState) note('job', { state, before: before?.job.gcodeState })
      const [present, past] = [codesOf(errors), codesOf(before?.errors)]
      const raised = present.filter(code => !past.includes(code))
      const over = past.filter(code => !present.includes(code))
      if (raised.length + over.length > 0) note('errors', { raised, over })
    })
  ]
  return () => { for (const undo of off) undo() }
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, MOST_CHARS)

/**
 * Logs events of printers at every log level: commands and their outcomes, connections, job states and errors, each
 * with its time.
 */
export function keepJournal ({ events, printers, logs: { journal }, now }: Kernel): Dispose {
  const limit = createLimit(now)
  const noteFor = (printer: string): Note => (message, more = {}) => {
    const verdict = limit(printer)
    if (verdict === 'write') journal.info({ printer, ...more }, message)
    if (verdict === 'last') journal.info({ printer }, 'more of this minute is left out')
  }
  const command = ({ operation, printer, surface, calledAt }: OperationDone, outcome: object) => {
    if (printer !== undefined) noteFor(printer)('command', { operation, surface, ...outcome, ms: now() - calledAt })
  }
  const off = [
    events.on('operation:done', done => command(done, { outcome: 'done' })),
    events.on('operation:failed', (failed, error) => command(failed, { outcome: 'failed', why: wordsOf(error) })),
    printers.each(session => followSession(session, noteFor(session.name)))
  ]
  return () => { for (const undo of off) undo() }
}
