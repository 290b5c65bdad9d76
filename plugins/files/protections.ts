import { hasCurrentState, requireCurrentState, type Dispose, type PrinterSession } from '../../core/index.js'
import { FileInUse } from './errors.js'

/** Why a file or folder of the card must not be changed now; undefined if it may. */
export type Protection = (session: PrinterSession, path: string) => string | undefined

/** Whether the path is the file, or a folder above it. */
export const holds = (path: string, file: string): boolean => path === '/' || path === file || file.startsWith(`${path}/`)

/** A printable file, or a folder that may contain one. */
const isPrintable = (path: string): boolean => /\.(3mf|gcode)$/i.test(path)

/** The files in use, as reported by other plugins. */
export function createProtections () {
  const protections = new Set<Protection>()
  return {
    add (protection: Protection): Dispose {
      protections.add(protection)
      return () => { protections.delete(protection) }
    },
    /** @throws PRN_ERR_FILE_IN_USE for a file in use */
    check (session: PrinterSession, path: string): void {
      for (const protection of protections) {
        const reason = protection(session, path)
        if (reason !== undefined) throw new FileInUse(path, reason)
      }
    },
    /**
     * The same right before a file is written to its path.
     * @param replaces a file of that path is there, which the printer may be reading
     * @throws PRN_ERR_STATE_NOT_CURRENT when it may be in use and that is unknown, PRN_ERR_NOT_CONNECTED
     */
    checkReplacement (session: PrinterSession, path: string, replaces: boolean): void {
      this.check(session, path)
      if (replaces && isPrintable(path)) requireCurrentState({ session })
    },
    /**
     * The same before something is removed from its path.
     * @param reach contacts the card: its error says more than an unknown state of the printer
     * @throws PRN_ERR_STATE_NOT_CURRENT when it may be in use and that is unknown, PRN_ERR_NOT_CONNECTED
     */
    async checkRemoval (session: PrinterSession, path: string, isFolder: boolean, reach: () => Promise<unknown>):
    Promise<void> {
      this.check(session, path)
      if (hasCurrentState(session) || !(isFolder || isPrintable(path))) return
      await reach()
      requireCurrentState({ session })
    }
  }
}
