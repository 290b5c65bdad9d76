import { wordsOfFailure, type Kernel, type PrinterSession } from '../../core/index.js'
import type { FilesService } from '../files/index.js'
import type { QueueService } from '../queue/index.js'
import type { CoolWatch } from './cool-watch.js'
import { NoPlug, PlugBusy, PlugDraws, PlugElsewhere, PlugSilent, PlugStays, PlugUnconfirmed } from './errors.js'
import { staysInWords, whyStaysOn, type Stays } from './off-check.js'
import type { PlugStore } from './plug-store.js'
import type { Plug, Plugs } from './plugs.js'
import type { PlugRow } from './tables.js'

export interface SwitcherDeps {
  readonly kernel: Kernel
  readonly plugs: Plugs
  readonly store: PlugStore
  readonly cool: CoolWatch
  readonly queue: () => Pick<QueueService, 'store' | 'runner'> | undefined
  readonly files: () => Pick<FilesService, 'transfers'> | undefined
  readonly instance: string
  readonly timing: SwitchTiming
  readonly switched: (plug: Plug, isOn: boolean, by: string) => void
}

export interface SwitchTiming {
  /** How long a printer may take to send the report that is asked for before its power goes. */
  readonly reportMs: number
  /** How long a plug may take to say that it did. */
  readonly confirmMs: number
}

/** Longer than everything that one switch waits for: after a crash another one may follow then. */
const CLAIM_MS = 45_000
/** A plug that is off draws nothing; some sensors need a moment. */
const DRAWS_WATTS = 10
const UNKNOWN: Stays = { code: 'unknown', values: {} }

/** Switches plugs, off only when nothing can come to harm. */
export class Switcher {
  readonly #deps: SwitcherDeps
  /** Serials of printers whose power is being switched off: they take no job. */
  readonly #held = new Set<string>()

  readonly #switching = new Set<string>()

  constructor (deps: SwitcherDeps) { this.#deps = deps }

  /** Whether a plug is being switched here, so that what it says meanwhile is no surprise. */
  isSwitching (id: string): boolean { return this.#switching.has(id) }

  isHeld (serial: string): boolean { return this.#held.has(serial) }

  /** Why a plug must stay on now; undefined: it may be switched off. */
  async whyStays (row: PlugRow): Promise<Stays | undefined> {
    if (row.serial === '') return undefined
    const session = this.#sessionOf(row)
    const found = this.#check(row, session, false)
    return found ?? this.#check(row, session, await this.#hasRun(row))
  }

  /** @throws PRN_ERR_PLUG_BUSY, PRN_ERR_PLUG_SILENT, PRN_ERR_PLUG_UNCONFIRMED, PRN_ERR_PLUG_ELSEWHERE */
  async turnOn (id: string, by: string, signal: AbortSignal): Promise<void> {
    const plug = this.#plug(id)
    await this.#claimed(plug, () => this.#turn(plug, true, by, signal))
  }

  /** @throws the same, and PRN_ERR_PLUG_STAYS_ON, PRN_ERR_PRINTER_CLAIMED, PRN_ERR_PLUG_STILL_DRAWS */
  async turnOff (id: string, by: string, signal: AbortSignal): Promise<void> {
    const plug = this.#plug(id)
    const { row } = plug
    this.#refuse(row, await this.whyStays(row))
    const session = this.#sessionOf(row)
    await this.#claimed(plug, async () => {
      if (row.serial === '') return await this.#turn(plug, false, by, signal)
      if (session === undefined) throw new PlugStays(row.name, staysInWords(UNKNOWN))
      await this.#turnOffPrinter(plug, session, by, signal)
    })
    const { watts } = plug.monitor.state
    if (watts !== undefined && watts > DRAWS_WATTS) throw new PlugDraws(row.name, Math.round(watts))
  }

  /** Nobody starts a print while the power goes: the queue is held back, and others find the printer claimed. */
  async #turnOffPrinter (plug: Plug, session: PrinterSession, by: string, signal: AbortSignal): Promise<void> {
    const { row } = plug
    this.#held.add(row.serial)
    try {
      await session.exclusively(`switching '${row.name}' off`, async over => {
        const both = AbortSignal.any([signal, over])
        if (!await this.#freshReport(session)) this.#refuse(row, UNKNOWN)
        const hasRun = await this.#hasRun(row)
        both.throwIfAborted()
        this.#refuse(row, this.#check(row, session, hasRun)) // nothing may come between this line and the command
        await this.#turn(plug, false, by, both)
      }, { signal, withinMs: CLAIM_MS })
    } finally {
      this.#held.delete(row.serial)
      this.#deps.queue()?.runner.wake()
    }
  }

  async #turn (plug: Plug, isOn: boolean, by: string, signal: AbortSignal): Promise<void> {
    const { row, monitor } = plug
    const { timing, switched } = this.#deps
    const after = monitor.said
    await monitor.turn(isOn, signal).catch((error: unknown) => {
      throw signal.aborted ? signal.reason : new PlugSilent(row.name, this.#deps.kernel.redact(wordsOfFailure(error)))
    })
    const isSaid = await monitor.says(isOn, { after, withinMs: timing.confirmMs, signal })
    if (!isSaid) throw new PlugUnconfirmed(row.name, isOn ? 'on' : 'off')
    switched(plug, isOn, by)
  }

  async #claimed (plug: Plug, work: () => Promise<void>): Promise<void> {
    const { store, kernel, instance } = this.#deps
    const { id, name } = plug.row
    const now = kernel.now()
    if (!await store.claim(id, instance, now, now + CLAIM_MS)) throw new PlugBusy(name)
    this.#switching.add(id)
    try {
      await work()
    } finally {
      this.#switching.delete(id)
      await store.release(id, instance).catch(() => {}) // the claim ends by itself
    }
  }

