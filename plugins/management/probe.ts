import {
  createSession, type Kernel, type PrinterConfig, type ProblemCode
} from '../../core/index.js'

/** How a first contact went. */
export type Contact =
  | { readonly good: true, readonly fingerprint: string | undefined }
  | { readonly good: false, readonly code: ProblemCode | 'silent', readonly message: string }

/** Login and first report take a second or two; a busy printer is given this long. */
const WITHIN_MS = 15_000

/** Opens a session, waits for its first report, and ends it: every step that can fail is tried. */
export async function probe (config: PrinterConfig, kernel: Kernel, signal: AbortSignal, withinMs = WITHIN_MS):
Promise<Contact> {
  let fingerprint = kernel.pins.get(config.serial)
  const { session, start, end } = createSession(config, {
    now: kernel.now,
    log: kernel.logs.root,
    wire: kernel.logs.wire,
    explain: kernel.faults.explain,
    // A certificate seen in a mere attempt is not learned for good.
    pins: { get: () => fingerprint, set: (_serial, seen) => { fingerprint = seen } }
  })
  const reported = new Promise<Contact>(resolve => {
    session.events.on('live', () => resolve({ good: true, fingerprint }))
    session.events.on('problem', ({ code, message }) => resolve({ good: false, code, message }))
    signal.addEventListener('abort', () => resolve({ good: false, code: 'silent', message: 'given up' }), { once: true })
  })
  const silent = new Promise<Contact>(resolve => {
    setTimeout(resolve, withinMs, {
      good: false,
      code: 'silent',
      message: `${config.host} accepts the login but sends no report for '${config.serial}'. Check the serial number.`
    }).unref()
  })
  start()
  const contact = await Promise.race([reported, silent])
  await end()
  return contact
}
