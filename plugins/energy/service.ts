import { randomUUID } from 'node:crypto'
import { BadInput, type Kernel, type RuleName } from '../../core/index.js'
import type { Database } from '../database/index.js'
import { NoPlug, PlugElsewhere } from './errors.js'
import type { Reading } from './decode/reading.js'
import { HTTP_KINDS, type PlugKind } from './kinds.data.js'
import type { PlugBroker } from './link/plug-link.js'
import { markPartial } from './meter/book.js'
import { staysInWords, type Stays } from './off-check.js'
import type { Energy, PlugChange, PlugTrial, UseQuery } from './energy.js'
import { deviceOf, type NewPlug, type Passwords, type PlugStore } from './plug-store.js'
import { settingsFor, settingsOf } from './plug-settings.js'
import type { Plug, Plugs } from './plugs.js'
import { createTariff, type Prices } from './prices.js'
import type { EnergyView, PlugView, UseView } from './schemas.js'
import type { Switcher } from './switcher.js'
import type { Db, PlugRow } from './tables.js'
import { tryPlug } from './try-plug.js'
import { readPrints, readUse, sumOf, type PrintsEnergy, type UsedOn, type UseFilter } from './use.js'

export interface ServiceDeps {
  readonly kernel: Kernel
  readonly database: Database
  readonly store: PlugStore
  readonly passwords: Passwords
  readonly plugs: Plugs
  readonly switcher: Switcher
  readonly broker: () => PlugBroker | undefined
  readonly instance: string
}

const DAY_MS = 86_400_000
const USUAL_DAYS = 29

class EnergyService implements Energy {
  readonly #deps: ServiceDeps

