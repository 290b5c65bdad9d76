import type { Json } from './json-merge.js'
import type { Request } from './request.js'

/** A request as it was received. */
export interface ReceivedRequest {
  /** Time of the printer's clock, ms. */
  readonly at: number
  readonly topic: string
  readonly section: string
  readonly command: string
  readonly body: Readonly<Json>
}

const MOST_ENTRIES = 1000

export interface RequestLog {
  readonly entries: readonly ReceivedRequest[]
  add (at: number, topic: string, request: Request): void
}

/** Retains the newest thousand requests, oldest first. */
export function createRequestLog (): RequestLog {
  const entries: ReceivedRequest[] = []
  return {
    entries,
    add (at, topic, request) {
      if (entries.length >= MOST_ENTRIES) entries.shift()
      entries.push({ at, topic, ...request })
    }
  }
}
