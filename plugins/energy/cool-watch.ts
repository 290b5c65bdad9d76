import type { PrinterRegistry, PrinterSession } from '../../core/index.js'
import { isCool } from './off-check.js'

/** Since when each printer is at rest with cool nozzles, as far as this service has seen it without a gap. */
export class CoolWatch {
  readonly #since = new Map<string, number>()
  readonly #now: () => number

  constructor (printers: Pick<PrinterRegistry, 'eachLocal'>, now: () => number) {
    this.#now = now
    printers.eachLocal(session => this.#watch(session))
  }

  /** @param serial of a printer */
  since (serial: string): number | undefined { return this.#since.get(serial) }

  #watch (session: PrinterSession): () => void {
    const { serial } = session.config
    const forget = (): void => { this.#since.delete(serial) }
    const see = (): void => {
      const { state, live, service } = session
      if (state === undefined || !live || service !== 'CONNECTED' || !isCool(state)) return forget()
      if (!this.#since.has(serial)) this.#since.set(serial, this.#now())
    }
    forget()
    see()
    const off = [session.events.on('state', see), session.events.on('live', see), session.events.on('service', see)]
    return () => {
      for (const undo of off) undo()
      forget()
    }
  }
}
