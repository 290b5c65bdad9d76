import type { FastifyBaseLogger } from 'fastify'
import type { Kernel, RuleName } from '../../core/index.js'
import type { Database } from '../database/index.js'
import type { History } from '../history/index.js'
import type { PlugKind } from './kinds.data.js'
import type { PlugBroker } from './link/plug-link.js'
import { book } from './meter/book.js'
import { PlugMeter } from './meter/plug-meter.js'
import { PlugMonitor } from './plug-monitor.js'
import { settingsOf } from './plug-settings.js'
import { deviceOf, type Passwords, type PlugStore } from './plug-store.js'
import { createTariff, NO_PRICES, type Tariff } from './prices.js'
import type { PlugRow, Tables } from './tables.js'

/** A plug with what this service knows of it now. */
export interface Plug {
  readonly row: PlugRow
  readonly monitor: PlugMonitor
  readonly meter: PlugMeter
  /** When it is booked next, ms. */
  bookAt: number
}

export interface PlugsDeps {
  readonly kernel: Kernel
  readonly database: Pick<Database, 'change' | 'status'>
  readonly store: PlugStore
  readonly passwords: Passwords
  readonly history: Pick<History, 'running' | 'records'>
  readonly broker: () => PlugBroker | undefined
  /** Id of this service, the same across restarts. */
  readonly instance: string
  readonly log: Pick<FastifyBaseLogger, 'debug' | 'warn'>
  /** A plug that this service drives has said something. */
  readonly heard: (plug: Plug, before: boolean | undefined) => void
}

const BOOK_EVERY_MS = 60_000
/** After a print begins or ends, so that a count of that moment arrives first. */
const BOOK_SOON_MS = 5_000

/** All plugs of the database, each followed by this service; those of printers that it records are counted here. */
export class Plugs {
  readonly #deps: PlugsDeps
  readonly #plugs = new Map<string, Plug>()
  #tariff = createTariff(NO_PRICES)
  #pricesText = ''
  #isRead = false

