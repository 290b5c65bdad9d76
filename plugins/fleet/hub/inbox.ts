import { randomUUID } from 'node:crypto'
import type { Link } from '../link.js'

/** Where nodes send their answers: one subscription of this hub, with a subject for each attempt of a call. */
export class Inbox {
  readonly #prefix: string
  readonly #listeners = new Map<string, (frame: Buffer) => void>()

  /** @param owner prefix of the subjects in which this hub may receive */
  constructor (link: Pick<Link, 'opened'>, owner: string) {
    this.#prefix = `${owner}.${randomUUID()}`
    link.opened.then(nats => nats.subscribe(`${this.#prefix}.*`, {
      callback: (error, { subject, data }) => {
        if (error === null) this.#listeners.get(subject)?.(Buffer.from(data))
      }
    })).catch(() => {}) // reported by the link
  }

  newSubject (): string { return `${this.#prefix}.${randomUUID()}` }

  /** Replaces the listener of this subject. */
  listen (subject: string, listener: (frame: Buffer) => void): void { this.#listeners.set(subject, listener) }

  close (subject: string): void { this.#listeners.delete(subject) }
}
