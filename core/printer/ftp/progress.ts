import type { SdCardProgress } from './types.js'

const PROGRESS_EVERY_MS = 250

/** Reports the progress of a transfer at intervals and once more at its end, also when it fails. */
export async function withProgress<T> (total: number, bytes: () => number,
  onProgress: ((progress: SdCardProgress) => void) | undefined, work: () => Promise<T>): Promise<T> {
  if (onProgress === undefined) return await work()
  const report = () => onProgress({ bytes: bytes(), total })
  report()
  const timer = setInterval(report, PROGRESS_EVERY_MS).unref()
  try {
    return await work()
  } finally {
    clearInterval(timer)
    report()
  }
}
