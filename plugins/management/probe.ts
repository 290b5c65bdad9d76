import { setTimeout as sleep } from 'node:timers/promises'
import {
  createSession, LOST_PIN, type Kernel, type PrinterConfig, type PrinterSession, type ConnectionErrorCode
} from '../../core/index.js'

/** Outcome of a first connection. */
export type Contact =
  | {
    readonly good: true
    readonly fingerprint: string | undefined
    readonly model: string
    /** `off`: the printer can be watched but refuses commands. */
    readonly developerMode: 'on' | 'off' | 'unknown'
  }
  | { readonly good: false, readonly code: ConnectionErrorCode | 'silent', readonly message: string }

/** Not the intended printer, or a wrong code: retrying is pointless. */
const REFUSALS: ReadonlySet<string> = new Set<ConnectionErrorCode>(
  ['access_code_rejected', 'wrong_serial', 'certificate_changed', 'certificate_untrusted', 'not_a_printer'])
export const isRefusal = (contact: Contact & { good: false }): boolean =>
  REFUSALS.has(contact.code)

/** Login and first report usually take a second or two; a busy printer takes longer. */
export const REPORT_WITHIN_MS = 15_000

interface Wait {
  readonly signal: AbortSignal
  readonly withinMs?: number | undefined
  /** Called once the login was accepted. */
  readonly onLogin?: (() => void) | undefined
}

type Outcome = { readonly good: true } | (Contact & { readonly good: false })

/**
 * Waits for a session's first report or problem.
 * @throws the signal's reason
 */
export async function settle (session: PrinterSession, { signal, withinMs = REPORT_WITHIN_MS, onLogin }: Wait):
Promise<Outcome> {
  signal.throwIfAborted()
  const over = new AbortController()
  const undo: (() => void)[] = []
  const settled = new Promise<Outcome>((resolve, reject) => {
    const check = () => {
      if (session.live) resolve({ good: true })
      else if (session.problem) resolve({ good: false, code: session.problem.code, message: session.problem.message })
    }
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    undo.push(
      () => signal.removeEventListener('abort', abort),
      session.events.on('live', check),
      session.events.on('problem', check),
      session.events.on('service', now => { if (now === 'CONNECTED') onLogin?.() })
    )
    check()
  })
  const { host, serial } = session.config
  const late = sleep<Outcome>(withinMs, {
    good: false,
    code: 'silent',
    message: `${host} accepts the connection but sends no report for '${serial}'. Is it switched on and not updating?`
  }, { signal: over.signal, ref: false })
  late.catch(() => {})
  try {
    return await Promise.race([settled, late])
  } finally {
    over.abort()
    for (const end of undo) end()
  }
}

/**
 * Opens a temporary session, waits for its first report, and ends it, so that every step is tested. The certificate's
 * fingerprint is returned, not stored.
 * @throws the signal's reason
 */
export async function probe (config: PrinterConfig, kernel: Kernel, wait: Wait): Promise<Contact> {
  const { pins, printers } = kernel
  const isNew = printers.names.every(name => printers.config(name)?.serial !== config.serial)
  const known = pins.get(config.serial)
  let fingerprint = isNew && known === LOST_PIN ? undefined : known // it was never stored
  const { session, start, end } = createSession(config, {
    now: kernel.now,
    log: kernel.logs.root,
    wire: kernel.logs.wire,
    explain: kernel.hms.explain,
    pins: { get: () => fingerprint, set: (_serial, seen) => { fingerprint = seen } }
  })
  try {
    const settled = settle(session, wait)
    start()
    const outcome = await settled
    if (!outcome.good) return outcome
    return {
      good: true, fingerprint, model: session.model.model, developerMode: session.state?.device.developerMode ?? 'unknown'
    }
  } finally {
    await end()
  }
}
