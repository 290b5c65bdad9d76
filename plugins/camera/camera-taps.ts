import type { FastifyBaseLogger } from 'fastify'
import type { Dispose, PrinterSession } from '../../core/index.js'
import type { CameraTaps } from './camera-feed.js'

/** Listeners to camera data that arrives for other consumers. */
export interface TapRegistry {
  /** What a feed notifies. */
  of (session: PrinterSession): CameraTaps
  add (session: PrinterSession, tap: Partial<CameraTaps>): Dispose
  forget (session: PrinterSession): void
}

export function createCameraTaps (log: FastifyBaseLogger): TapRegistry {
  const taps = new Map<PrinterSession, Set<Partial<CameraTaps>>>()

  function tell (session: PrinterSession, give: (tap: Partial<CameraTaps>) => void): void {
    for (const tap of taps.get(session) ?? []) {
      try {
        give(tap)
      } catch (error) {
        log.error({ err: error }, 'camera listener failed')
      }
    }
  }

  return {
    of: session => ({
      onFrame: frame => tell(session, tap => tap.onFrame?.(frame)),
      onUnit: unit => tell(session, tap => tap.onUnit?.(unit))
    }),
    add (session, tap) {
      const known = taps.get(session) ?? new Set()
      taps.set(session, known.add(tap))
      return () => { known.delete(tap) }
    },
    forget: session => { taps.delete(session) }
  }
}
