import type { Spoolman } from './spoolman.js'
import { SpoolmanRefused } from './spoolman.js'
import type { Store } from './store.js'
import type { Use } from './types.js'

export interface ReporterOptions {
  readonly store: Pick<Store, 'uses' | 'step'>
  readonly spoolman: Pick<Spoolman, 'usedGrams' | 'use'>
  readonly redact: (text: string) => string
  readonly now: () => number
  /** A use was counted, or will not be. */
  readonly ended: (use: Use) => void
}

/** Spoolman counts in floating point, and rounds what it shows. */
const NEAR_GRAMS = 0.05

/**
 * What became of a use that was asked for and not answered: Spoolman's own count tells, as long as nobody else used the
 * spool in between.
 */
export function judge ({ before, grams }: Pick<Use, 'before' | 'grams'>, counted: number): 'done' | 'open' | 'unclear' {
  if (before === null) return 'unclear'
  const more = counted - before
  if (Math.abs(more - grams) <= NEAR_GRAMS) return 'done'
  return Math.abs(more) <= NEAR_GRAMS ? 'open' : 'unclear'
}

/** Whoever asked has given up by then. */
const IN_FLIGHT_MS = 60_000

const UNCLEAR = "Spoolman's count of the spool changed otherwise meanwhile: look there, then say done or send"

/**
 * Reports uses to Spoolman, each once. Its API adds what it is told and knows no repetition, so what it had counted is
 * written down before it is asked; after a crash or without an answer, its count tells whether it was done.
 */
export function createReporter ({ store, spoolman, redact, now, ended }: ReporterOptions) {
  async function end (use: Use, from: Use['state'], state: Use['state'], problem: string | null = null): Promise<void> {
    if (await store.step(use.id, from, { state, problem })) ended({ ...use, state, problem })
  }

  async function send (use: Use): Promise<void> {
    const before = await spoolman.usedGrams(use.spool)
    if (!await store.step(use.id, 'waiting', { state: 'sending', before, sent_at: now() })) return // another service has it
    await spoolman.use(use.spool, use.grams)
    await end(use, 'sending', 'done')
  }

  async function settle (use: Use): Promise<void> {
    if (now() - (use.sent_at ?? 0) < IN_FLIGHT_MS) return // another service may be at it
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
    /** Reports what waits, in order, until something fails. @returns whether nothing waits any more */
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
