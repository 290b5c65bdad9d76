import type { FastifyBaseLogger } from 'fastify'
import { timeoutSignal, withTimeout, wordsOfFailure, type ConnectionReport } from '../../core/index.js'
import type { Delivery } from './deliveries.js'
import type { Target } from './options.js'
import { pauseAfter, TargetState } from './target-state.js'
import { NotDelivered, type Message } from './targets/types.js'
import { WaitingDeliveries } from './waiting-deliveries.js'

export interface SenderOptions {
  readonly targets: ReadonlyMap<string, Target>
  readonly messageOf: (delivery: Delivery, target: Target) => Promise<Message>
  /** Called for each change of a message, with what it was; after the last one its status is not `waiting`. */
  readonly onChanged: (delivery: Delivery, before: Delivery | undefined) => void
  /** Receive the result of each attempt. */
  readonly reports?: ReadonlyMap<string, ConnectionReport>
  readonly redact: (text: string) => string
  readonly now: () => number
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'info' | 'debug'>
  /** Time limit of one attempt. @default 30 s */
  readonly attemptMs?: number
}

/** Current state of a target. */
export interface TargetStatus {
  readonly waiting: number
  /** Why the last attempt failed; undefined after a success. */
  readonly problem: string | undefined
}

const ATTEMPT_MS = 30_000
/** An attempt that ignores the signal is abandoned after this time. */
const GRACE_MS = 5_000
const CLOSE_MS = 3_000
const LONGEST_PROBLEM = 300
/** Every so many attempts go without the attachment: a target may break the connection because of its size. */
const BARE_ATTEMPT = 4

const isBare = ({ attempts }: Delivery): boolean => attempts % BARE_ATTEMPT === 0

/**
 * Sends waiting messages: one at a time per target, and at most one per tick. After a failure, the target and the
 * message pause for 10 s, then longer, up to 5 minutes.
 */
export class Sender {
  readonly #options: SenderOptions
  readonly #waiting = new WaitingDeliveries()
  readonly #states = new Map<string, TargetState>()
  readonly #closing = new AbortController()

  constructor (options: SenderOptions) {
    this.#options = options
  }