  #plug (id: string): Plug {
    const plug = this.#deps.plugs.get(id)
    if (plug === undefined) throw new NoPlug(id)
    if (!this.#deps.plugs.isDriven(plug.row)) throw new PlugElsewhere(plug.row.name)
    return plug
  }

  #refuse ({ name }: PlugRow, why: Stays | undefined): void {
    if (why) throw new PlugStays(name, staysInWords(why)).with({ stays: why.code, values: why.values })
  }

  #sessionOf (row: PlugRow): PrinterSession | undefined {
    const printer = this.#deps.plugs.printerOf(row)
    return printer === undefined ? undefined : this.#deps.kernel.printers.get(printer)
  }

  #check ({ serial }: PlugRow, session: PrinterSession | undefined, hasRun: boolean | undefined): Stays | undefined {
    const { kernel, cool, files } = this.#deps
    const transfers = session === undefined ? [] : files()?.transfers.list(session.name) ?? []
    return whyStaysOn(session, {
      now: kernel.now(),
      coolSince: cool.since(serial),
      hasRun,
      isTransferring: transfers.some(({ status }) => status === 'running')
    })
  }

  /** @returns undefined while the database cannot be read */
  async #hasRun ({ serial }: PlugRow): Promise<boolean | undefined> {
    const queue = this.#deps.queue()
    if (queue === undefined) return false
    return await queue.store.activeRun(serial).then(run => run !== undefined, () => undefined)
  }

  /** Asks the printer for a report: at rest the last one may be minutes old. */
  async #freshReport (session: PrinterSession): Promise<boolean> {
    const { reportMs } = this.#deps.timing
    return await new Promise<boolean>(resolve => {
      const timer = setTimeout(() => end(false), reportMs)
      const off = session.events.on('state', () => end(true))
      const end = (isFresh: boolean): void => {
        clearTimeout(timer)
        off()
        resolve(isFresh)
      }
      session.refresh().catch(() => end(false))
    })
  }
}
