import type { SdCardProgress } from './types.js'

const PROGRESS_EVERY_MS = 250

/** Tells how far a transfer has come, now and then and at its end, also where it fails. */
export async function told<T> (total: number, bytes: () => number,
  onProgress: ((progress: SdCardProgress) => void) | undefined, work: () => Promise<T>): Promise<T> {
  if (onProgress === undefined) return await work()
  const tell = () => onProgress({ bytes: bytes(), total })
  tell()
  const timer = setInterval(tell, PROGRESS_EVERY_MS).unref()
  try {
    return await work()
  } finally {
    clearInterval(timer)
    tell()
  }
}
