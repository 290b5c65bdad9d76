import type { KV } from '@nats-io/kv'
import type { FastifyBaseLogger } from 'fastify'
import type { PrinterRegistry } from '../../../core/index.js'
import { goneSubject } from '../encoding.js'
import type { Link } from '../link.js'
import { placeIn, type Names } from '../names.js'
import { rateLimited } from '../rate-limited.js'
import { verifyMessage } from '../signed-message.js'
import { checked, isSamePrinter, PrinterGone, PrinterValue } from '../types.js'
import type { Caller } from './caller.js'
import { placeName } from './directory.js'
import { nameKey, type DisplayNames } from './display-names.js'
import type { NodeKeys } from './node-keys.js'
import { claimantOf, PublishedPrinters, type PublishedPrinter } from './published-printers.js'
import type { Reachability } from './reachability.js'
import { ShownPrinters } from './shown-printers.js'

export interface PrintersDeps {
  readonly registry: PrinterRegistry
  readonly names: Names
  readonly keys: Pick<NodeKeys, 'mayBe'>
  readonly displayNames: DisplayNames
  readonly caller: Pick<Caller, 'call' | 'rehearse'>
  readonly link: Pick<Link, 'connected'>
  readonly reachability: Reachability
  readonly now: () => number
  readonly log: FastifyBaseLogger
  /** Called with the site of every published printer. */
  readonly onSite: (site: string) => void
}

/** Longer than a lease lasts after its holder was killed; after that the printer counts as removed. */
const NEXT_HOLDER_MS = 60_000

const CANNOT_SHOW = 'a printer of the fleet cannot be shown'

/** The printers of all nodes, as sessions of this service. */
export class Printers {
  readonly #deps: PrintersDeps
  readonly #published = new PublishedPrinters()
  readonly #shown: ShownPrinters
  readonly #unproven: (fields: object) => void
  #loaded = false
  #wasConnected = false
  #turn: Promise<void> = Promise.resolve()

  constructor (deps: PrintersDeps) {
    this.#deps = deps
    this.#shown = new ShownPrinters(deps)
    this.#unproven = rateLimited((fields: object) => deps.log.warn(fields,
      'the value of a printer is not signed by its node and was ignored; a node of an older version must be updated'))
  }

  /** All values that existed when this hub started have been read. */
  get loaded (): boolean { return this.#loaded }

  /** Loads the current values, then follows changes. */
  async watch (bucket: KV): Promise<void> {
    const changes = await bucket.watch()
    const { values } = await bucket.status()
    if (values === 0) await this.#inTurn(() => this.#showAll()) // without values there is no last one
    for await (const { key, operation, value, delta } of changes) {
      await this.#inTurn(() => operation === 'PUT' ? this.#put(key, value) : this.#remove(key, value))
        .catch((error: Error) => this.#cannotShow(error, { key }))
      if (delta === 0) await this.#inTurn(() => this.#showAll())
    }
  }

  /** Passes on whether the printers are reachable. @param place only those of this node; without it all */
  reachAgain (place?: string): void {
    for (const printer of this.#published.all()) {
      if (place === undefined || printer.place === place) this.#reach(printer)
    }
  }

  /** After the key of a node was pinned, drops the values signed with another key. */
  recheck (place: string): void {
    const { keys } = this.#deps
    const wrong = this.#published.all()
      .filter(printer => printer.place === place && !keys.mayBe(place, printer.publicKey))
    for (const printer of wrong) {
      this.#inTurn(() => this.#drop(printer)).catch((error: Error) => this.#cannotShow(error, { key: printer.key }))
    }
  }

  /** Display name of a node's printer. */
  nameOf (place: string, printer: string): string {
    const { names, displayNames } = this.#deps
    const [site = '', node = ''] = place.split('/')
    return this.#published.get(names.key(site, node, printer))?.display ?? displayNames.nameOf(printer, [place, site])
  }

  /** Without a connection of this hub, no printer is reachable. */
  tick (): void {
    const { connected } = this.#deps.link
    if (connected !== this.#wasConnected) this.reachAgain()
    this.#wasConnected = connected
  }

  /** Changes to the shown printers run one after the other. */
  #inTurn (work: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(work, work)
    return this.#turn
  }

  async #put (key: string, bytes: Uint8Array): Promise<void> {
    const { names, keys, log, onSite } = this.#deps
    const { site, node } = placeIn(key, 0)
    const place = placeName({ site, node })
    const verified = verifyMessage(bytes, names.stateSubject(key), publicKey => keys.mayBe(place, publicKey))
    if (verified === undefined) return this.#unproven({ key })
    const value = checked(PrinterValue, verified.content)
    if (value === undefined) return log.warn({ key }, 'a service published a printer value that cannot be read')
    onSite(site)
    const known = this.#published.get(key)
    if (known && known.value.run === value.run && value.number < known.value.number) return // a replayed value
    if (known && known.publicKey === verified.publicKey && isSamePrinter(known.value, value)) {
      return this.#feed(known, value)
    }
    if (!known && !this.#published.hasRoom(site)) return
    const changed = this.#published.set(
      { key, site, place, publicKey: verified.publicKey, value, session: undefined, display: undefined })
    if (this.#loaded) for (const name of changed) await this.#settle(name)
  }

  #feed (printer: PublishedPrinter, value: PrinterValue): void {
    delete printer.leftAt
    printer.value = value
    printer.session?.feed(value)
    this.#reach(printer)
  }

  #reach (printer: PublishedPrinter): void { printer.session?.reach(this.#deps.reachability.whyNotCurrent(printer)) }

  /** A node reports that it no longer has a printer. Removals by anyone else are ignored. */
  async #remove (key: string, bytes: Uint8Array): Promise<void> {
    const printer = this.#published.get(key)
    if (printer === undefined) return
    const subject = goneSubject(this.#deps.names.stateSubject(key))
    const verified = verifyMessage(bytes, subject, publicKey => publicKey === printer.publicKey)
    const gone = verified && checked(PrinterGone, verified.content)
    const isOld = gone?.run === printer.value.run && gone.number < printer.value.number
    if (gone && !isOld) await this.#leave(printer)
  }

  /** A shared printer stays listed for a while without a holder, until the next one takes it. */
  async #leave (printer: PublishedPrinter): Promise<void> {
    const others = this.#published.named(nameKey(printer.value.name)).filter(other => other !== printer)
    const isShared = printer.value.epoch !== undefined
    if (!isShared || others.some(other => claimantOf(other) === printer.site)) return await this.#drop(printer)
    const leftAt = new Date(this.#deps.now()).toISOString()
    printer.leftAt = leftAt
    this.#reach(printer)
    setTimeout(() => {
      if (printer.leftAt === leftAt) void this.#inTurn(() => this.#drop(printer))
    }, NEXT_HOLDER_MS).unref()
  }

  async #drop (printer: PublishedPrinter): Promise<void> {
    const name = this.#published.delete(printer)
    if (name !== undefined && this.#loaded) await this.#settle(name)
  }

  /** Printers of the same name are named together, so that none of them comes first by chance. */
  async #showAll (): Promise<void> {
    if (this.#loaded) return
    this.#loaded = true
    const names = this.#published.names()
    if (names.length > 0) this.#deps.displayNames.release(new Set(names))
    for (const name of names) {
      await this.#settle(name).catch((error: Error) => this.#cannotShow(error, { claimKey: name }))
    }
  }

  async #settle (name: string): Promise<void> { await this.#shown.settle(name, this.#published.named(name)) }

  #cannotShow (error: Error, fields: object): void { this.#deps.log.warn({ err: error, ...fields }, CANNOT_SHOW) }
}
