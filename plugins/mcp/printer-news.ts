import {
  rankFaults, type Dispose, type Fault, type Kernel, type PrinterSession, type PrinterState, type ProblemCode,
  type ServiceState, type Severity
} from '../../core/index.js'
import type { LogMessage } from './audience.js'

type Level = LogMessage['level']
type Tell = (message: LogMessage) => void

/** A fault that comes and goes is told once in this time. */
const QUIET_MS = 30_000
/** Why there is no connection can change without an event, so it is looked at. */
const LOOK_EVERY_MS = 1_000

/** These pass by themselves; the others wait for somebody to act. */
const PASSING: ReadonlySet<ProblemCode> = new Set(['connection_lost', 'unreachable', 'no_reports'])

const LEVEL_OF_SEVERITY: Readonly<Record<Severity, Level>> =
  { Fatal: 'critical', Error: 'error', Warning: 'warning', Info: 'info' }

const LEVEL_OF_SERVICE: Readonly<Partial<Record<ServiceState, Level>>> =
  { CONNECTED: 'info', PAUSED: 'notice', QUIT: 'notice' }

const WORDS: Readonly<Partial<Record<ServiceState, string>>> =
  { CONNECTED: 'connected', PAUSED: 'session paused: readings are frozen', QUIT: 'no session at the moment' }

/** Faults that count: refusals are for whoever sent the command, historical ones are over. */
const activeFaults = ({ errors }: PrinterState): Fault[] => rankFaults(errors.faults)
  .filter(({ fault, historical }) => !historical && fault.type !== 'command_error')
  .map(({ fault }) => fault)

/**
 * Tells of what happens to printers unasked: connections that come and go, problems that hinder them, faults.
 * @returns the end of it
 */
export function followPrinters (kernel: Kernel, tell: Tell): Dispose {
  const looks = new Set<() => void>()
  const stop = kernel.printers.each(session => {
    const { look, end } = followPrinter(session, kernel, tell)
    looks.add(look)
    return () => { looks.delete(look); end() }
  })
  const timer = setInterval(() => { for (const look of looks) look() }, LOOK_EVERY_MS).unref()
  return () => { clearInterval(timer); stop() }
}

function followPrinter (session: PrinterSession, kernel: Kernel, tell: Tell) {
  const { name, events } = session
  const say = (level: Level, message: string, more: object = {}) =>
    tell({ level, logger: 'printers', data: { printer: name, message: `${name}: ${message}`, ...more } })
  let problem: ProblemCode | undefined
  const toldAt = new Map<string, number>()

  function look (): void {
    const { problem: now } = session
    if (now?.code === problem) return
    problem = now?.code
    if (now) say(PASSING.has(now.code) ? 'warning' : 'error', now.message, { problem: now.code })
  }

  function onService (now: ServiceState): void {
    const words = WORDS[now]
    if (words !== undefined) say(LEVEL_OF_SERVICE[now] ?? 'info', words, { service_state: now })
    queueMicrotask(look) // the reason is set right after the state
  }

  function onState (now: PrinterState, before: PrinterState | undefined): void {
    if (now.errors === before?.errors) return
    const old = before ? activeFaults(before) : []
    const active = activeFaults(now)
    for (const fault of active) if (!old.some(({ code }) => code === fault.code)) onFault(fault)
    if (active.length === 0 && old.length > 0) say('info', 'no active errors any more')
  }

  function onFault (fault: Fault): void {
    const { code, severity, module } = fault
    const last = toldAt.get(code)
    if (last !== undefined && kernel.now() - last < QUIET_MS) return
    toldAt.set(code, kernel.now())
    say(LEVEL_OF_SEVERITY[severity], `${kernel.faults.describe(fault)} (${code})`, { code, severity, module })
  }

  const off = [events.on('service', onService), events.on('state', onState), events.on('live', look)]
  return {
    look,
    end () {
      for (const undo of off) undo()
      say('notice', 'session ended')
    }
  }
}

/** Printers that come and go change the list of resources. */
export function followNames ({ events, printers }: Kernel, changed: () => void): Dispose {
  let known = printers.names.join('\n')
  const look = () => setImmediate(() => { // a printer that is removed is forgotten after the event
    const now = printers.names.join('\n')
    if (now !== known) changed()
    known = now
  })
  const off = [events.on('printer:added', look), events.on('printer:removed', look)]
  return () => { for (const undo of off) undo() }
}
