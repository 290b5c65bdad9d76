import type { Spoolman } from './spoolman.js'
import { SpoolmanRefused } from './spoolman.js'
import type { Store } from './store.js'
import type { Use } from './types.js'

export interface ReporterOptions {
  readonly store: Pick<Store, 'uses' | 'step'>
  readonly spoolman: Pick<Spoolman, 'usedGrams' | 'use'>
  readonly redact: (text: string) => string
  readonly now: () => number
  /** Called when a use was counted, or will not be. */
  readonly ended: (use: Use) => void
}

/** Tolerance: Spoolman counts in floating point and rounds its replies. */
const NEAR_GRAMS = 0.05

/**
 * Whether a use was counted although its request was not answered: Spoolman's count shows it, unless another client
 * used the spool in between.
 */
export function judge ({ before, grams }: Pick<Use, 'before' | 'grams'>, counted: number): 'done' | 'open' | 'unclear' {
  if (before === null) return 'unclear'
  const more = counted - before
  if (Math.abs(more - grams) <= NEAR_GRAMS) return 'done'
  return Math.abs(more) <= NEAR_GRAMS ? 'open' : 'unclear'
}

/** Any request has timed out after this time. */
const IN_FLIGHT_MS = 60_000

const UNCLEAR = "Spoolman's count of the spool changed by another amount: check it there, then settle the use with done or send"

/**
 * Reports each use to Spoolman exactly once. Its API is not idempotent, so its count is recorded before each request;
 * after a crash or without an answer, the count shows whether the use was added.
 */
export function createReporter ({ store, spoolman, redact, now, ended }: ReporterOptions) {
  async function end (use: Use, from: Use['state'], state: Use['state'], problem: string | null = null): Promise<void> {
    if (await store.step(use.id, from, { state, problem })) ended({ ...use, state, problem })
  }

  async function send (use: Use): Promise<void> {
    const before = await spoolman.usedGrams(use.spool)
    if (!await store.step(use.id, 'waiting', { state: 'sending', before, sent_at: now() })) return // another service is sending it
    await spoolman.use(use.spool, use.grams)
    await end(use, 'sending', 'done')
  }

  async function settle (use: Use): Promise<void> {
    if (now() - (use.sent_at ?? 0) < IN_FLIGHT_MS) return // another service may still be sending it
    const found = judge(use, await spoolman.usedGrams(use.spool))
    if (found === 'done') await end(use, 'sending', 'done')
    else if (found === 'unclear') await end(use, 'sending', 'unclear', UNCLEAR)
    else await store.step(use.id, 'sending', { state: 'waiting', before: null, sent_at: null })
  }

  async function report (use: Use): Promise<void> {
    try {
      if (use.state === 'sending') await settle(use)
      else await send(use)
    } catch (error) {
      if (!(error instanceof SpoolmanRefused)) throw error
      for (const from of ['waiting', 'sending'] as const) await end(use, from, 'refused', redact(error.message))
    }
  }

  return {
    /** Reports waiting uses in order until one fails. @returns whether none is left */
    async run (signal: AbortSignal): Promise<boolean> {
      const uses = await store.uses(['waiting', 'sending'])
      for (const use of uses) {
        if (signal.aborted) return false
        await report(use)
      }
      return (await store.uses(['waiting', 'sending'], 1)).length === 0
    }
  }
}

export type Reporter = ReturnType<typeof createReporter>
