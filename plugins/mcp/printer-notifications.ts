import {
  activeFaults, distinctFaults, type Dispose, type Fault, type Kernel, type PrinterSession, type PrinterState,
  type ConnectionErrorCode, type ServiceState, type SessionProblem, type Severity
} from '../../core/index.js'
import type { LogMessage } from './client-registry.js'

type Level = LogMessage['level']
type Tell = (message: LogMessage) => void

/** A fault that comes and goes is told once in this time. */
const QUIET_MS = 30_000
/** A printer that makes up ever new codes must not make us remember them all. */
const MOST_REMEMBERED = 64

/** These pass by themselves; the others wait for somebody to act. */
const PASSING: ReadonlySet<ConnectionErrorCode> = new Set(['connection_lost', 'unreachable', 'no_reports'])

const LEVEL_OF_SEVERITY: Readonly<Record<Severity, Level>> =
  { Fatal: 'critical', Error: 'error', Warning: 'warning', Info: 'info' }

const LEVEL_OF_SERVICE: Readonly<Partial<Record<ServiceState, Level>>> =
  { CONNECTED: 'info', PAUSED: 'notice', QUIT: 'notice' }

const WORDS: Readonly<Partial<Record<ServiceState, string>>> =
  { CONNECTED: 'connected', PAUSED: 'session paused: readings are frozen', QUIT: 'no session at the moment' }

/**
 * Tells of what happens to printers unasked: connections that come and go, problems that hinder them, faults.
 * @returns the end of it
 */
export const followPrinters = (kernel: Kernel, tell: Tell): Dispose =>
  kernel.printers.each(session => followPrinter(session, kernel, tell))

function followPrinter ({ name, events }: PrinterSession, kernel: Kernel, tell: Tell): Dispose {
  const say = (level: Level, message: string, more: object = {}) =>
    tell({ level, logger: 'printers', printer: name, data: { printer: name, message: `${name}: ${message}`, ...more } })
  const toldAt = new Map<string, number>()

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
    if (!isNews(toldAt, code)) return
    say(LEVEL_OF_SEVERITY[severity], `${kernel.hms.sentence(fault)} (${code})`, { code, severity, module })
  }

  const off = [events.on('service', onService), events.on('problem', onProblem), events.on('state', onState)]
  return () => {
    for (const undo of off) undo()
    say('notice', 'session ended')
  }
}

/** Whether a code was not told of for a while; then it counts as told now. */
function isNews (toldAt: Map<string, number>, code: string): boolean {
  const now = performance.now() // a clock that never jumps
  if (now - (toldAt.get(code) ?? -Infinity) < QUIET_MS) return false
  toldAt.delete(code)
  toldAt.set(code, now)
  const [oldest] = toldAt.keys()
  if (toldAt.size > MOST_REMEMBERED && oldest !== undefined) toldAt.delete(oldest)
  return true
}

/** Printers that come and go change the list of resources; a session that begins anew does not. */
export function followNames ({ events, printers }: Kernel, changed: () => void): Dispose {
  let known = printers.names.join('\n')
  const look = () => {
    const now = printers.names.join('\n')
    if (now !== known) changed()
    known = now
  }
  const off = [events.on('printer:added', look), events.on('printer:forgotten', look)]
  return () => { for (const undo of off) undo() }
}
