import type { FastifyBaseLogger } from 'fastify'
import type { Attachments } from './attachments.js'
import type { Deliveries } from './deliveries.js'
import type { Messenger } from './messenger.js'
import type { Sender } from './sender.js'
import { MOST_WAITING } from './waiting-deliveries.js'

const EVERY_MS = 1_000
const PRUNE_MS = 3_600_000
/** Delay before waiting messages are read again after a failure. */
const RELOAD_MS = 60_000

export interface DeliveryScheduleDeps {
  readonly messenger: Pick<Messenger, 'tick' | 'close'>
  readonly sender: Pick<Sender, 'resume' | 'tick' | 'deliveries' | 'close'>
  readonly deliveries: Pick<Deliveries, 'waiting' | 'prune'>
  readonly attachments: Pick<Attachments, 'sweep'>
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'debug'>
}

/** Resumes messages of an earlier run, then sends every second and removes old messages every hour. */
export class DeliverySchedule {
  readonly #deps: DeliveryScheduleDeps
  #isResumed = false
  #pruneAt = 0
  #resumeAt = 0
  #timer: NodeJS.Timeout | undefined

  constructor (deps: DeliveryScheduleDeps) {
    this.#deps = deps
  }

  /** Does nothing if it has started already. */
  start (): void {
    if (this.#timer !== undefined) return
    this.#timer = setInterval(() => this.#tick(), EVERY_MS).unref()
    this.#tick()
  }

  async close (): Promise<void> {
    const { messenger, sender } = this.#deps
    clearInterval(this.#timer)
    messenger.tick(true)
    await sender.close()
    await messenger.close()
  }

  #tick (): void {
    const { messenger, sender, deliveries, log } = this.#deps
    const at = performance.now()
    if (!this.#isResumed && at >= this.#resumeAt) {
      this.#resumeAt = at + RELOAD_MS
      this.#resume().catch((error: Error) => log.warn({ err: error }, 'messages that wait cannot be read'))
    }
    if (this.#isResumed && at >= this.#pruneAt) {
      this.#pruneAt = at + PRUNE_MS
      deliveries.prune().catch((error: Error) => log.debug({ err: error }, 'old messages were not removed'))
    }
    messenger.tick()
    sender.tick()
  }

  async #resume (): Promise<void> {
    const { sender, deliveries, attachments } = this.#deps
    sender.resume(await deliveries.waiting(MOST_WAITING))
    this.#isResumed = true
    await attachments.sweep(new Set([...sender.deliveries].map(({ attachment }) => attachment)))
  }
}
