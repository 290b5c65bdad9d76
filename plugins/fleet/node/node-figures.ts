import type { FastifyBaseLogger } from 'fastify'
import { rateLimited } from '../rate-limited.js'

interface Counts {
  readonly failures: number
  readonly dropped: number
  readonly done: number
  readonly refused: number
  readonly unproven: number
}

/** Counts what a node reports in its status, and logs what the operator has to know. */
export class NodeFigures {
  readonly #log: FastifyBaseLogger
  readonly #logFailure: (error: Error) => void
  readonly #counts = { failures: 0, dropped: 0, done: 0, refused: 0, unproven: 0 }

  constructor (log: FastifyBaseLogger) {
    this.#log = log
    this.#logFailure = rateLimited((error: Error) =>
      log.warn({ err: error }, 'the fleet did not accept a message; it will be sent again'))
  }

  get counts (): Counts { return this.#counts }

  countFailure (error: Error): void {
    this.#counts.failures++
    this.#logFailure(error)
  }

  countDropped (): void {
    if (this.#counts.dropped++ > 0) return
    this.#log.error('too many alerts are waiting for the fleet: the oldest are dropped')
  }

  countUnproven (): void {
    if (this.#counts.unproven++ > 0) return
    this.#log.warn('received calls that no accepted hub has signed; they are dropped and counted')
  }

  countCall (result: 'done' | 'refused'): void { this.#counts[result]++ }
}
