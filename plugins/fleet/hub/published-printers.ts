import type { PrinterValue } from '../types.js'
import { nameKey } from './display-names.js'
import type { RemoteSession } from './remote-session.js'

/** More than any fleet that one hub can show. */
const MOST_PRINTERS = 20_000
/** Limits the printers that one site can claim, so that others have room. */
const MOST_OF_SITE = 5_000

/** A printer as published and signed by one node. */
export interface PublishedPrinter {
  readonly key: string
  readonly site: string
  readonly place: string
  readonly publicKey: string
  value: PrinterValue
  session: RemoteSession | undefined
  /** Display name at this hub; undefined while it is not shown. */
  display: string | undefined
  /** When the holder of a shared printer gave it up, while no other holds it. */
  leftAt?: string
}

/** Order of the list: by node, then as the node lists them. */
export const isListedBefore = (a: PublishedPrinter, b: PublishedPrinter | undefined): boolean =>
  b !== undefined && (a.place === b.place ? (a.value.order ?? 0) < (b.value.order ?? 0) : a.place < b.place)

/** The owner of the printer: its site if it is shared, else its node. */
export const claimantOf = ({ site, place, value: { epoch } }: PublishedPrinter): string =>
  epoch === undefined ? place : site

/** For a shared printer the last holder comes first. */
const comesFirst = ({ value: one, key: a }: PublishedPrinter, { value: other, key: b }: PublishedPrinter): number =>
  (other.epoch ?? 0) - (one.epoch ?? 0) || (a < b ? -1 : 1)

/** One printer for each claimant. @param printers all of one name */
export function byClaimant (printers: readonly PublishedPrinter[]): Map<string, PublishedPrinter> {
  const chosen = new Map<string, PublishedPrinter>()
  for (const printer of printers.toSorted(comesFirst)) {
    if (!chosen.has(claimantOf(printer))) chosen.set(claimantOf(printer), printer)
  }
  return chosen
}

/** The printers of all nodes, by their keys and by their own names, which need not be unique. */
export class PublishedPrinters {
  readonly #byKey = new Map<string, PublishedPrinter>()
  /** By `nameKey` of the printer's own name. */
  readonly #byName = new Map<string, Set<PublishedPrinter>>()
  readonly #ofSite = new Map<string, number>()

  get (key: string): PublishedPrinter | undefined { return this.#byKey.get(key) }

  all (): PublishedPrinter[] { return [...this.#byKey.values()] }

  /** The name keys of all printers. */
  names (): string[] { return [...this.#byName.keys()] }

  named (name: string): PublishedPrinter[] { return [...this.#byName.get(name) ?? []] }

  hasRoom (site: string): boolean {
    return this.#byKey.size < MOST_PRINTERS && (this.#ofSite.get(site) ?? 0) < MOST_OF_SITE
  }

  /** Adds a printer, or replaces the one with its key. @returns the name keys that this concerns */
  set (printer: PublishedPrinter): ReadonlySet<string> {
    const known = this.get(printer.key)
    if (!known) this.#count(printer.site, 1)
    this.#byKey.set(printer.key, printer)
    const left = known ? [this.#unname(known)] : []
    const name = nameKey(printer.value.name)
    const sameName = this.#byName.get(name) ?? new Set()
    this.#byName.set(name, sameName.add(printer))
    return new Set([...left, name])
  }

  /** @returns the name key that this concerns; undefined when the printer was removed or replaced before */
  delete (printer: PublishedPrinter): string | undefined {
    if (this.get(printer.key) !== printer) return undefined
    this.#byKey.delete(printer.key)
    this.#count(printer.site, -1)
    return this.#unname(printer)
  }

  #unname (printer: PublishedPrinter): string {
    const name = nameKey(printer.value.name)
    this.#byName.get(name)?.delete(printer)
    if (this.#byName.get(name)?.size === 0) this.#byName.delete(name)
    return name
  }

  #count (site: string, change: 1 | -1): void { this.#ofSite.set(site, (this.#ofSite.get(site) ?? 0) + change) }
}
