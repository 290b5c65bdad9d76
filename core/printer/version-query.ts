import type { Command } from './mqtt/command.js'

export const GET_VERSION: Command = { section: 'info', command: 'get_version' }

/** Between two requests for one version report, as in the vendor's slicer. */
export const RETRY_MS = 2_000
/** Limit of requests for one version report, as in the vendor's slicer. */
export const MAX_TRIES = 10
/** Between two queries because of a changed module: some printers count every change of an AMS unit. */
export const CHANGE_EVERY_MS = 30_000

/** Decides when the version report has to be requested; the caller sends the requests. */
export interface VersionQuery {
  /** The first request was sent, as at the start of a connection. */
  requested (now: number): void
  received (): void
  /** Compares the module counters of a complete report: a change requires a new version report. */
  compare (counters: string): void
  /** @returns whether a request is due now; it is then counted */
  isDue (now: number): boolean
  /** A new connection: its first counters are no change. */
  restart (): void
}

export function createVersionQuery (): VersionQuery {
  let wanted = false
  /** Of the current query. */
  let tries = 0
  let firstAt = -Infinity
  let lastAt = -Infinity
  let counters: string | undefined

  function count (now: number): void {
    if (tries++ === 0) firstAt = now
    lastAt = now
  }

  return {
    requested (now) {
      wanted = true
      tries = 0
      count(now)
    },
    received () { wanted = false },
    compare (seen) {
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
