import type { JetStreamClient } from '@nats-io/jetstream'
import type { KV } from '@nats-io/kv'
import type { FastifyBaseLogger } from 'fastify'
import type { Link } from '../link.js'
import type { Names } from '../names.js'
import { openHubStores } from '../stores.js'

const RETRY_MS = 2_000

export interface StoreFollowersOptions {
  readonly link: Pick<Link, 'opened'>
  readonly names: Names
  readonly replicas: number
  readonly log: FastifyBaseLogger
  readonly followStates: (bucket: KV) => Promise<void>
  /** @returns one run */
  readonly followAlerts: (events: JetStreamClient) => () => Promise<void>
  /** Resolves when alerts may be followed. */
  readonly ready: Promise<void>
}

/** Follows the stores of the fleet, from when they can be opened until this hub closes. */
export class StoreFollowers {
  readonly #options: StoreFollowersOptions
  #retry: NodeJS.Timeout | undefined
  #closed = false

  constructor (options: StoreFollowersOptions) {
    this.#options = options
  }

  async open (): Promise<void> {
    const { link, names, replicas, log, followStates, followAlerts, ready } = this.#options
    try {
      const nats = await link.opened
      if (this.#closed) return
      const { state, events } = await openHubStores(nats, names, replicas)
      void this.#keepFollowing('the states of printers', () => followStates(state))
      const follow = followAlerts(events)
      void ready.then(() => this.#keepFollowing('alerts', follow))
    } catch (error) {
      if (this.#closed) return
      log.warn({ err: error }, 'the stores of the fleet cannot be opened; trying again')
      this.#retry = setTimeout(() => { void this.open() }, RETRY_MS).unref()
    }
  }

  close (): void {
    this.#closed = true
    clearTimeout(this.#retry)
  }

  /** Restarts a follower whenever it ends. */
  async #keepFollowing (what: string, follow: () => Promise<void>): Promise<void> {
    while (!this.#closed) {
      await follow().catch((error: Error) => {
        if (!this.#closed) this.#options.log.warn({ err: error }, `following ${what} failed; trying again`)
      })
      await new Promise(resolve => { this.#retry = setTimeout(resolve, RETRY_MS) })
    }
  }
}
