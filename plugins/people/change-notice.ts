import type { Snapshot } from './snapshot.js'

/** Also without a change, so that whoever failed to act on one does so soon. */
const REPEAT_MS = 60_000

export interface ChangeNoticeOptions {
  /** ms since the epoch. */
  readonly now: () => number
  /** Rights may have changed. */
  readonly tell: () => void
}

/**
 * Tells when rights change, and when a key or a login expires. A shared database is read every few seconds, and most of
 * the time nothing is different.
 */
export function createChangeNotice ({ now, tell }: ChangeNoticeOptions) {
  let shown = ''
  let toldAt = -Infinity
  let expiries: readonly number[] = []

  function tellNow (): void {
    toldAt = now()
    expiries = expiries.filter(at => at > toldAt)
    tell()
  }
  const isOverdue = (): boolean => expiries.some(at => at <= now())

  return {
    /** What was read just now. */
    put (snapshot: Snapshot): void {
      const text = JSON.stringify(snapshot)
      const isSame = text === shown
      if (!isSame) expiries = [...snapshot.keys, ...snapshot.sessions].flatMap(({ expires_at: at }) => at ?? [])
      shown = text
      if (!isSame || isOverdue() || Math.abs(now() - toldAt) >= REPEAT_MS) tellNow()
    },
    /** To be called every few seconds. */
    look (): void { if (isOverdue()) tellNow() }
  }
}
