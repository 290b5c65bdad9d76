import type { PrinterSession } from '../../core/index.js'
import type { Run } from './types.js'
import { groupsOf, type GroupOptions } from './view.js'

/** A plugin by which printers clear their own plates, and which finds out whether they did. */
export interface PlateClearing {
  /**
   * Whether it sees to the plate of the print that is on this printer, or has just ended there: the plate then stays
   * used until it says otherwise.
   */
  handles (serial: string): boolean
  /** Whether it calls a person for that plate itself, if one is needed. */
  alerts (serial: string): boolean
  /** @param path of the file in the library @returns the file to send; rejects if nothing may be sent */
  prepare (session: PrinterSession, run: Run, path: string, signal: AbortSignal): Promise<string>
}

/** Whether a plate counts as clear when the queue has finished a print there. @param printer its present name */
export const isSelfClearing = (printer: string, groups: readonly GroupOptions[]): boolean =>
  groupsOf(printer, groups).some(({ selfClearing, strangers = [] }) => selfClearing && !strangers.includes(printer))

/** The one plugin that clears plates, if there is one. */
export class PlateClearers {
  #clearing: PlateClearing | undefined

  /** @returns ends it */
  set (clearing: PlateClearing): () => void {
    this.#clearing = clearing
    return () => { this.#clearing = undefined }
  }

  handles (serial: string): boolean { return this.#clearing?.handles(serial) ?? false }

  alerts (serial: string): boolean { return this.#clearing?.alerts(serial) ?? false }

  async prepare (...[session, run, path, signal]: Parameters<PlateClearing['prepare']>): Promise<string> {
    return await this.#clearing?.prepare(session, run, path, signal) ?? path
  }
}
