import type { Dispose, PrinterSession } from '../../../core/index.js'
import { goneSubject } from '../encoding.js'
import { signMessage, type SigningKey } from '../signed-message.js'
import type { StateStore } from '../stores.js'
import type { PrinterGone, PrinterValue } from '../types.js'
import { Publication } from './publication.js'

export interface StatePublisherOptions {
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
  readonly now: () => number
}

/** Publishes the state of each printer to the bucket of the fleet. */
export class StatePublisher {
  readonly #options: StatePublisherOptions
  readonly #publications = new Map<string, Publication>()
  /** Sessions that have ended although their printers are still configured. */
  readonly #ended = new Map<string, PrinterSession>()
  readonly #orders = new Map<string, number>()
  #nextOrder = 0
  #number = 0
  #isClosed = false

  constructor (options: StatePublisherOptions) {
    this.#options = options
  }

  /** Number of values not stored yet. */
  get waiting (): number { return [...this.#publications.values()].filter(({ isWaiting }) => isWaiting).length }

  /** Age of the oldest of them, ms; 0 without any. */
  get lagMs (): number {
    const now = performance.now()
    return Math.max(0, ...[...this.#publications.values()].map(publication => publication.ageMs(now)))
  }

  follow (session: PrinterSession): Dispose {
    const { name } = session
    this.#ended.delete(name)
    if (!this.#orders.has(name)) this.#orders.set(name, this.#nextOrder++)
    const publication = new Publication({
      session,
      canSend: () => !this.#isClosed && this.#options.bucket() !== undefined,
      send: () => this.#publish(session),
      onFailure: this.#options.onFailure
    })
    this.#publications.set(name, publication)
    return () => {
      publication.end()
      if (this.#publications.get(name) === publication) this.#publications.delete(name)
      this.#leave(session)
    }
  }

  /** The printer is no longer configured. */
  forget (printer: string): void {
    this.#orders.delete(printer)
    if (this.#ended.delete(printer) && !this.#isClosed) this.remove(printer).catch(this.#options.onFailure)
  }

  /** Removes a printer that only an earlier run had. */
  async remove (printer: string): Promise<void> {
    const { key, subject, signingKey, run, bucket } = this.#options
    const at = key(printer)
    const gone: PrinterGone = { run, number: ++this.#number }
    await bucket()?.remove(at, signMessage(signingKey, goneSubject(subject(at)), JSON.stringify(gone)))
  }

  /** Publishes everything again after a reconnect, as changes without a connection were lost. */
  publishAll (): void {
    for (const publication of this.#publications.values()) publication.publishSoon()
    for (const session of this.#ended.values()) this.#publishEnded(session).catch(this.#options.onFailure)
  }

  /** Stops publishing, including the end of sessions. */
  close (): void {
    this.#isClosed = true
    for (const publication of this.#publications.values()) publication.end()
  }

  async #publish (session: PrinterSession): Promise<void> {
    await this.#put(this.#valueOf(session, this.#options.epoch(session.name)))
  }

  async #publishEnded (session: PrinterSession): Promise<void> {
    await this.#put({ ...this.#valueOf(session, undefined), ended: true })
  }

  #valueOf (session: PrinterSession, epoch: number | undefined): PrinterValue {
    const { run, now } = this.#options
    return publishedValue(session, { run, number: ++this.#number, epoch, order: this.#orders.get(session.name) }, now())
  }

  async #put (value: PrinterValue): Promise<void> {
    const { key, subject, signingKey, redact, bucket } = this.#options
    const at = key(value.name)
    await bucket()?.put(at, signMessage(signingKey, subject(at), redact(JSON.stringify(value))))
  }

  #leave (session: PrinterSession): void {
    const { isConfigured, epoch, onFailure } = this.#options
    const { name } = session
    // The next holder of a shared printer publishes its state.
    const stays = isConfigured(name) && epoch(name) === undefined
    if (stays) this.#ended.set(name, session)
    if (this.#isClosed) return
    const published = stays ? this.#publishEnded(session) : this.remove(name)
    published.catch(onFailure)
  }
}

interface Stamp {
  readonly run: string
  readonly number: number
  readonly epoch?: number | undefined
  readonly order?: number | undefined
}

/** The published value of a printer: everything but its access code and the raw report. */
function publishedValue (session: PrinterSession, { run, number, epoch, order }: Stamp,
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
