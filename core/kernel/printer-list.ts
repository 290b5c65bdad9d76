import { BadInput } from '../errors.js'
import type { RunningSession } from '../printer/index.js'
import type { PrinterConfig, RemoteHolder } from '../printer/types.js'
import { nameProblem } from './config.js'

/**
 * A printer whose session another service holds.
 * @param make creates its session; undefined while that service has none
 * @param comesBefore makes the order independent of the order of arrival
 */
export interface Adopted {
  readonly holder: RemoteHolder
  readonly make: (() => RunningSession) | undefined
  readonly comesBefore: (other: string) => boolean
}

export type PrinterList = ReturnType<typeof createPrinterList>

/** The configured printers in order, including those of other services. */
export function createPrinterList (printers: readonly PrinterConfig[]) {
  const configured = new Map(printers.map(printer => [printer.name, printer]))
  const adopted = new Map<string, Adopted>()

  /** Inserts it after all printers that it does not precede. */
  function insert (printer: PrinterConfig, comesBefore: Adopted['comesBefore']): void {
    const known = [...configured]
    const at = known.findLastIndex(([name]) => !comesBefore(name)) + 1
    for (const [name] of known.slice(at)) configured.delete(name)
    configured.set(printer.name, printer)
    for (const [name, config] of known.slice(at)) configured.set(name, config)
  }

  return {
    get names (): readonly string[] { return [...configured.keys()] },
    config: (name: string): PrinterConfig | undefined => configured.get(name),
    adopted: (name: string): Adopted | undefined => adopted.get(name),
    /** @throws PRN_ERR_BAD_INPUT for an invalid name, or one that another printer has */
    checkName (name: string): void {
      const problem = nameProblem(name)
      if (problem !== undefined) throw new BadInput(`The printer's name ${problem}`)
      const other = [...configured.keys()].find(known => known !== name && known.toLowerCase() === name.toLowerCase())
      if (other !== undefined) throw new BadInput(`Printer '${name}' is already configured as '${other}'`)
    },
    /** Adds a printer of this service, or replaces the one of that name in place. */
    put (printer: PrinterConfig): void {
      configured.set(printer.name, printer)
      adopted.delete(printer.name)
    },
    /** Adds a printer of another service, or replaces the one of that name in place. */
    adopt (printer: PrinterConfig, how: Adopted): void {
      adopted.set(printer.name, how)
      if (configured.has(printer.name)) configured.set(printer.name, printer)
      else insert(printer, how.comesBefore)
    },
    /** @returns whether it existed */
    remove (name: string): boolean {
      adopted.delete(name)
      return configured.delete(name)
    }
  }
}
