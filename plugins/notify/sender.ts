import type { FastifyBaseLogger } from 'fastify'
import { timeoutSignal, withTimeout, wordsOfFailure, type ConnectionReport } from '../../core/index.js'
import type { Delivery } from './deliveries.js'
import type { Target } from './options.js'
import { NotDelivered, type Message } from './targets/types.js'

export interface SenderOptions {
  readonly targets: ReadonlyMap<string, Target>
  readonly messageOf: (delivery: Delivery, target: Target) => Promise<Message>
  /** Called for each change of a message; after the last one its status is not `waiting`. */
  readonly onChanged: (delivery: Delivery) => void
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
const FIRST_PAUSE_MS = 10_000
const LONGEST_PAUSE_MS = 300_000
/** More than a day's alerts of a large farm; above it, the oldest are given up. */
export const MOST_WAITING = 1_000
const CLOSE_MS = 3_000
const LONGEST_PROBLEM = 300

/** Pause after the nth consecutive failure. */
const pauseAfter = (failures: number): number => Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1))

interface TargetState {
  running: Promise<void> | undefined
  failures: number
  pausedUntil: number
  problem: string | undefined
}

/**
 * Sends waiting messages: one at a time per target, and at most one per tick. After a failure, the target and the
 * message pause for 10 s, then longer, up to 5 minutes.
 */
export function createSender (options: SenderOptions) {
  const { targets, messageOf, onChanged, reports, redact, now, log, attemptMs = ATTEMPT_MS } = options
  const waiting = new Map<string, Delivery>()
  /** Messages that wait for their attachment. */
  const held = new Set<string>()
  const states = new Map<string, TargetState>()
  const closing = new AbortController()

  const stateOf = (name: string): TargetState => {
    const state = states.get(name) ?? { running: undefined, failures: 0, pausedUntil: 0, problem: undefined }
    states.set(name, state)
    return state
  }

  function end (delivery: Delivery, status: 'delivered' | 'given_up', problem: string | null): void {
    waiting.delete(delivery.id)
    held.delete(delivery.id)
    onChanged({ ...delivery, status, problem, ended_at: now() })
    if (status === 'given_up') log.warn({ target: delivery.target, message: delivery.id, problem }, 'a message was given up')
  }

  function update (delivery: Delivery): void {
    waiting.set(delivery.id, delivery)
    onChanged(delivery)
  }

  function succeed (state: TargetState, delivery: Delivery): void {
    if (state.problem !== undefined) log.info({ target: delivery.target }, 'messages are accepted again')
    reports?.get(delivery.target)?.connected()
    Object.assign(state, { failures: 0, pausedUntil: 0, problem: undefined })
    end(delivery, 'delivered', null)
  }

  function fail (state: TargetState, delivery: Delivery, error: Error): void {
    const { final = false, retryAfterMs } = error instanceof NotDelivered ? error : {} as Partial<NotDelivered>
    const problem = redact(wordsOfFailure(error)).slice(0, LONGEST_PROBLEM)
    state.problem = problem
    reports?.get(delivery.target)?.failed(error)
    if (final) return end(delivery, 'given_up', problem)
    state.failures++
    state.pausedUntil = now() + Math.max(retryAfterMs ?? 0, pauseAfter(state.failures))
    update({ ...delivery, problem, due_at: Math.max(state.pausedUntil, now() + pauseAfter(delivery.attempts)) })
  }

  async function attempt (state: TargetState, target: Target, before: Delivery): Promise<void> {
    const delivery = { ...before, attempts: before.attempts + 1 }
    try {
      const signal = AbortSignal.any([closing.signal, timeoutSignal(attemptMs)])
      const late = () => new Error('it did not answer in time')
      const message = await messageOf(delivery, target)
      await withTimeout(attemptMs + GRACE_MS, target.send(message, signal), late, closing.signal)
      succeed(state, delivery)
    } catch (error) {
      if (!closing.signal.aborted) fail(state, delivery, error as Error)
    }
  }

  /** The message that has been due for longest, so that one that keeps failing does not block the others. */
  function next (name: string, at: number): Delivery | undefined {
    let first: Delivery | undefined
    for (const delivery of waiting.values()) {
      if (delivery.target !== name || delivery.due_at > at || held.has(delivery.id)) continue
      if (first === undefined || delivery.due_at < first.due_at) first = delivery
    }
    return first
  }

  function bound (): void {
    const [oldest] = waiting.values()
    if (waiting.size > MOST_WAITING && oldest !== undefined) end(oldest, 'given_up', 'too many messages were waiting')
  }

  return {
    get deliveries (): Iterable<Delivery> { return waiting.values() },
    has: (id: string): boolean => waiting.has(id),
    /** @param until delays sending until it settles; its value is merged into the message */
    add (delivery: Delivery, until?: Promise<Partial<Delivery>>): void {
      update(delivery)
      bound()
      if (until === undefined) return
      held.add(delivery.id)
      until.then(more => {
        const known = waiting.get(delivery.id)
        if (known !== undefined) update({ ...known, ...more })
      }).catch((error: Error) => log.debug({ err: error }, 'a message goes without its attachment'))
        .finally(() => held.delete(delivery.id))
    },
    /** Adds messages of an earlier run before newer ones. */
    resume (left: readonly Delivery[]): void {
      const newer = [...waiting.values()]
      waiting.clear()
      for (const delivery of [...left, ...newer]) waiting.set(delivery.id, delivery)
      for (const delivery of left) {
        if (!targets.has(delivery.target)) end(delivery, 'given_up', 'the target is no longer configured')
      }
      while (waiting.size > MOST_WAITING) bound()
    },
    /** Call every second. */
    tick (): void {
      const at = now()
      for (const delivery of [...waiting.values()]) {
        const isRunning = states.get(delivery.target)?.running !== undefined
        if (delivery.give_up_at <= at && !isRunning) end(delivery, 'given_up', delivery.problem ?? 'it took too long')
      }
      for (const [name, target] of targets) {
        const state = stateOf(name)
        if (state.running !== undefined || state.pausedUntil > at) continue
        const delivery = next(name, at)
        if (delivery === undefined) continue
        state.running = attempt(state, target, delivery).finally(() => { state.running = undefined })
      }
    },
    status (name: string): TargetStatus {
      const count = [...waiting.values()].filter(({ target }) => target === name).length
      return { waiting: count, problem: states.get(name)?.problem }
    },
    /** Waits briefly for messages being sent; the others wait for the next start. */
    async close (): Promise<void> {
      const timer = setTimeout(() => closing.abort(new Error('the service ends')), CLOSE_MS)
      await Promise.all([...states.values()].map(({ running }) => running))
      clearTimeout(timer)
      closing.abort(new Error('the service ends'))
    }
  }
}

export type Sender = ReturnType<typeof createSender>
