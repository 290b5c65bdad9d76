import type { Progress } from '../../core/index.js'

const EVERY_MS = 3_000
const MS_PER_SECOND = 1_000

/** Clients give up on silence: work that does not say how far it has come is said to go on, with its seconds. */
export async function announced<T> (progress: Progress, work: (progress: Progress) => Promise<T>,
  everyMs = EVERY_MS): Promise<T> {
  const begun = performance.now()
  const timer = setInterval(() =>
    progress((performance.now() - begun) / MS_PER_SECOND, undefined, 'Still at work'), everyMs).unref()
  try {
    return await work((...said) => {
      clearInterval(timer)
      progress(...said)
    })
  } finally {
    clearInterval(timer)
  }
}
