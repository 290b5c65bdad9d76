import type { Dispose, PrinterSession } from '../../../core/index.js'
import { signMessage, type SigningKey } from '../signed-message.js'
import type { StateStore } from '../stores.js'
import type { PrinterGone, PrinterValue } from '../types.js'
import { goneSubject } from '../encoding.js'

const EVERY_MS = 1_000
/** Urgent changes are published almost at once; the short delay merges bursts. */
const URGENT_MS = 50

export interface PublisherOptions {
  readonly key: (printer: string) => string
  /** Subject that the signature of a value covers. */
  readonly subject: (key: string) => string
  readonly signingKey: SigningKey
  readonly run: string
  /** Of a shared printer. */
  readonly epoch: (printer: string) => number | undefined
  /** Whether this service has the printer, with or without a session. */
  readonly isConfigured: (printer: string) => boolean
  readonly redact: (text: string) => string
  /** Undefined while there is no connection. */
  readonly bucket: () => StateStore | undefined
  readonly onFailure: (error: Error) => void
}

/** Publishes the state of each printer to the bucket of the fleet. */
export interface Publisher {
  follow (session: PrinterSession): Dispose
  /** The printer is no longer configured. */
  forget (printer: string): void
  /** Removes a printer that only an earlier run had. */
  remove (printer: string): Promise<void>
  /** Publishes everything again after a reconnect, as changes without a connection were lost. */
  publishAll (): void
  /** Number of values not stored yet. */
  readonly waiting: number
  /** Age of the oldest of them, ms; 0 without any. */
  readonly lagMs: number
  /** Stops publishing, including the end of sessions. */
  close (): void
}

interface Publication {
  readonly session: PrinterSession
  timer: NodeJS.Timeout | undefined
  dueAt: number
  sentAt: number
  sending: boolean
  changed: boolean
  /** Time of the first change that is waiting or in transit. */
  since: number | undefined
}

interface Stamp {
  readonly run: string
  readonly number: number
  readonly epoch?: number | undefined
  readonly order?: number | undefined
}

/** The published value of a printer: everything but its access code and the raw report. */
export function valueOf (session: PrinterSession, { run, number, epoch, order }: Stamp,
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
  const publications = new Map<string, Publication>()
  /** Sessions that have ended although their printers are still configured. */
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

  async function publishEnded (session: PrinterSession): Promise<void> {
    const value = valueOf(session, { run, number: ++number, order: orders.get(session.name) }, now())
    await put(bucket(), { ...value, ended: true })
  }

  function gone (session: PrinterSession): void {
    const { name } = session
    // The next holder of a shared printer publishes its state.
    const stays = isConfigured(name) && epoch(name) === undefined
    if (stays) ended.set(name, session)
    if (closed) return
    const published = stays ? publishEnded(session) : remove(name)
    published.catch(onFailure)
  }

  async function send (publication: Publication): Promise<void> {
    const to = bucket()
    if (closed || publication.sending || to === undefined) return
    publication.sending = true
    publication.changed = false
    const { since } = publication
    publication.sentAt = performance.now()
    try {
      const { name } = publication.session
      const stamp = { run, number: ++number, epoch: epoch(name), order: orders.get(name) }
      const value = valueOf(publication.session, stamp, now())
      publication.since = undefined
      await put(to, value)
    } catch (error) {
      publication.since = since
      publication.changed = true
      onFailure(error as Error)
    } finally {
      publication.sending = false
      if (publication.changed && publications.get(publication.session.name) === publication) plan(publication, EVERY_MS)
    }
  }

  function plan (publication: Publication, afterMs: number): void {
    publication.changed = true
    publication.since ??= performance.now()
    if (closed || publication.sending) return
    const dueAt = publication.sentAt + afterMs
    if (publication.timer !== undefined && publication.dueAt <= dueAt) return
    clearTimeout(publication.timer)
    publication.dueAt = dueAt
    publication.timer = setTimeout(() => {
      publication.timer = undefined
      void send(publication)
    }, Math.max(0, dueAt - performance.now())).unref()
  }

  return {
    follow (session) {
      const publication: Publication = {
        session, timer: undefined, dueAt: 0, sentAt: -Infinity, sending: false, changed: false, since: undefined
      }
      publications.set(session.name, publication)
      ended.delete(session.name)
      if (!orders.has(session.name)) orders.set(session.name, nextOrder++)
      const urgent = () => plan(publication, URGENT_MS)
      const off = [
        session.events.on('state', (state, before) => plan(publication,
          state.job.gcodeState === before?.job.gcodeState && state.errors === before.errors ? EVERY_MS : URGENT_MS)),
        session.events.on('service', urgent),
        session.events.on('live', urgent),
        session.events.on('problem', urgent)
      ]
      urgent()
      return () => {
        for (const undo of off) undo()
        clearTimeout(publication.timer)
        if (publications.get(session.name) === publication) publications.delete(session.name)
        gone(session)
      }
    },
    forget (printer) {
      orders.delete(printer)
      if (ended.delete(printer) && !closed) remove(printer).catch(onFailure)
    },
    remove,
    publishAll () {
      for (const publication of publications.values()) plan(publication, URGENT_MS)
      for (const session of ended.values()) publishEnded(session).catch(onFailure)
    },
    get waiting () { return [...publications.values()].filter(({ changed }) => changed).length },
    get lagMs () {
      const now = performance.now()
      return Math.max(0, ...[...publications.values()].map(({ since = now }) => now - since))
    },
    close () {
      closed = true
      for (const { timer } of publications.values()) clearTimeout(timer)
    }
  }
}