  get deliveries (): Iterable<Delivery> { return this.#waiting }

  status (name: string): TargetStatus {
    return { waiting: this.#waiting.countOf(name), problem: this.#states.get(name)?.problem }
  }

  /** @param until delays sending until it settles; its value is merged into the message */
  add (delivery: Delivery, until?: Promise<Partial<Delivery>>): void {
    const { id } = delivery
    this.#update(delivery)
    this.#giveUpSurplus()
    if (until === undefined) return
    this.#waiting.hold(id)
    until.then(more => {
      const known = this.#waiting.get(id)
      if (known !== undefined) this.#update({ ...known, ...more })
    }).catch((error: Error) => this.#options.log.debug({ err: error }, 'a message goes without its attachment'))
      .finally(() => this.#waiting.release(id))
  }

  /** Adds messages of an earlier run before newer ones. */
  resume (left: readonly Delivery[]): void {
    this.#waiting.prepend(left)
    for (const delivery of left) {
      if (!this.#options.targets.has(delivery.target)) this.#giveUp(delivery, 'the target is no longer configured')
    }
    this.#giveUpSurplus()
  }

  /** Forgets past failures of a target: it was changed, or it has just accepted a test. */
  recover (name: string): void { this.#states.get(name)?.succeed() }

  /** Remembers why a target did not accept a test, without a pause. */
  fault (name: string, problem: string): void { this.#stateOf(name).refuse(problem) }

  /** Gives up what waits for a target that was removed. */
  drop (name: string): void {
    for (const delivery of [...this.#waiting]) {
      if (delivery.target === name) this.#giveUp(delivery, 'the target was removed')
    }
  }

  /** Call every second. */
  tick (): void {
    const at = this.#options.now()
    for (const delivery of [...this.#waiting]) {
      const isRunning = this.#states.get(delivery.target)?.running !== undefined
      if (delivery.give_up_at <= at && !isRunning) this.#giveUp(delivery, delivery.problem ?? 'it took too long')
    }
    for (const [name, target] of this.#options.targets) {
      const state = this.#stateOf(name)
      const delivery = state.isFree(at) ? this.#waiting.next(name, at) : undefined
      if (delivery !== undefined) state.run(this.#attempt(state, target, delivery))
    }
  }

  /** Waits briefly for messages being sent; the others wait for the next start. */
  async close (): Promise<void> {
    const timer = setTimeout(() => this.#closing.abort(new Error('the service ends')), CLOSE_MS)
    await Promise.all([...this.#states.values()].map(({ running }) => running))
    clearTimeout(timer)
    this.#closing.abort(new Error('the service ends'))
  }

  #stateOf (name: string): TargetState {
    const state = this.#states.get(name) ?? new TargetState()
    this.#states.set(name, state)
    return state
  }

  async #attempt (state: TargetState, target: Target, before: Delivery): Promise<void> {
    const { messageOf, attemptMs = ATTEMPT_MS } = this.#options
    const delivery = { ...before, attempts: before.attempts + 1 }
    const given = isBare(delivery) ? { ...delivery, attachment: '' } : delivery
    try {
      const signal = AbortSignal.any([this.#closing.signal, timeoutSignal(attemptMs)])
      const late = () => new Error('it did not answer in time')
      const message = await messageOf(given, target)
      await withTimeout(attemptMs + GRACE_MS, target.send(message, signal), late, this.#closing.signal)
      this.#succeed(state, given)
    } catch (error) {
      if (!this.#closing.signal.aborted) this.#fail(state, delivery, error as Error)
    }
  }

  #succeed (state: TargetState, delivery: Delivery): void {
    const { reports, log } = this.#options
    if (state.problem !== undefined) log.info({ target: delivery.target }, 'messages are accepted again')
    reports?.get(delivery.target)?.connected()
    state.succeed()
    this.#end(delivery, 'delivered', null)
  }

  #fail (state: TargetState, delivery: Delivery, error: Error): void {
    const { reports, redact, now } = this.#options
    const { final = false, retryAfterMs = 0 } = error instanceof NotDelivered ? error : {} as Partial<NotDelivered>
    const problem = redact(wordsOfFailure(error)).slice(0, LONGEST_PROBLEM)
    reports?.get(delivery.target)?.failed(error)
    const at = now()
    if (final) {
      state.refuse(problem)
      // It may be the attachment that is refused: the alert matters more.
      if (delivery.attachment !== '') return this.#update({ ...delivery, problem, attachment: '', due_at: at })
      return this.#giveUp(delivery, problem)
    }
    const pausedUntil = state.fail(problem, at, retryAfterMs)
    this.#update({ ...delivery, problem, due_at: Math.max(pausedUntil, at + pauseAfter(delivery.attempts)) })
  }

  #giveUpSurplus (): void {
    for (let oldest = this.#waiting.surplus; oldest !== undefined; oldest = this.#waiting.surplus) {
      this.#giveUp(oldest, 'too many messages were waiting')
    }
  }

  #giveUp (delivery: Delivery, problem: string): void {
    this.#end(delivery, 'given_up', problem)
    this.#options.log.warn({ target: delivery.target, message: delivery.id, problem }, 'a message was given up')
  }

  #update (delivery: Delivery): void {
    const before = this.#waiting.get(delivery.id)
    this.#waiting.set(delivery)
    this.#options.onChanged(delivery, before)
  }

  #end (delivery: Delivery, status: 'delivered' | 'given_up', problem: string | null): void {
    const before = this.#waiting.get(delivery.id)
    this.#waiting.delete(delivery.id)
    this.#options.onChanged({ ...delivery, status, problem, ended_at: this.#options.now() }, before)
  }
}
