import type { Dispose, PrinterSession } from '../../../core/index.js'
import { signMessage, type SigningKey } from '../signature.js'
import type { StateStore } from '../stores.js'
import type { PrinterGone, PrinterValue } from '../types.js'
import { goneSubject } from '../wire.js'

const EVERY_MS = 1_000
/** A change that somebody waits for goes out at once, but for a burst. */
const URGENT_MS = 50

export interface PublisherOptions {
  readonly key: (printer: string) => string
  /** What the signature of a value covers beside it. */
  readonly subject: (key: string) => string
  readonly signingKey: SigningKey
  readonly run: string
  /** Of a shared printer. */
  readonly epoch: (printer: string) => number | undefined
  /** Whether this service has it, with a session or without. */
  readonly isConfigured: (printer: string) => boolean
  readonly redact: (text: string) => string
  /** Undefined while there is no connection. */
  readonly bucket: () => StateStore | undefined
  readonly onFailure: (error: Error) => void
}

/** Keeps what is known of each printer in the bucket of the fleet. */
export interface Publisher {
  follow (session: PrinterSession): Dispose
  /** It is configured no longer. */
  forget (printer: string): void
  /** A printer that only an earlier run had. */
  remove (printer: string): Promise<void>
  /** Everything once more: what was told while there was no connection did not arrive. */
  tellAll (): void
  /** Values that have not been taken yet. */
  readonly waiting: number
  /** How long the oldest of them has waited; 0 when there is none. */
  readonly lagMs: number
  /** From now on nothing is told, also not that sessions end. */
  close (): void
}

interface Line {
  readonly session: PrinterSession
  timer: NodeJS.Timeout | undefined
  dueAt: number
  sentAt: number
  sending: boolean
  changed: boolean
  /** When what waits, or is on its way, changed first. */
  since: number | undefined
}

interface Told {
  readonly run: string
  readonly number: number
  readonly epoch?: number | undefined
  readonly order?: number | undefined
}

/** What the fleet is told of a printer: everything but its access code, and what a report is decoded from. */
export function valueOf (session: PrinterSession, { run, number, epoch, order }: Told,
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

export function createPublisher (options: PublisherOptions, now: () => number): Publisher {
  const { key, subject, signingKey, run, epoch, isConfigured, redact, bucket, onFailure } = options
  const lines = new Map<string, Line>()
  /** Sessions that were ended while their printers stay configured. */
  const ended = new Map<string, PrinterSession>()
  const orders = new Map<string, number>()
  let nextOrder = 0
  let number = 0
  let closed = false

  async function put (to: StateStore | undefined, value: PrinterValue): Promise<void> {
    const at = key(value.name)
    await to?.put(at, signMessage(signingKey, subject(at), redact(JSON.stringify(value))))
  }

  async function remove (printer: string): Promise<void> {
    const at = key(printer)
    const gone: PrinterGone = { run, number: ++number }
    await bucket()?.remove(at, signMessage(signingKey, goneSubject(subject(at)), JSON.stringify(gone)))
  }

  async function tellEnded (session: PrinterSession): Promise<void> {
    const value = valueOf(session, { run, number: ++number, order: orders.get(session.name) }, now())
    await put(bucket(), { ...value, ended: true })
  }

  function gone (session: PrinterSession): void {
    const { name } = session
    // Of a shared printer the next holder tells.
    const stays = isConfigured(name) && epoch(name) === undefined
    if (stays) ended.set(name, session)
    if (closed) return
    const told = stays ? tellEnded(session) : remove(name)
    told.catch(onFailure)
  }

  async function send (line: Line): Promise<void> {
    const to = bucket()
    if (closed || line.sending || to === undefined) return
    line.sending = true
    line.changed = false
    const { since } = line
    line.sentAt = performance.now()
    try {
      const { name } = line.session
      const value = valueOf(line.session, { run, number: ++number, epoch: epoch(name), order: orders.get(name) }, now())
      line.since = undefined
      await put(to, value)
    } catch (error) {
      line.since = since
      line.changed = true
      onFailure(error as Error)
    } finally {
      line.sending = false
      if (line.changed && lines.get(line.session.name) === line) plan(line, EVERY_MS)
    }
  }

  function plan (line: Line, afterMs: number): void {
    line.changed = true
    line.since ??= performance.now()
    if (closed || line.sending) return
    const dueAt = line.sentAt + afterMs
    if (line.timer !== undefined && line.dueAt <= dueAt) return
    clearTimeout(line.timer)
    line.dueAt = dueAt
    line.timer = setTimeout(() => {
      line.timer = undefined
      void send(line)
    }, Math.max(0, dueAt - performance.now())).unref()
  }

  return {
    follow (session) {
      const line: Line = {
        session, timer: undefined, dueAt: 0, sentAt: -Infinity, sending: false, changed: false, since: undefined
      }
      lines.set(session.name, line)
      ended.delete(session.name)
      if (!orders.has(session.name)) orders.set(session.name, nextOrder++)
      const urgent = () => plan(line, URGENT_MS)
      const off = [
        session.events.on('state', (state, before) => plan(line,
          state.job.gcodeState === before?.job.gcodeState && state.errors === before.errors ? EVERY_MS : URGENT_MS)),
        session.events.on('service', urgent),
        session.events.on('live', urgent),
        session.events.on('problem', urgent)
      ]
      urgent()
      return () => {
        for (const undo of off) undo()
        clearTimeout(line.timer)
        if (lines.get(session.name) === line) lines.delete(session.name)
        gone(session)
      }
    },
    forget (printer) {
      orders.delete(printer)
      if (ended.delete(printer) && !closed) remove(printer).catch(onFailure)
    },
    remove,
    tellAll () {
      for (const line of lines.values()) plan(line, URGENT_MS)
      for (const session of ended.values()) tellEnded(session).catch(onFailure)
    },
    get waiting () { return [...lines.values()].filter(({ changed }) => changed).length },
    get lagMs () {
      const now = performance.now()
      return Math.max(0, ...[...lines.values()].map(({ since = now }) => now - since))
    },
    close () {
      closed = true
      for (const { timer } of lines.values()) clearTimeout(timer)
    }
  }
}
