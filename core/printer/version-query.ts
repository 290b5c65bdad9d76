/** Before the version report is asked for again. Source: the vendor's own slicer. */
export const RETRY_MS = 2_000
/** Requests for one version report at most. Source: the vendor's own slicer. */
export const MAX_TRIES = 10
/** Between requests because a module changed: some printers count an AMS unit's every change. */
export const CHANGE_EVERY_MS = 30_000

/** Decides when the version report has to be asked for; asking is the caller's part. */
export interface VersionQuery {
  /** A first request goes out, as at the start of a connection. */
  asked (now: number): void
  answered (): void
  /** The counters of a complete report: changed ones call for a new version report. */
  look (counters: string): void
  /** Counts a request when one is due. */
  isDue (now: number): boolean
  /** A new connection: its first counters are no change. */
  restart (): void
}

export function createVersionQuery (): VersionQuery {
  let wanted = false
  /** Of the present query. */
  let tries = 0
  let firstAt = -Infinity
  let lastAt = -Infinity
  let counters: string | undefined

  function count (now: number): void {
    if (tries++ === 0) firstAt = now
    lastAt = now
  }

  return {
    asked (now) {
      wanted = true
      tries = 0
      count(now)
    },
    answered () { wanted = false },
    look (seen) {
      if (counters !== undefined && seen !== counters) {
        wanted = true
        tries = 0
      }
      counters = seen
    },
    isDue (now) {
      const isTime = tries === 0 ? now - firstAt >= CHANGE_EVERY_MS : now - lastAt >= RETRY_MS
      if (!wanted || tries >= MAX_TRIES || !isTime) return false
      count(now)
      return true
    },
    restart () { counters = undefined }
  }
}