  constructor (deps: PlugsDeps) { this.#deps = deps }

  /** They have been read since the start. */
  get isRead (): boolean { return this.#isRead }
  get all (): readonly Plug[] { return [...this.#plugs.values()] }
  get tariff (): Tariff { return this.#tariff }
  get (id: string): Plug | undefined { return this.#plugs.get(id) }

  /** As people know them; undefined until they have been read. */
  names (): readonly RuleName[] | undefined {
    if (!this.#isRead) return undefined
    return this.all.map(({ row }) => ({ id: row.id, name: row.name, printer: this.printerOf(row) }))
  }

  /** The name of the printer that a plug belongs to; undefined for one that stands alone, or that is not known here. */
  printerOf ({ serial }: Pick<PlugRow, 'serial'>): string | undefined {
    const { printers } = this.#deps.kernel
    return serial === '' ? undefined : printers.names.find(name => printers.config(name)?.serial === serial)
  }

  /** The plug that feeds a printer itself. */
  ofPrinter (printer: string): Plug | undefined {
    const serial = this.#deps.kernel.printers.config(printer)?.serial
    return this.all.find(({ row }) => row.serial !== '' && row.serial === serial && row.unit === null)
  }

  /**
   * Whether this service counts and switches it: the one with its printer, else the one where it was added. No service
   * of a shared database records a printer that is off, and somebody has to switch it on. A file has no other service:
   * one that is named there is that of a machine whose records were restored here.
   */
  isDriven (row: PlugRow): boolean {
    const { kernel: { printers }, database, history, instance } = this.#deps
    const isOwn = database.status.kind === 'sqlite' || row.service === instance
    const printer = this.printerOf(row)
    const session = printer === undefined ? undefined : printers.get(printer)
    if (printer === undefined || session === undefined) {
      const isElsewhere = printer !== undefined && printers.holderOf(printer) !== undefined
      return isOwn && !isElsewhere
    }
    const isOurs = history.records(printer) || (!session.live && isOwn)
    return session.remote === undefined && isOurs
  }

  /** Follows the plugs of the database, as they are now. @throws PRN_ERR_DATABASE_UNAVAILABLE */
  async load (): Promise<void> {
    const { store } = this.#deps
    const [rows, prices] = await Promise.all([store.list(), store.prices()])
    const text = JSON.stringify(prices)
    if (text !== this.#pricesText) {
      this.#tariff = createTariff(prices)
      this.#pricesText = text
    }
    const known = new Set(rows.map(({ id }) => id))
    for (const [id, plug] of this.#plugs) if (!known.has(id)) this.#drop(id, plug)
    for (const row of rows) this.#follow(row)
    if (!this.#isRead) await store.fillPlaces(rows)
    this.#isRead = true
  }

  /** Follows it anew, because its address or its password changed. */
  reopen (id: string): void {
    const plug = this.#plugs.get(id)
    if (plug) this.#drop(id, plug)
  }

  /** Asks and books what is due. */
  async tick (): Promise<void> {
    for (const plug of this.all) {
      plug.monitor.askIfDue()
      const now = this.#deps.kernel.now()
      if (plug.meter.advance()) {
        void plug.monitor.ask()
        plug.bookAt = Math.min(plug.bookAt, now + BOOK_SOON_MS)
      }
      if (now < plug.bookAt) continue
      plug.bookAt = now + BOOK_EVERY_MS
      await this.book(plug)
    }
  }

  /** A print began or ended: who uses the energy changes at this moment. */
  printChanged (printer: string): void {
    const serial = this.#deps.kernel.printers.config(printer)?.serial
    for (const plug of this.all) {
      if (plug.row.serial !== serial || !plug.meter.advance()) continue
      void plug.monitor.ask()
      plug.bookAt = Math.min(plug.bookAt, this.#deps.kernel.now() + BOOK_SOON_MS)
    }
  }

  /** Never rejects: what cannot be stored now is booked later. */
  async book ({ row, meter }: Plug): Promise<void> {
    if (!this.isDriven(row)) return meter.skip()
    const metered = meter.take()
    if (metered === undefined) return
    const { database, instance, kernel, log } = this.#deps
    const now = kernel.now()
    const tariff = this.#tariff
    try {
      const wh = await database.change<Tables, number | undefined>(db => book(db, {
        ...metered,
        serial: row.serial,
        service: instance,
        day: tariff.localTime(now).day,
        price: from => tariff.priceBetween(from, now)
      }))
      if (wh === undefined) meter.failed(metered)
      else meter.booked()
    } catch (error) {
      meter.failed(metered)
      log.debug({ err: error, plug: row.name }, 'what a plug counted cannot be stored now')
    }
  }

  async bookAll (): Promise<void> { for (const plug of this.all) await this.book(plug) }

  close (): void { for (const { monitor } of this.all) monitor.close() }

  #drop (id: string, { monitor }: Plug): void {
    monitor.close()
    this.#plugs.delete(id)
  }

  #follow (row: PlugRow): void {
    const known = this.#plugs.get(row.id)
    const fixed = ['kind', 'settings', 'serial', 'unit'] as const
    if (known && fixed.every(name => known.row[name] === row[name])) {
      this.#plugs.set(row.id, Object.assign(known, { row }))
      return
    }
    known?.monitor.close()
    const { kernel, broker, passwords, log } = this.#deps
    const device = deviceOf(row)
    let before: boolean | undefined
    const plug: Plug = {
      row,
      bookAt: kernel.now() + BOOK_EVERY_MS,
      meter: this.#meterOf(row),
      monitor: new PlugMonitor(
        {
          id: row.id,
          kind: row.kind as PlugKind,
          settings: settingsOf(row),
          password: passwords.of(row.id, device),
          generation: {
            isLater: passwords.isLater(row.id, device),
            foundLater () {
              passwords.setLater(row.id, device).catch((error: unknown) => { log.warn({ err: error }, 'the generation of a plug cannot be stored now') })
            }
          }
        },
        {
          broker,
          now: kernel.now,
          redact: kernel.redact,
          signal: kernel.signal,
          changed: reading => {
            plug.meter.note(reading)
            const { isOn } = plug.monitor.state
            if (this.isDriven(plug.row)) this.#deps.heard(plug, before)
            before = isOn
          }
        })
    }
    this.#plugs.set(row.id, plug)
  }

  /** What dries filament is no print's energy. */
  #meterOf (row: PlugRow): PlugMeter {
    const { kernel, history } = this.#deps
    const running = () => {
      const printer = row.unit === null ? this.printerOf(row) : undefined
      return printer === undefined ? undefined : history.running(printer)
    }
    return new PlugMeter({ plug: row.id, now: kernel.now, owner: () => running()?.id ?? '', ownerSince: () => running()?.startedAt })
  }
}
