import {
  activeFaults, distinctFaults, type Dispose, type Fault, type Kernel, type PrinterSession, type PrinterState,
  type ConnectionErrorCode, type ServiceState, type SessionProblem, type Severity
} from '../../core/index.js'
import type { LogMessage } from './client-registry.js'

type Level = LogMessage['level']
type Log = (message: LogMessage) => void

/** A fault that comes and goes is logged at most once in this time. */
const QUIET_MS = 30_000
/** Bounds the memory if a printer reports ever new codes. */
const MOST_REMEMBERED = 64

/** These resolve themselves; the others require action by the user. */
const PASSING: ReadonlySet<ConnectionErrorCode> = new Set(['connection_lost', 'unreachable', 'no_reports'])

const LEVEL_OF_SEVERITY: Readonly<Record<Severity, Level>> =
  { Fatal: 'critical', Error: 'error', Warning: 'warning', Info: 'info' }

const LEVEL_OF_SERVICE: Readonly<Partial<Record<ServiceState, Level>>> =
  { CONNECTED: 'info', PAUSED: 'notice', QUIT: 'notice' }

const WORDS: Readonly<Partial<Record<ServiceState, string>>> =
  { CONNECTED: 'connected', PAUSED: 'session paused: readings are frozen', QUIT: 'no session at the moment' }

/**
 * Sends log messages about printers: connection changes, problems, faults.
 * @returns a function that stops it
 */
export const followPrinters = (kernel: Kernel, log: Log): Dispose =>
  kernel.printers.each(session => followPrinter(session, kernel, log))

function followPrinter ({ name, events }: PrinterSession, kernel: Kernel, log: Log): Dispose {
  const say = (level: Level, message: string, more: object = {}) =>
    log({ level, logger: 'printers', printer: name, data: { printer: name, message: `${name}: ${message}`, ...more } })
  const loggedAt = new Map<string, number>()

  function onService (now: ServiceState): void {
    const words = WORDS[now]
    if (words !== undefined) say(LEVEL_OF_SERVICE[now] ?? 'info', words, { service_state: now })
  }

  const onProblem = (problem: SessionProblem | undefined) => problem === undefined
    ? say('info', 'commands are answered again')
    : say(PASSING.has(problem.code) ? 'warning' : 'error', problem.message, { problem: problem.code })

  function onState (now: PrinterState, before: PrinterState | undefined): void {
    if (now.errors === before?.errors) return
    const old = before ? activeFaults(before.errors.faults) : []
    const active = distinctFaults(activeFaults(now.errors.faults))
    for (const fault of active) if (!old.some(({ code }) => code === fault.code)) onFault(fault)
    if (active.length === 0 && old.length > 0) say('info', 'no active errors any more')
  }

  function onFault (fault: Fault): void {
    const { code, severity, module } = fault
    if (!takeIfDue(loggedAt, code)) return
    say(LEVEL_OF_SEVERITY[severity], `${kernel.hms.sentence(fault)} (${code})`, { code, severity, module })
  }

  const off = [events.on('service', onService), events.on('problem', onProblem), events.on('state', onState)]
  return () => {
    for (const undo of off) undo()
    say('notice', 'session ended')
  }
}

/** Whether a code was not logged recently; if so, it is recorded as logged now. */
function takeIfDue (loggedAt: Map<string, number>, code: string): boolean {
  const now = performance.now() // monotonic
  if (now - (loggedAt.get(code) ?? -Infinity) < QUIET_MS) return false
  loggedAt.delete(code)
  loggedAt.set(code, now)
  const [oldest] = loggedAt.keys()
  if (loggedAt.size > MOST_REMEMBERED && oldest !== undefined) loggedAt.delete(oldest)
  return true
}

/** Adding or removing a printer changes the list of resources; restarting a session does not. */
export function followNames ({ events, printers }: Kernel, changed: () => void): Dispose {
  let known = printers.names.join('\n')
  const compare = () => {
    const now = printers.names.join('\n')
    if (now !== known) changed()
    known = now
  }
  const off = [events.on('printer:added', compare), events.on('printer:forgotten', compare)]
  return () => { for (const undo of off) undo() }
}
