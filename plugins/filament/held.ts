import type { PrinterSession } from '../../core/index.js'
import type { Settings } from './schemas.js'

/** A report may still show the old settings for this long after a command. */
const HOLD_MS = 3_000

/**
 * AMS settings that were just sent. Each command carries all of them, so that a second one which knew only the
 * reports would undo the first.
 */
export function createHeldSettings (now: () => number) {
  const sent = new WeakMap<PrinterSession, { readonly settings: Settings, readonly until: number }>()
  return {
    set: (session: PrinterSession, settings: Settings): void => {
      sent.set(session, { settings, until: now() + HOLD_MS })
    },
    forget: (session: PrinterSession): void => { sent.delete(session) },
    over (session: PrinterSession, reported: Settings): Settings {
      const held = sent.get(session)
      return held === undefined || held.until < now() ? reported : held.settings
    }
  }
}
export type HeldSettings = ReturnType<typeof createHeldSettings>
