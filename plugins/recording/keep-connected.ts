import { isActive, type Dispose, type PrinterSession } from '../../core/index.js'

/** Keeps cameras connected while their printers have a job, where that is wanted. */
export interface KeepConnected {
  follow (session: PrinterSession): Dispose
  /** After a change of what is wanted. */
  review (printer: string): void
}

/** @param hold throws where there is nothing to connect to; it is tried again with the next report */
export function createKeepConnected (isWanted: (printer: string) => boolean,
  hold: (session: PrinterSession) => Dispose): KeepConnected {
  const held = new Map<PrinterSession, Dispose>()
  const followed = new Set<PrinterSession>()

  const shouldHold = ({ name, state }: PrinterSession) => isActive(state?.job.gcodeState ?? '') && isWanted(name)

  function release (session: PrinterSession): void {
    held.get(session)?.()
    held.delete(session)
  }

  function look (session: PrinterSession): void {
    if (!shouldHold(session)) return release(session)
    if (held.has(session)) return
    try {
      held.set(session, hold(session))
    } catch {} // no camera, or no address: the recording will say so
  }

  return {
    follow (session) {
      followed.add(session)
      look(session)
      const off = session.events.on('state', () => look(session))
      return () => {
        off()
        followed.delete(session)
        release(session)
      }
    },
    review (printer) { for (const session of followed) if (session.name === printer) look(session) }
  }
}
