import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import {
  defineError, NoPrinter, NotConnected, operation, timeoutSignal, type Kernel, type PrinterSession
} from '../../../core/index.js'
import { setLevel } from '../../../plugins/system/operations/server.js'
import { setVerbose } from '../../../plugins/system/operations/sessions.js'

export const NotBack = defineError<[printer: string, seconds: number, reason: string]>('PRN_ERR_NOT_BACK',
  "'%s' did not come back within %d s%s", 504)

const Nothing = Type.Object({})
const PAUSE_MS = 1_000
const CONNECT_MS = 60_000

/** Sessions that are being restarted, by kernel: further requests wait for the same restart. */
const underWay = new WeakMap<Kernel, Promise<PrinterSession>>()

/** Continues if the caller disconnects, so that the printer always gets its session. */
async function beginAnew (kernel: Kernel, printer: string): Promise<PrinterSession> {
  await kernel.printers.disconnect(printer)
  await sleep(PAUSE_MS, undefined, { signal: kernel.signal })
  return await kernel.printers.connect(printer)
}

function restart (kernel: Kernel, printer: string): Promise<PrinterSession> {
  const known = underWay.get(kernel)
  if (known) return known
  const begun = beginAnew(kernel, printer).finally(() => underWay.delete(kernel))
  underWay.set(kernel, begun)
  return begun
}

async function connected (session: PrinterSession, signal: AbortSignal): Promise<void> {
  const late = timeoutSignal(CONNECT_MS)
  const given = AbortSignal.any([signal, session.signal, late])
  while (session.service !== 'CONNECTED') {
    try {
      await session.events.once('service', { signal: given })
    } catch (error) {
      if (!late.aborted) throw error
      const { problem } = session
      throw new NotBack(session.name, CONNECT_MS / 1000, problem ? `: ${problem.message}` : '')
    }
  }
}

/** A live session requests a full report; any other is restarted. */
export const refreshPrinter = operation({
  name: 'standalone.refreshPrinter',
  summary: 'Have the printer send everything again; reconnect it first if there is no connection',
  effect: 'write',
  scope: 'daemon',
  consequence: 'The printer sends its complete state again; a session that is down is ended and begun anew.',
  input: Nothing,
  output: Nothing,
  errors: [NoPrinter, NotConnected, NotBack],
  async run ({ kernel, signal }) {
    const { printers } = kernel
    // Without a session, such as during a restart, no printer is chosen by itself.
    const printer = printers.choose().printer ?? printers.names[0]
    if (printer === undefined) throw new NoPrinter()
    const session = printers.get(printer)
    if (session?.service === 'CONNECTED' || session?.service === 'PAUSED') await session.refresh()
    else await connected(await restart(kernel, printer), signal)
    return {}
  }
})

export const toggleVerbosity = operation({
  name: 'standalone.toggleVerbosity',
  summary: 'Turn the log level from INFO to DEBUG or back; log raw payloads or not',
  effect: 'local',
  input: Type.Object({ verbose: Type.Boolean() }),
  output: Type.Object({ level: Type.String(), verbose: Type.Boolean() }),
  async run ({ kernel, session, signal }, { verbose }) {
    const level = kernel.logs.level('service') === 'INFO' ? 'DEBUG' : 'INFO'
    await kernel.call(setLevel, { level, printers: level }, { signal })
    await kernel.call(setVerbose, { verbose }, { printer: session.name, signal })
    return { level, verbose }
  }
})

/** Always fails, so that clients can test their error handling. */
export const fail = operation({
  name: 'standalone.fail',
  summary: 'Fails, to show how failures are answered',
  effect: 'read',
  scope: 'daemon',
  input: Nothing,
  output: Nothing,
  run () { throw new RangeError('division by zero') }
})
