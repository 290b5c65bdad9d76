import { hasCurrentState, requireCurrentState, type Dispose, type PrinterSession } from '../../core/index.js'
import { FileInUse } from './errors.js'

/** Why a file or folder of the card must stay as it is now, in words; undefined when it need not. */
export type Protection = (session: PrinterSession, path: string) => string | undefined

/** The path is that of the file, or of a folder above it. */
export const holds = (path: string, file: string): boolean => path === '/' || path === file || file.startsWith(`${path}/`)

/** What a printer may print from, or a folder that may hold such a file. */
const isPrintable = (path: string): boolean => /\.(3mf|gcode)$/i.test(path)

/** Knows which files are in use, as far as other plugins tell. */
export function createProtections () {
  const protections = new Set<Protection>()
  return {
    add (protection: Protection): Dispose {
      protections.add(protection)
      return () => { protections.delete(protection) }
    },
    /** @throws PRN_ERR_FILE_IN_USE for a file that somebody needs as it is */
    check (session: PrinterSession, path: string): void {
      for (const protection of protections) {
        const reason = protection(session, path)
        if (reason !== undefined) throw new FileInUse(path, reason)
      }
    },
    /**
     * The same before something is taken from its path.
     * @param reach asks the card: that it cannot be reached says more than what is not known of the printer
     * @throws PRN_ERR_STATE_NOT_CURRENT when it may be in use and that is not known, PRN_ERR_NOT_CONNECTED
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
