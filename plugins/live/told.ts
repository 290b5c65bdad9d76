/** Not all listeners know the same. */
const SEVERAL = Symbol('several')

/** What the listeners of a topic know of each printer, so that nobody is told the same twice. */
export interface Told {
  /** All are about to be told. @returns false when they know it already */
  isNews (printer: string, now: unknown): boolean
  /** One who has just come is told; it may be newer than what the others know. */
  joined (printer: string, now: unknown): void
  forget (printer: string): void
}

export function createTold (isSame: (told: unknown, now: unknown) => boolean): Told {
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
