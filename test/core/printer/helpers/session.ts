import type { Test } from 'tap'
import { createSession, type PinStore } from '../../../../core/printer/index.js'
import type { PrinterConfig, ServiceState } from '../../../../core/printer/types.js'
import type { Timeouts } from '../../../../core/printer/timeouts.js'
import { createVirtualPrinter, type VirtualPrinter, type VirtualPrinterOptions }
  from '../../../../plugins/emulator/index.js'
import { collectLog } from './log.js'

export const CODE = 'c0de4711'

export interface SessionOptions {
  readonly port: number
  readonly serial: string
  readonly accessCode?: string
  readonly tls?: PrinterConfig['tls']
  readonly timeouts?: Partial<Timeouts>
  readonly pins?: Map<string, string>
  /** Begin to connect. @default true */
  readonly start?: boolean
}

/** Quick in everything, and patient enough for a busy machine. */
const WAITS: Partial<Timeouts> = {
  connectMs: 5_000,
  ackMs: 5_000,
  answerMs: 1_500,
  watchEveryMs: 10,
  retryMs: () => 20
}

/** A session over a real connection, on a clock that can be moved ahead. */
export function openSession (t: Test, options: SessionOptions) {
  const { port, serial, accessCode = CODE, tls = { mode: 'insecure' }, timeouts, pins = new Map(), start = true } = options
  let aheadMs = 0
  const log = collectLog()
  const wire = collectLog()
  const store: PinStore = {
    get: serial => pins.get(serial),
    set (serial, fingerprint) { pins.set(serial, fingerprint) }
  }
  const ports = { mqtt: port, ftps: 990, camera: 6000, rtsps: 322 }
  const running = createSession({ name: 'bench', host: '127.0.0.1', serial, accessCode, tls, ports }, {
    now: () => Date.now() + aheadMs,
    log: log.log,
    wire: wire.log,
    pins: store,
    explain: (errorNumber, reason) => `${errorNumber} ${reason}`.trim(),
    timeouts: { ...WAITS, ...timeouts }
  })
  const { session } = running
  const services: ServiceState[] = []
  const lives: boolean[] = []
  session.events.on('service', now => services.push(now))
  session.events.on('live', now => lives.push(now))
  t.teardown(() => running.end())
  if (start) running.start()
  return {
    session,
    running,
    log,
    wire,
    pins,
    /** Service states since the start, in order. */
    services,
    lives,
    /** Moves its clock ahead. */
    advance (ms: number) { aheadMs += ms }
  }
}

/** A started virtual printer that ends with the test. */
export async function startPrinter (t: Test, options: VirtualPrinterOptions): Promise<VirtualPrinter> {
  const printer = createVirtualPrinter({ accessCode: CODE, ...options })
  await printer.start()
  t.teardown(() => printer.stop())
  return printer
}
