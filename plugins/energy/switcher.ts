import { hasCurrentState, timeoutSignal, wordsOfFailure, type Kernel, type PrinterSession } from '../../core/index.js'
import type { FilesService } from '../files/index.js'
import type { QueueService } from '../queue/index.js'
import type { CoolWatch } from './cool-watch.js'
import { NoPlug, PlugBusy, PlugDraws, PlugElsewhere, PlugInUse, PlugSilent, PlugStays, PlugUnconfirmed } from './errors.js'
import { HOLD_MS, type LateOffs } from './late-offs.js'
import { staysInWords, whyStaysOn, type Stays } from './off-check.js'
import type { PlugStore } from './plug-store.js'
import type { Plug, Plugs } from './plugs.js'
import { CLAIM_MS, type PlugRow } from './tables.js'

export interface SwitcherDeps {
  readonly kernel: Kernel
  readonly plugs: Plugs
  readonly store: PlugStore
  readonly cool: CoolWatch
  readonly offs: LateOffs
  readonly queue: () => Pick<QueueService, 'store' | 'heldBack'> | undefined
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

/** A plug that is off draws nothing; some sensors need a moment. */
const DRAWS_WATTS = 10
const UNKNOWN: Stays = { code: 'unknown', values: {} }
const MINUTE_MS = 60_000

/** What the queue's database says of a printer. */
interface Occupation {
  /** Undefined while it cannot be read. */
  readonly hasRun: boolean | undefined
  /** Somebody may be at it until then, ms since the epoch. Another service may have moved it. */
  readonly movedUntil: number
}

const FREE: Occupation = { hasRun: false, movedUntil: 0 }
const UNREAD: Occupation = { hasRun: undefined, movedUntil: 0 }

interface Sending {
  readonly signal: AbortSignal
  /** Called right before the command is handed over. */
  readonly sending: () => void
}

/** Switches plugs, off only when nothing can come to harm. */
export class Switcher {
  readonly #deps: SwitcherDeps
  readonly #switching = new Set<string>()

  constructor (deps: SwitcherDeps) { this.#deps = deps }

  /** Whether a plug is being switched here, so that what it says meanwhile is no surprise. */
  isSwitching (id: string): boolean { return this.#switching.has(id) || this.#deps.offs.isWaiting(id) }

  /** Why a plug must stay on now; undefined: it may be switched off. */
  async whyStays (row: PlugRow): Promise<Stays | undefined> {
    if (row.serial === '') return undefined
    const session = this.#sessionOf(row)
    const found = this.#check(row, session, FREE)
    return found ?? this.#check(row, session, await this.#occupation(row))
  }

  /**
   * Before it is removed or changed: else its power could be switched off as that of a plug which stands alone.
   * @throws PRN_ERR_PLUG_IN_USE, PRN_ERR_PLUG_BUSY, PRN_ERR_PLUG_ELSEWHERE
   */
  async refuseInUse (row: PlugRow): Promise<void> {
    if (row.serial === '') return
    const { plugs } = this.#deps
    if (!plugs.isDriven(row)) throw new PlugElsewhere(row.name)
    if (this.isSwitching(row.id)) throw new PlugBusy(row.name)
    const monitor = plugs.get(row.id)?.monitor
    const session = this.#sessionOf(row)
    const isGone = monitor?.isLost === true && session !== undefined && !hasCurrentState(session)
    if (monitor?.isOn === false || isGone) return
    const why = await this.whyStays(row)
    if (why) throw new PlugInUse(row.name, staysInWords(why)).with({ stays: why.code, values: why.values })
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
    await this.#claimed(plug, async claimedAt => {
      if (row.serial === '') return await this.#turn(plug, false, by, signal)
      if (session === undefined) throw new PlugStays(row.name, staysInWords(UNKNOWN))
      await this.#turnOffPrinter(plug, session, by, { claimedAt, signal })
    }, row.serial !== '')
    const { watts } = plug.monitor.state
    if (watts !== undefined && watts > DRAWS_WATTS) throw new PlugDraws(row.name, Math.round(watts))
  }

