import type { Progress } from '../../core/index.js'

const EVERY_MS = 3_000
const MS_PER_SECOND = 1_000

/** Clients give up after silence, so work without progress of its own reports the elapsed seconds. */
export async function reportStillWorking<T> (progress: Progress, work: (progress: Progress) => Promise<T>,
  everyMs = EVERY_MS): Promise<T> {
  const begun = performance.now()
  const timer = setInterval(() =>
    progress((performance.now() - begun) / MS_PER_SECOND, undefined, 'Still working'), everyMs).unref()
  try {
    return await work((...reported) => {
      clearInterval(timer)
      progress(...reported)
    })
  } finally {
    clearInterval(timer)
  }
}