  constructor (deps: ServiceDeps) { this.#deps = deps }

  async view (): Promise<EnergyView> {
    const { plugs, kernel, broker } = this.#deps
    await plugs.load()
    const now = kernel.now()
    const { tariff } = plugs
    const { day } = tariff.localTime(now)
    const rows = await this.#read({ since: day, until: day })
    const ownOf = (plug: Plug) => rows.filter(row => row.plug === plug.row.id)
    const views = await Promise.all(plugs.all.map(plug => this.#viewOf(plug, ownOf(plug))))
    const watts = views.flatMap(view => view.watts ?? [])
    const today = sumOf(rows)
    return {
      plugs: views,
      watts: watts.length === 0 ? null : Math.round(watts.reduce((sum, one) => sum + one, 0) * 10) / 10,
      today_wh: today.wh,
      today_cost: today.cost,
      prices: tariff.prices,
      price_now: tariff.priceAt(now),
      has_broker: broker()?.isSetUp === true
    }
  }

  setup () {
    const { plugs, passwords } = this.#deps
    return plugs.all.map(({ row }) =>
      ({ id: row.id, settings: settingsOf(row), has_password: passwords.of(row.id, deviceOf(row)) !== undefined }))
  }

  async use ({ printer, since, until }: UseQuery): Promise<UseView> {
    const { plugs, kernel } = this.#deps
    await plugs.load()
    const { tariff } = plugs
    const from = since ?? tariff.localTime(kernel.now() - USUAL_DAYS * DAY_MS).day
    const own = printer === undefined ? undefined : this.#serialOf(printer)
    const rows = await this.#read({ serial: own, since: from, until })
    const grouped = (keyOf: (row: UsedOn) => string): [string, UsedOn[]][] => {
      const groups = new Map<string, UsedOn[]>()
      for (const row of rows) groups.set(keyOf(row), [...groups.get(keyOf(row)) ?? [], row])
      return [...groups]
    }
    return {
      ...sumOf(rows),
      currency: tariff.prices.currency,
      today: tariff.localTime(kernel.now()).day,
      days: grouped(({ day }) => day).map(([day, own]) => ({ day, ...sumOf(own) })),
      printers: grouped(({ serial }) => serial)
        .map(([serial, own]) => ({ printer: plugs.printerOf({ serial }) ?? serial, ...sumOf(own) }))
    }
  }

  async add (change: PlugChange & { readonly name: string, readonly kind: PlugKind }, by: string): Promise<string> {
    const { store, instance, kernel } = this.#deps
    const { name, kind, settings = {}, printer = '', unit = null } = change
    const { on_for_jobs: onForJobs = false, off_after_min: offAfter = null } = change
    const id = randomUUID()
    const row: NewPlug = {
      id,
      name,
      kind,
      settings: JSON.stringify(settingsFor(kind, settings)),
      serial: this.#serialOf(printer),
      unit: printer === '' ? null : unit,
      on_for_jobs: Number(onForJobs),
      off_after_min: offAfter,
      service: instance,
      created_at: kernel.now(),
      created_by: by
    }
    await store.add(row)
    await this.#setPassword(row, HTTP_KINDS.has(kind) ? change.password : undefined)
    await this.#deps.plugs.load()
    return id
  }

  async change (id: string, given: PlugChange): Promise<void> {
    const { store, plugs, instance } = this.#deps
    const row = await store.find(id)
    if (!row) throw new NoPlug(id)
    const kind = given.kind ?? row.kind as PlugKind
    const printer = given.printer
    const settings = settingsFor(kind, given.settings ?? settingsOf(row))
    const serial = printer === undefined ? row.serial : this.#serialOf(printer)
    const known = plugs.get(id)
    const unit = serial === '' ? null : given.unit === undefined ? row.unit : given.unit
    const text = JSON.stringify(settings)
    if (serial !== row.serial || unit !== row.unit || text !== row.settings || kind !== row.kind) {
      await this.#deps.switcher.refuseInUse(row)
    }
    if (known) await plugs.book(known)
    const device = deviceOf({ kind, settings: text })
    const isMoved = device.host !== deviceOf(row).host || kind !== row.kind
    // A password was given for one device: it must not be sent to another.
    if (isMoved) await this.#deps.passwords.remove(id)
    const isChanged = await store.put({
      ...row,
      name: given.name ?? row.name,
      kind,
      settings: text,
      serial,
      unit,
      on_for_jobs: given.on_for_jobs === undefined ? row.on_for_jobs : Number(given.on_for_jobs),
      off_after_min: given.off_after_min === undefined ? row.off_after_min : given.off_after_min,
      service: instance
    })
    if (!isChanged) throw new NoPlug(id)
    await this.#setPassword({ id, kind, settings: text }, HTTP_KINDS.has(kind) ? given.password : null)
    plugs.reopen(id)
    await plugs.load()
  }

  async remove (id: string): Promise<void> {
    const { store, plugs, database, passwords } = this.#deps
    const plug = plugs.get(id)
    if (plug) await this.#deps.switcher.refuseInUse(plug.row)
    const print = plug?.meter.owner ?? ''
    if (plug) await plugs.book(plug)
    if (!await store.remove(id)) throw new NoPlug(id)
    if (print !== '') await database.query((db: Db) => markPartial(db, print))
    await passwords.remove(id)
    await plugs.load()
  }

  async try (given: PlugTrial, id: string | undefined, signal: AbortSignal): Promise<Reading> {
    const { kernel, broker, plugs, passwords } = this.#deps
    const { name = 'the plug', kind, settings = {}, password } = given
    const address = settingsFor(kind, settings)
    const known = id === undefined ? undefined : plugs.get(id)
    const isSame = known !== undefined && settingsOf(known.row).host === address.host && known.row.kind === kind
    const used = password ?? (isSame && password !== null ? passwords.of(known.row.id, deviceOf(known.row)) : undefined)
    if (used !== undefined) kernel.maskSecret(used)
    const generation = { isLater: isSame && passwords.isLater(known.row.id, deviceOf(known.row)), foundLater () {} }
    const trial = { id: randomUUID(), kind, settings: address, password: used, generation }
    return await tryPlug(name, trial, { broker, redact: kernel.redact, signal })
  }

  async setPrices (prices: Prices): Promise<void> {
    try {
      createTariff(prices)
    } catch {
      throw new BadInput(`there is no time zone '${prices.time_zone}'; names are such as 'Europe/Berlin'`)
    }
    await this.#deps.plugs.bookAll() // what was used until now has the price of until now
    await this.#deps.store.setPrices(prices)
    await this.#deps.plugs.load()
  }

  idOf (given: string): string {
    const { plugs } = this.#deps
    if (plugs.get(given)) return given
    const [named, ...others] = (plugs.names() ?? []).filter(({ name }) => name.toLowerCase() === given.toLowerCase())
    if (named === undefined || others.length > 0) throw new NoPlug(given)
    return named.id
  }

  async turnOn (id: string, by: string, signal: AbortSignal): Promise<void> {
    await this.#deps.switcher.turnOn(id, by, signal)
  }

  async turnOff (id: string, by: string, signal: AbortSignal): Promise<void> {
    await this.#deps.switcher.turnOff(id, by, signal)
  }

  async whyStays (id: string): Promise<Stays | undefined> {
    const plug = this.#deps.plugs.get(id)
    if (plug === undefined) throw new NoPlug(id)
    if (!this.#deps.plugs.isDriven(plug.row)) throw new PlugElsewhere(plug.row.name)
    return await this.#deps.switcher.whyStays(plug.row)
  }

  ofPrinter (printer: string): Plug | undefined { return this.#deps.plugs.ofPrinter(printer) }

  names (): readonly RuleName[] | undefined { return this.#deps.plugs.names() }

  priceNow (): number | undefined { return this.#deps.plugs.tariff.priceAt(this.#deps.kernel.now()) ?? undefined }

  ofPrints (ids: readonly string[]): Promise<PrintsEnergy | null> {
    const { database, plugs } = this.#deps
    return database.query((db: Db) => readPrints(db, ids, plugs.tariff.prices.currency))
  }

  async #viewOf (plug: Plug, today: readonly UsedOn[]): Promise<PlugView> {
    const { plugs, switcher } = this.#deps
    const { row, monitor } = plug
    const { watts, at, problem } = monitor.state
    const printer = plugs.printerOf(row)
    const stays = await switcher.whyStays(row)
    const sum = sumOf(today)
    return {
      id: row.id,
      name: row.name,
      kind: row.kind as PlugKind,
      printer: printer ?? '',
      belongs: row.serial === '' ? 'alone' : printer === undefined ? 'gone' : row.unit === null ? 'printer' : 'dryer',
      unit: row.unit,
      on_for_jobs: row.on_for_jobs === 1,
      off_after_min: row.off_after_min,
      is_on: monitor.isOn ?? null,
      watts: watts === undefined ? null : Math.round(watts * 10) / 10,
      heard_at: at ?? null,
      is_lost: monitor.isLost,
      problem,
      is_driven: plugs.isDriven(row),
      counted_by: plug.meter.countedBy,
      today_wh: sum.wh,
      today_cost: sum.cost,
      waits_for_person: row.on_for_jobs === 1 && monitor.isOn === false && row.off_by !== 'idle',
      stays: stays ? { ...stays, values: { ...stays.values }, text: staysInWords(stays) } : null
    }
  }

  #read (filter: UseFilter): Promise<UsedOn[]> { return this.#deps.database.query((db: Db) => readUse(db, filter)) }

  /** @throws PRN_ERR_BAD_INPUT for a printer that is not configured */
  #serialOf (printer: string): string {
    if (printer === '') return ''
    const serial = this.#deps.kernel.printers.config(printer)?.serial
    if (serial === undefined) throw new BadInput(`printer: there is no printer '${printer}'`)
    return serial
  }

  async #setPassword (row: Pick<PlugRow, 'id' | 'kind' | 'settings'>, password: string | null | undefined): Promise<void> {
    const { passwords, kernel } = this.#deps
    if (password === undefined) return
    if (password === null) return await passwords.remove(row.id)
    kernel.maskSecret(password)
    await passwords.set(row.id, deviceOf(row), password)
  }
}

export const createEnergy = (deps: ServiceDeps): Energy => new EnergyService(deps)
