import type { FastifyBaseLogger } from 'fastify'

const ONCE_EVERY_MS = 60_000
/** Bounds the map: kinds contain field names that the printer chooses. */
const MAX_KINDS = 64
const MAX_KIND_CHARS = 64

/** Counts invalid parts of a printer's messages by kind, and logs each kind at most once a minute with its count. */
export interface ProtocolWarnings {
  add (kind: string, detail?: string): void
  readonly counts: Readonly<Record<string, number>>
}

export function createProtocolWarnings (log: FastifyBaseLogger, now: () => number): ProtocolWarnings {
  const kinds = new Map<string, { count: number, loggedAt: number }>()
  return {
    add (what, detail) {
      let kind = what.slice(0, MAX_KIND_CHARS)
      if (!kinds.has(kind) && kinds.size >= MAX_KINDS) kind = 'other'
      const known = kinds.get(kind) ?? { count: 0, loggedAt: -Infinity }
      kinds.set(kind, known)
      known.count++
      if (now() - known.loggedAt < ONCE_EVERY_MS) return
      known.loggedAt = now()
      log.warn({ kind, detail: detail?.slice(0, 200), count: known.count }, 'ignored part of a report')
    },
    get counts () { return Object.fromEntries([...kinds].map(([kind, { count }]) => [kind, count])) }
  }
}
