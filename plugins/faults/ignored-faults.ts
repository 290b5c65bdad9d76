import type { PrinterSession } from '../../core/index.js'
import { BadFaultCode, TooManyIgnored } from './errors.js'
import type { Ignored, IgnoredStore } from './store.js'

/** Far more than anyone ignores on purpose. */
const MOST = 64

/** Normalises a code to the form in which faults have it. @throws PRN_ERR_BAD_FAULT_CODE */
export function codeOf (given: string): string {
  const digits = given.trim().toUpperCase().replace(/^HMS[_ -]?/, '').replaceAll(/[-_ ]/g, '')
  if (!/^(?:[0-9A-F]{8}){1,2}$/.test(digits)) throw new BadFaultCode(given)
  return `HMS_${digits.replaceAll(/(.{4})(?=.)/g, '$1-')}`
}

/** The ignored faults, stored and applied to the sessions of the printers. */
export interface IgnoredFaults {
  of (session: PrinterSession): Promise<readonly Ignored[]>
  /** @throws PRN_ERR_TOO_MANY_IGNORED */
  ignore (session: PrinterSession, ignored: Ignored): Promise<readonly Ignored[]>
  restore (session: PrinterSession, code: string): Promise<readonly Ignored[]>
  /** Applies the stored faults to this session from now on. */
  load (session: PrinterSession): Promise<void>
  /** Applies what another service with the same database has changed. */
  refresh (sessions: readonly PrinterSession[]): Promise<void>
}

export function createIgnoredFaults (store: IgnoredStore): IgnoredFaults {
  /** Grows with each change from here, which a reading that began before must not undo. */
  let changes = 0

  async function load (session: PrinterSession): Promise<readonly Ignored[]> {
    changes++
    const all = await store.of(session.config.serial)
    session.ignoreFaults(all.map(({ code }) => code))
    return all
  }
  return {
    of: session => store.of(session.config.serial),
    async ignore (session, ignored) {
      const known = await store.of(session.config.serial)
      if (known.some(({ code }) => code === ignored.code)) return known
      if (known.length >= MOST) throw new TooManyIgnored(session.name, MOST)
      await store.add(session.config.serial, ignored)
      return await load(session)
    },
    async restore (session, code) {
      await store.remove(session.config.serial, code)
      return await load(session)
    },
    async load (session) { await load(session) },
    async refresh (sessions) {
      const before = changes
      const all = await store.all()
      if (before !== changes) return
      for (const session of sessions) {
        const codes = all.get(session.config.serial) ?? []
        if (codes.join() !== session.context.ignoredFaults.join()) session.ignoreFaults(codes)
      }
    }
  }
}
