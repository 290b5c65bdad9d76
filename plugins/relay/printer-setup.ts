import { isIP } from 'node:net'
import { BadInput, type Kernel, type KeyedQueue } from '../../core/index.js'
import { NotOpened, NotRelayed, PlaceTaken, RelayFixed } from './errors.js'
import type { Options, PrinterOptions } from './options.js'
import type { Places } from './places.js'
import type { Relayed } from './relayed-printer.js'
import type { StoredAccess, StoredPrinter } from './stored-access.js'

export interface PrinterSetupDeps {
  readonly options: Pick<Options, 'printers' | 'groups'>
  readonly stored: Pick<StoredAccess, 'printers' | 'setPrinters'>
  readonly places: Places
  readonly printers: Pick<Kernel['printers'], 'names' | 'get'>
  /** Makes a relayed printer whose ports are closed. */
  readonly create: (wanted: PrinterOptions) => Relayed
  readonly warn: (message: string) => void
  /** Serialises all changes of the relay. */
  readonly queue: KeyedQueue<string>
}

const EVERY = new Set(['0.0.0.0', '::'])
const LOW_PORT = /EACCES|EPERM/
const LOW_PORT_HINT = '. Ports below 1024 need a permission: see the guide of the relay'

/** Whether both listen at one address. */
const meets = (a: string, b: string): boolean => a === b || EVERY.has(a) || EVERY.has(b)

/** The words of its options, without what is as usual. */
const optionsOf = ({ printer, bind, address, ports }: StoredPrinter): PrinterOptions => ({
  printer, ...(typeof bind === 'string' && { bind }), ...(typeof address === 'string' && { address }), ...(ports && { ports })
})

/** Begins and ends the relaying of printers while the service runs. */
export class PrinterSetup {
  readonly #deps: PrinterSetupDeps

  constructor (deps: PrinterSetupDeps) {
    this.#deps = deps
  }

  /** Adds the stored printers to the places; what the configuration file has counts more. */
  open (): void {
    const { stored, places, create, warn } = this.#deps
    for (const wanted of stored.printers) {
      if (!this.isFixed(wanted.printer)) places.add(create(optionsOf(wanted)))
      else warn(`'${wanted.printer}' is relayed by the configuration file, and not as it was set up in the browser`)
    }
  }

  /** Whether the configuration file relays it. */
  isFixed (name: string): boolean {
    const { printers, groups } = this.#deps.options
    return printers.some(({ printer }) => printer === name) || groups.some(({ group }) => group === name)
  }

  find (name: string): StoredPrinter | undefined {
    return this.isFixed(name) ? undefined : this.#deps.stored.printers.find(({ printer }) => printer === name)
  }

  /**
   * @returns the relayed printer, closed
   * @throws PRN_ERR_RELAY_FIXED, PRN_ERR_RELAY_PLACE_TAKEN, PRN_ERR_BAD_INPUT
   */
  check (wanted: StoredPrinter): Relayed {
    const { printer, bind, address } = wanted
    const { printers, places, create } = this.#deps
    if (this.isFixed(printer)) throw new RelayFixed(printer)
    if (!printers.names.includes(printer)) throw new BadInput(`there is no printer '${printer}'`)
    if (printers.get(printer)?.remote !== undefined) throw new BadInput(`another service holds '${printer}': relay it there`)
    const wrong = Object.entries({ bind, address }).find(([, value]) => typeof value === 'string' && isIP(value) === 0)
    if (wrong !== undefined) throw new BadInput(`${wrong[0]} must be an address such as 192.168.1.10`)
    const place = create(optionsOf(wanted))
    const ports = Object.values(place.wantedPorts)
    if (new Set(ports).size < ports.length) throw new BadInput('ports must differ from each other')
    for (const other of places.all) {
      if (other.printer === printer || !meets(other.bind, place.bind)) continue
      const taken = Object.values(other.wantedPorts).find(port => ports.includes(port))
      if (taken !== undefined) throw new PlaceTaken(other.printer, place.bind, taken)
    }
    return place
  }

  /** @throws PRN_ERR_RELAY_NOT_OPENED if a port cannot be opened; as `check` */
  set (wanted: StoredPrinter): Promise<void> {
    return this.#deps.queue.run('', async () => {
      const { stored, places, create } = this.#deps
      const { printer } = wanted
      const problem = await places.replace(this.check(wanted))
      if (problem !== '') throw new NotOpened(printer, `${problem}${LOW_PORT.test(problem) ? LOW_PORT_HINT : ''}`)
      const before = this.find(printer)
      try {
        await stored.setPrinters([...stored.printers.filter(one => one.printer !== printer), wanted])
      } catch (error) {
        await (before ? places.replace(create(optionsOf(before))) : places.remove(printer))
        throw error
      }
    })
  }

  /** @throws PRN_ERR_RELAY_FIXED, PRN_ERR_NOT_RELAYED */
  checkKnown (printer: string): void {
    if (this.isFixed(printer)) throw new RelayFixed(printer)
    if (this.find(printer) === undefined) throw new NotRelayed(printer)
  }

  /** @throws as `checkKnown` */
  remove (printer: string): Promise<void> {
    return this.#deps.queue.run('', async () => {
      this.checkKnown(printer)
      const { stored, places } = this.#deps
      await stored.setPrinters(stored.printers.filter(one => one.printer !== printer))
      await places.remove(printer)
    })
  }
}
