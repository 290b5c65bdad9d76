/** Listeners last received different values. */
const SEVERAL = Symbol('several')

/** The value that the listeners of a topic last received for each printer, so that none is sent twice. */
export interface LastSent {
  /** Records that all listeners receive a value. @returns false if they already have it */
  isNews (printer: string, now: unknown): boolean
  /** Records the value that a new listener receives, which may be newer than that of the others. */
  joined (printer: string, now: unknown): void
  forget (printer: string): void
}

export function createLastSent (isSame: (lastSent: unknown, now: unknown) => boolean): LastSent {
  const known = new Map<string, unknown>()
  const isKnown = (printer: string, now: unknown): boolean =>
    known.has(printer) && known.get(printer) !== SEVERAL && isSame(known.get(printer), now)
  return {
    isNews (printer, now) {
      if (isKnown(printer, now)) return false
      known.set(printer, now)
      return true
    },
    joined (printer, now) {
      if (!isKnown(printer, now)) known.set(printer, known.has(printer) ? SEVERAL : now)
    },
    forget (printer) { known.delete(printer) }
  }
}
