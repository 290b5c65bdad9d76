import type { VirtualPrinter } from '../../../plugins/emulator/index.js'

/** A report at rest comes every five seconds, one after a new connection within two. */
const SEEN_AFTER_MS = 6_500

/** Whether what a printer is can have been seen: by what the printer itself was told and told, not by who looks. */
export interface Sight {
  /** A fault is on. @param breaks connections end with it */
  blind (breaks: boolean): void
  /** It is over. */
  clear (): void
  readonly isBlind: boolean
  /** What happened then has been told since, on a connection that stood. */
  seen (at: number): boolean
}

export function createSight (printer: VirtualPrinter): Sight {
  let isBlind = false
  let clearedAt = 0
  /** Time of the printer since when a request for everything is needed. */
  let askedFrom: number | undefined

  const isAsked = (from: number): boolean => printer.requests
    .some(({ at, section, command }) => at >= from && section === 'pushing' && command === 'pushall')

  return {
    get isBlind () { return isBlind },
    blind (breaks) {
      isBlind = true
      if (breaks) askedFrom = Infinity
    },
    clear () {
      isBlind = false
      clearedAt = Date.now()
      if (askedFrom === Infinity) askedFrom = printer.clock.now() // what was asked before a lesser fault was asked
    },
    seen (at) {
      if (isBlind) return false
      if (askedFrom !== undefined) {
        if (!isAsked(askedFrom)) return false
        askedFrom = undefined
        clearedAt = Date.now()
      }
      return Date.now() - Math.max(at, clearedAt) >= SEEN_AFTER_MS
    }
  }
}
