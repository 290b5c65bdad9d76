import type { PrinterSession } from '../../../core/index.js'
import type { PrinterValue } from '../types.js'

interface Stamp {
  readonly run: string
  readonly number: number
  readonly epoch?: number | undefined
  readonly order?: number | undefined
}

/** The published value of a printer: everything but its access code and the raw report. */
export function publishedValue (session: PrinterSession, { run, number, epoch, order }: Stamp,
  now: number): PrinterValue {
  const { name, config: { host, serial, model, ports, tls }, service, live, verbose, lastMessageAt, problem } = session
  return {
    name,
    run,
    number,
    ...(epoch !== undefined && { epoch }),
    ...(order !== undefined && { order }),
    config: {
      host,
      serial,
      ...(model !== undefined && { model }),
      ports: { ...ports },
      tls: { mode: tls.mode, ...(tls.fingerprint !== undefined && { fingerprint: tls.fingerprint }) }
    },
    model: session.model.model,
    service,
    live,
    verbose,
    ...(lastMessageAt !== undefined && { messageAgeMs: Math.max(0, now - lastMessageAt) }),
    ...(problem && { problem: { code: problem.code, message: problem.message, ageMs: now - problem.at } }),
    warnings: { ...session.protocolWarnings },
    ...(session.state && { state: session.state }),
    context: session.context
  }
}
