import type { FastifyBaseLogger } from 'fastify'
import { timeoutSignal, withTimeout, wordsOfFailure, type ConnectionReport } from '../../core/index.js'
import type { Delivery } from './deliveries.js'
import type { Target } from './options.js'
import { NotDelivered, type Message } from './targets/types.js'

export interface SenderOptions {
  readonly targets: ReadonlyMap<string, Target>
  readonly messageOf: (delivery: Delivery, target: Target) => Promise<Message>
  /** Told of each change of a message; the last one has another status than `waiting`. */
  readonly onChanged: (delivery: Delivery) => void
  /** Told whether a target takes what it is sent. */
  readonly reports?: ReadonlyMap<string, ConnectionReport>
  readonly redact: (text: string) => string
  readonly now: () => number
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'info' | 'debug'>
  /** How long one attempt may take. @default 30 s */
  readonly attemptMs?: number
}

/** What a target is like now. */
export interface TargetStatus {
  readonly waiting: number
  /** Why the last attempt failed; undefined after one that did not. */
  readonly problem: string | undefined
}

const ATTEMPT_MS = 30_000
/** What does not heed the signal is left to itself after this. */
const GRACE_MS = 5_000
const FIRST_PAUSE_MS = 10_000
const LONGEST_PAUSE_MS = 300_000
/** More than all alerts of a large farm in a day without any target; the oldest go first. */
export const MOST_WAITING = 1_000
const CLOSE_MS = 3_000
const LONGEST_PROBLEM = 300

/** After the first, second, … failure in a row. */
const pauseAfter = (failures: number): number => Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1))

interface Line {
  running: Promise<void> | undefined
  failures: number
  restsUntil: number
  problem: string | undefined
}

/**
 * Sends what waits: one message to a target at a time and at most one each tick. A target
 * that fails is left in peace for 10 s, then longer, up to 5 minutes; so is the message.
 */
export function createSender (options: SenderOptions) {
  const { targets, messageOf, onChanged, reports, redact, now, log, attemptMs = ATTEMPT_MS } = options
  const waiting = new Map<string, Delivery>()
  /** Not sent before what belongs to them has come. */
  const held = new Set<string>()
  const lines = new Map<string, Line>()
  const closing = new AbortController()

  const lineOf = (name: string): Line => {
    const line = lines.get(name) ?? { running: undefined, failures: 0, restsUntil: 0, problem: undefined }
    lines.set(name, line)
    return line
  }

  function end (delivery: Delivery, status: 'delivered' | 'given_up', problem: string | null): void {
    waiting.delete(delivery.id)
    held.delete(delivery.id)
    onChanged({ ...delivery, status, problem, ended_at: now() })
    if (status === 'given_up') log.warn({ target: delivery.target, message: delivery.id, problem }, 'a message was given up')
  }

  function keep (delivery: Delivery): void {
    waiting.set(delivery.id, delivery)
    onChanged(delivery)
  }

  function succeed (line: Line, delivery: Delivery): void {
    if (line.problem !== undefined) log.info({ target: delivery.target }, 'messages are taken again')
    reports?.get(delivery.target)?.connected()
    Object.assign(line, { failures: 0, restsUntil: 0, problem: undefined })
    end(delivery, 'delivered', null)
  }

  function fail (line: Line, delivery: Delivery, error: Error): void {
    const { final = false, retryAfterMs } = error instanceof NotDelivered ? error : {} as Partial<NotDelivered>
    const problem = redact(wordsOfFailure(error)).slice(0, LONGEST_PROBLEM)
    line.problem = problem
    reports?.get(delivery.target)?.failed(error)
    if (final) return end(delivery, 'given_up', problem)
    line.failures++
    line.restsUntil = now() + Math.max(retryAfterMs ?? 0, pauseAfter(line.failures))
    keep({ ...delivery, problem, due_at: Math.max(line.restsUntil, now() + pauseAfter(delivery.attempts)) })
  }

  async function attempt (line: Line, target: Target, before: Delivery): Promise<void> {
    const delivery = { ...before, attempts: before.attempts + 1 }
    try {
      const signal = AbortSignal.any([closing.signal, timeoutSignal(attemptMs)])
      const late = () => new Error('it did not answer in time')
      const message = await messageOf(delivery, target)
      await withTimeout(attemptMs + GRACE_MS, target.send(message, signal), late, closing.signal)
      succeed(line, delivery)
    } catch (error) {
      if (!closing.signal.aborted) fail(line, delivery, error as Error)
    }
  }

  /** What has been due for the longest: one that fails again and again comes after the others. */
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
    if (waiting.size > MOST_WAITING && oldest !== undefined) end(oldest, 'given_up', 'too many waited')
  }

  return {
    get deliveries (): Iterable<Delivery> { return waiting.values() },
    has: (id: string): boolean => waiting.has(id),
    /** @param until it is not sent before this has settled; what that resolves to is laid over it */
    add (delivery: Delivery, until?: Promise<Partial<Delivery>>): void {
      keep(delivery)
      bound()
      if (until === undefined) return
      held.add(delivery.id)
      until.then(more => {
        const known = waiting.get(delivery.id)
        if (known !== undefined) keep({ ...known, ...more })
      }).catch((error: Error) => log.debug({ err: error }, 'what belongs to a message has not come'))
        .finally(() => held.delete(delivery.id))
    },
    /** Takes in what an earlier run has left, before what came since. */
    resume (left: readonly Delivery[]): void {
      const newer = [...waiting.values()]
      waiting.clear()
      for (const delivery of [...left, ...newer]) waiting.set(delivery.id, delivery)
      for (const delivery of left) {
        if (!targets.has(delivery.target)) end(delivery, 'given_up', 'the target is no longer configured')
      }
      while (waiting.size > MOST_WAITING) bound()
    },
    /** To be called every second. */
    tick (): void {
      const at = now()
      for (const delivery of [...waiting.values()]) {
        const isRunning = lines.get(delivery.target)?.running !== undefined
        if (delivery.give_up_at <= at && !isRunning) end(delivery, 'given_up', delivery.problem ?? 'it took too long')
      }
      for (const [name, target] of targets) {
        const line = lineOf(name)
        if (line.running !== undefined || line.restsUntil > at) continue
        const delivery = next(name, at)
        if (delivery === undefined) continue
        line.running = attempt(line, target, delivery).finally(() => { line.running = undefined })
      }
    },
    status (name: string): TargetStatus {
      const count = [...waiting.values()].filter(({ target }) => target === name).length
      return { waiting: count, problem: lines.get(name)?.problem }
    },
    /** Waits a moment for what is being sent; the rest waits for the next start. */
    async close (): Promise<void> {
      const timer = setTimeout(() => closing.abort(new Error('the service ends')), CLOSE_MS)
      await Promise.all([...lines.values()].map(({ running }) => running))
      clearTimeout(timer)
      closing.abort(new Error('the service ends'))
    }
  }
}

export type Sender = ReturnType<typeof createSender>