  /**
   * Nobody starts a print while the power goes: the queue is held back, and others find the printer claimed. A command
   * that was sent and not confirmed may still be obeyed, so hold and claim last until the plug says what it is, and are
   * taken up again after a restart.
   */
  async #turnOffPrinter (plug: Plug, session: PrinterSession, by: string,
    { claimedAt, signal }: { readonly claimedAt: number, readonly signal: AbortSignal }): Promise<void> {
    const { kernel, offs } = this.#deps
    const { row } = plug
    await new Promise<void>((resolve, reject) => {
      const work = async (over: AbortSignal): Promise<void> => {
        const release = offs.hold(row.serial)
        let sentAt: number | undefined
        let isKnown = true
        try {
          const all = AbortSignal.any([signal, over, timeoutSignal(CLAIM_MS)])
          await this.#turnOffIdle(plug, session, by, { signal: all, sending: () => { sentAt = kernel.now() } })
          resolve()
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)))
          if (sentAt !== undefined) isKnown = await offs.settled(row.id, by, sentAt)
        } finally {
          if (isKnown) await offs.forget(row.id, claimedAt)
          release()
        }
      }
      session.exclusively(`switching '${row.name}' off`, work, { withinMs: HOLD_MS }).catch((error: unknown) => {
        reject(error instanceof Error ? error : new Error(String(error)))
        void offs.forget(row.id, claimedAt) // it is claimed by others, so nothing was sent
      })
    })
  }

  async #turnOffIdle (plug: Plug, session: PrinterSession, by: string, { signal, sending }: Sending): Promise<void> {
    const { row } = plug
    if (!await this.#freshReport(session)) this.#refuse(row, UNKNOWN)
    const occupation = await this.#occupation(row)
    const changed = new AbortController()
    const check = (): void => { this.#refuse(row, this.#check(row, session, occupation)) }
    const look = (): void => {
      try {
        check()
      } catch (error) {
        changed.abort(error)
      }
    }
    const off = [session.events.on('state', look), session.events.on('live', look)]
    const both = AbortSignal.any([signal, changed.signal])
    const after = plug.monitor.said
    try {
      await this.#send(plug, false, both, () => {
        both.throwIfAborted()
        check() // nothing may come between this line and the command
        sending()
      })
    } finally {
      for (const undo of off) undo() // from here on it loses its connection because its power is gone
    }
    await this.#confirmed(plug, false, by, { after, signal })
  }

  async #turn (plug: Plug, isOn: boolean, by: string, signal: AbortSignal): Promise<void> {
    const after = plug.monitor.said
    await this.#send(plug, isOn, signal, () => { signal.throwIfAborted() })
    await this.#confirmed(plug, isOn, by, { after, signal })
  }

  /** @param before called right before each request that can switch; what it throws keeps it from being sent */
  async #send ({ row, monitor }: Plug, isOn: boolean, signal: AbortSignal, before: () => void): Promise<void> {
    await monitor.turn(isOn, signal, before).catch((error: unknown) => {
      if (signal.aborted) throw signal.reason
      if (error instanceof PlugStays) throw error
      throw new PlugSilent(row.name, this.#deps.kernel.redact(wordsOfFailure(error)))
    })
  }

  async #confirmed (plug: Plug, isOn: boolean, by: string,
    { after, signal }: { readonly after: number, readonly signal: AbortSignal }): Promise<void> {
    const { timing, switched } = this.#deps
    const isSaid = await plug.monitor.says(isOn, { after, withinMs: timing.confirmMs, signal })
    if (!isSaid) throw new PlugUnconfirmed(plug.row.name, isOn ? 'on' : 'off')
    switched(plug, isOn, by)
  }

  /** @param isLateOff whether it may be obeyed late, which must be remembered before it is sent */
  async #claimed (plug: Plug, work: (claimedAt: number) => Promise<void>, isLateOff = false): Promise<void> {
    const { store, kernel, instance, offs } = this.#deps
    const { id, name } = plug.row
    const now = kernel.now()
    const claim = { by: instance, now, until: now + CLAIM_MS, isLateOff }
    // A second command to switch off would outlive what is remembered of the first.
    if (this.#switching.has(id) || (isLateOff && offs.isWaiting(id))) throw new PlugBusy(name)
    this.#switching.add(id)
    try {
      if (!await store.claim(id, claim)) throw new PlugBusy(name)
      await work(now)
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

  #check ({ serial }: PlugRow, session: PrinterSession | undefined, { hasRun, movedUntil }: Occupation):
  Stays | undefined {
    const { kernel, cool, files, queue } = this.#deps
    const now = kernel.now()
    const transfers = session === undefined ? [] : files()?.transfers.list(session.name) ?? []
    const moved = { code: 'moved_by_hand', values: { minutes: Math.ceil((movedUntil - now) / MINUTE_MS) } } as const
    return whyStaysOn(session, {
      now,
      coolSince: cool.since(serial),
      hasRun,
      isTransferring: transfers.some(({ status }) => status === 'running'),
      heldBack: [...movedUntil > now ? [moved] : [], ...session === undefined ? [] : queue()?.heldBack(session) ?? []]
    })
  }

  async #occupation ({ serial }: PlugRow): Promise<Occupation> {
    const queue = this.#deps.queue()
    if (queue === undefined) return FREE
    return await queue.store.occupationOf(serial).then(
      ({ run, movedUntil }) => ({ hasRun: run !== undefined, movedUntil }), () => UNREAD)
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
