import type { FastifyBaseLogger } from 'fastify'
import { NotConnected, type PrinterRegistry, type RemoteHolder } from '../../../core/index.js'
import type { Caller } from './caller.js'
import { nameKey, type DisplayNames } from './display-names.js'
import { byClaimant, isListedBefore, type PublishedPrinter } from './published-printers.js'
import type { Reachability } from './reachability.js'
import { configOf, createRemoteSession, type RemoteSession } from './remote-session.js'

export interface ShownPrintersDeps {
  readonly registry: PrinterRegistry
  readonly displayNames: DisplayNames
  readonly caller: Pick<Caller, 'call' | 'rehearse'>
  readonly reachability: Reachability
  readonly now: () => number
  readonly log: FastifyBaseLogger
}

/** Longest part of a name that is shown with a number. */
const LONGEST_NUMBERED = 60

/** The printers in this hub's registry, each with the display name under which it is shown. */
export class ShownPrinters {
  readonly #deps: ShownPrintersDeps
  /** By display name. */
  readonly #shown = new Map<string, PublishedPrinter>()
  /** Display names by `nameKey` of the printer's own name. */
  readonly #names = new Map<string, readonly string[]>()

  constructor (deps: ShownPrintersDeps) {
    this.#deps = deps
  }

  /** Decides which printers of one name are shown, and under which names. @param printers all of this name */
  async settle (name: string, printers: readonly PublishedPrinter[]): Promise<void> {
    const wanted = this.#wantedOf(printers)
    const before = this.#names.get(name) ?? []
    this.#names.set(name, [...wanted.keys()])
    if (wanted.size === 0) this.#names.delete(name)
    for (const printer of printers) printer.display = undefined
    for (const [display, printer] of wanted) printer.display = display
    for (const display of before) if (!wanted.has(display)) await this.#hide(display)
    for (const [display, printer] of wanted) {
      if (this.#shown.get(display) !== printer) await this.#show(printer, display)
    }
  }

  /** By display name. */
  #wantedOf (printers: readonly PublishedPrinter[]): Map<string, PublishedPrinter> {
    const chosen = byClaimant(printers)
    const assigned = this.#deps.displayNames.assign(
      [...chosen].map(([claimant, { value: { name, config: { serial } } }]) => ({ claimant, name, serial })))
    const wanted = new Map<string, PublishedPrinter>()
    for (const [claimant, printer] of chosen) {
      const name = assigned.get(claimant) ?? printer.value.name
      let display = name
      for (let count = 2; wanted.has(display) || this.#isTaken(display, printer); count++) {
        display = `${name.slice(0, LONGEST_NUMBERED)}~${count}`
      }
      wanted.set(display, printer)
    }
    return wanted
  }

  /** Whether a printer of another name is shown under this name. */
  #isTaken (display: string, { value: { name } }: PublishedPrinter): boolean {
    const other = this.#shown.get(display)
    return other !== undefined && nameKey(other.value.name) !== nameKey(name)
  }

  async #show (printer: PublishedPrinter, display: string): Promise<void> {
    this.#shown.set(display, printer)
    const { value: { ended = false } } = printer
    if (ended) printer.session = undefined
    await this.#deps.registry.adopt(configOf(printer.value, display), {
      holder: this.#holderOf(printer, display),
      make: ended ? undefined : () => this.#openSession(printer, display),
      comesBefore: other => isListedBefore(printer, this.#shown.get(other))
    })
  }

  async #hide (display: string): Promise<void> {
    this.#shown.delete(display)
    await this.#deps.registry.remove(display)
  }

  #openSession (printer: PublishedPrinter, display: string): RemoteSession {
    const { reachability, now, log } = this.#deps
    const holder = this.#holderOf(printer, display)
    const session = createRemoteSession(printer.value, { name: display, holder, now, log })
    session.reach(reachability.whyNotCurrent(printer))
    printer.session = session
    return session
  }

  #holderOf (printer: PublishedPrinter, display: string): RemoteHolder {
    const { caller, reachability } = this.#deps
    const { place, value: { name, epoch } } = printer
    const to = { place, printer: name, shown: display, epoch }
    const checkHeld = () => {
      if (printer.leftAt === undefined) return
      throw new NotConnected(display).with({ detail: reachability.whyNotCurrent(printer) })
    }
    return {
      name: place,
      get reachable () { return printer.leftAt === undefined && reachability.whyNotAsk(place) === undefined },
      async call (operation, input, options) {
        checkHeld()
        return await caller.call(to, operation, input, options)
      },
      async rehearse (operation, input, options) {
        checkHeld()
        return await caller.rehearse(to, operation, input, options)
      }
    }
  }
}
