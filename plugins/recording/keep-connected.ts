import { isActive, type Dispose, type PrinterSession } from '../../core/index.js'

/** Keeps cameras connected during jobs, if the printer's settings say so. */
export interface KeepConnected {
  follow (session: PrinterSession): Dispose
  /** Applies changed settings. */
  review (printer: string): void
}

/** @param hold throws if there is no camera to connect to; tried again with the next report */
export function createKeepConnected (isWanted: (printer: string) => boolean,
  hold: (session: PrinterSession) => Dispose): KeepConnected {
  const held = new Map<PrinterSession, Dispose>()
  const followed = new Set<PrinterSession>()

  const shouldHold = ({ name, state }: PrinterSession) => isActive(state?.job.gcodeState ?? '') && isWanted(name)

  function release (session: PrinterSession): void {
    held.get(session)?.()
    held.delete(session)
  }

  function update (session: PrinterSession): void {
    if (!shouldHold(session)) return release(session)
    if (held.has(session)) return
    try {
      held.set(session, hold(session))
    } catch {} // no camera, or no address: a recording reports that
  }

  return {
    follow (session) {
      followed.add(session)
      update(session)
      const off = session.events.on('state', () => update(session))
      return () => {
        off()
        followed.delete(session)
        release(session)
      }
    },
    review (printer) { for (const session of followed) if (session.name === printer) update(session) }
  }
}
