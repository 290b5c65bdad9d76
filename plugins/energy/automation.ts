import type { FastifyBaseLogger } from 'fastify'
import { recorded, type Kernel } from '../../core/index.js'
import type { Finding } from '../alerts/index.js'
import type {} from '../audit/index.js' // its service, if that plugin is loaded
import type { QueueService } from '../queue/index.js'
import type { CoolWatch } from './cool-watch.js'
import type { PlugStore } from './plug-store.js'
import type { Plug, Plugs } from './plugs.js'
import type { Switcher } from './switcher.js'

export interface AutomationDeps {
  readonly kernel: Kernel
  readonly plugs: Plugs
  readonly switcher: Switcher
  readonly store: Pick<PlugStore, 'setOffBy'>
  readonly cool: CoolWatch
  readonly queue: () => Pick<QueueService, 'wants'> | undefined
  readonly raise: (printer: string, finding: Finding) => void
  /** For rules. */
  readonly happened: (plug: Plug, what: 'lost' | 'unexpected') => void
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>
}

/** How long a printer may take from power to its first report. */
const WAKE_MS = 300_000
/** After a failure the next try waits so long. */
const PAUSE_MS = 600_000
/** A relay is not switched by itself more often than that. */
const LEAST_MS = 60_000
/** More than this through a plug that is off. */
const UNEXPECTED_WATTS = 10
const UNEXPECTED_MS = 30_000

const MINUTE_MS = 60_000
const IDLE = 'idle'
const SURFACE = 'energy'

/** What is remembered of one plug. */
interface Memory {
  /** Since when its printer is awaited; undefined: it is not. */
  wakingSince?: number | undefined
  pausedUntil: number
  switchedAt: number
  isBusy: boolean
  isLost: boolean
  /** The job of which people know that its plug is lost. */
  lostDuring?: string | undefined
  /** Since when power flows that should not. */
  drawsSince?: number | undefined
  isUnexpected: boolean
  /** How it was switched last; undefined: not since the start, so the database counts. */
  last?: 'idle' | 'other' | undefined
}

const fresh = (): Memory => ({ pausedUntil: 0, switchedAt: 0, isBusy: false, isLost: false, isUnexpected: false })

/** What plugs do by themselves, each only where somebody chose it, and what people are told about them. */
export class Automation {
  readonly #deps: AutomationDeps
  readonly #memories = new Map<string, Memory>()

  constructor (deps: AutomationDeps) { this.#deps = deps }

  /** Looks at every plug that this service drives. Never rejects; acts in the background. */
  look (): void {
    const { plugs } = this.#deps
    const known = new Set(plugs.all.map(({ row }) => row.id))
    for (const id of this.#memories.keys()) if (!known.has(id)) this.#memories.delete(id)
    for (const plug of plugs.all) {
      if (!plugs.isDriven(plug.row)) continue
      const printer = plugs.printerOf(plug.row)
      const memory = this.#memoryOf(plug)
      this.#remember(plug, memory)
      this.#watchLost(plug, memory, printer)
      this.#watchPower(plug, memory, printer)
      if (printer === undefined || plug.row.unit !== null || memory.isBusy) continue
      this.#watchWaking(plug, memory, printer)
      this.#act(plug, memory, printer)
    }
  }

  /** It was switched, by whomever. Only what was switched off for being idle is ever switched on for a job. */
  switched (plug: Plug, isOn: boolean, by: string): void {
    const memory = this.#memoryOf(plug)
    memory.switchedAt = this.#deps.kernel.now()
    memory.last = !isOn && by === IDLE ? 'idle' : 'other'
    this.#remember(plug, memory)
  }

  /** While it cannot be stored, the memory counts, and each look tries again. */
  #remember ({ row }: Plug, { last }: Memory): void {
    const by = last === 'idle' ? 'idle' : ''
    if (last === undefined || row.off_by === by) return
    this.#deps.store.setOffBy(row.id, by).then(() => { row.off_by = by }, (error: unknown) => {
      this.#deps.log.warn({ err: error, plug: row.name }, 'who switched a plug cannot be stored now')
    })
  }

  #memoryOf ({ row: { id } }: Plug): Memory {
    const memory = this.#memories.get(id) ?? fresh()
    this.#memories.set(id, memory)
    return memory
  }

  /** Told once for each print, also when it was lost before that print began. */
  #watchLost (plug: Plug, memory: Memory, printer: string | undefined): void {
    const { isLost } = plug.monitor
    if (isLost && !memory.isLost) this.#deps.happened(plug, 'lost')
    memory.isLost = isLost
    const job = isLost && printer !== undefined ? this.#jobOf(printer) : undefined
    if (printer !== undefined && job !== undefined && memory.lostDuring === undefined) {
      this.#raise(printer, 'plug_lost', { plug: plug.row.name, job, reason: `'${plug.row.name}' does not answer while '${job}' is printed` })
    }
    memory.lostDuring = job
  }

  /** Power through a plug that says that it is off, or a printer that reports behind it. */
  #watchPower (plug: Plug, memory: Memory, printer: string | undefined): void {
    const { kernel, happened } = this.#deps
    const now = kernel.now()
    const { watts = 0 } = plug.monitor.state
    const reports = printer !== undefined && plug.row.unit === null && kernel.printers.get(printer)?.live === true
    const flows = watts > UNEXPECTED_WATTS || reports
    const isWrong = plug.monitor.isOn === false && flows && now - memory.switchedAt > MINUTE_MS
    if (!isWrong) {
      memory.drawsSince = undefined
      memory.isUnexpected = false
      return
    }
    memory.drawsSince ??= now
    if (memory.isUnexpected || now - memory.drawsSince < UNEXPECTED_MS) return
    memory.isUnexpected = true
    happened(plug, 'unexpected')
    const reason = watts > UNEXPECTED_WATTS
      ? `'${plug.row.name}' says that it is off, but ${Math.round(watts)} W are drawn through it`
      : `'${plug.row.name}' says that it is off, but its printer reports`
    if (printer !== undefined) this.#raise(printer, 'power_unexpected', { plug: plug.row.name, watts: Math.round(watts), reason })
  }

  #watchWaking (plug: Plug, memory: Memory, printer: string): void {
    if (memory.wakingSince === undefined) return
    const { kernel } = this.#deps
    if (kernel.printers.get(printer)?.live === true) {
      memory.wakingSince = undefined
      return
    }
    if (kernel.now() - memory.wakingSince < WAKE_MS) return
    memory.wakingSince = undefined
    memory.pausedUntil = kernel.now() + PAUSE_MS
    const reason = `'${plug.row.name}' was switched on for a job, but the printer has not reported within ${WAKE_MS / MINUTE_MS} minutes`
    this.#raise(printer, 'printer_not_waking', { plug: plug.row.name, reason })
  }

  #act (plug: Plug, memory: Memory, printer: string): void {
    const { kernel } = this.#deps
    const now = kernel.now()
    if (now < memory.pausedUntil || now - memory.switchedAt < LEAST_MS) return
    const isWanted = this.#isWanted(printer)
    const { isOn } = plug.monitor
    const isOwnOff = plug.row.off_by === IDLE && memory.last !== 'other'
    if (isOn === false && isOwnOff && plug.row.on_for_jobs === 1 && isWanted) return this.#run(plug, memory, true)
    const minutes = plug.row.off_after_min
    const since = this.#deps.cool.since(plug.row.serial)
    const idleMs = since === undefined ? 0 : now - Math.max(since, memory.switchedAt)
    const isIdle = minutes !== null && since !== undefined && idleMs >= minutes * MINUTE_MS
    if (isOn === true && isIdle && !isWanted) this.#run(plug, memory, false)
  }

  #isWanted (printer: string): boolean { return this.#deps.queue()?.wants(printer) === true }

  /** Switches in the background, one at a time for each plug; what refuses it is asked again later. */
  #run (plug: Plug, memory: Memory, isOn: boolean): void {
    const { kernel, log } = this.#deps
    memory.isBusy = true
    const { name } = plug.row
    this.#switch(plug, isOn).then(isDone => {
      if (isOn) memory.wakingSince = kernel.now()
      if (isDone) log.info({ plug: name, isOn }, 'a plug was switched by itself')
    }, (error: unknown) => {
      memory.pausedUntil = kernel.now() + PAUSE_MS
      if (!kernel.signal.aborted) log.warn({ err: error, plug: name }, 'a plug could not be switched')
    }).finally(() => { memory.isBusy = false })
  }

  /** A printer that is still needed is no failure, and nothing was done. @returns whether it was switched */
  async #switch ({ row }: Plug, isOn: boolean): Promise<boolean> {
    const { switcher, kernel, plugs } = this.#deps
    if (!isOn && await switcher.whyStays(row)) return false
    const operation = isOn ? 'energy.turnOn' : 'energy.turnOff'
    const act = { surface: SURFACE, printer: plugs.printerOf(row), note: row.name }
    const entry = await kernel.optional.audit?.begin({ operation, ...act })
    await recorded(kernel, operation, { ...act, entry }, () => isOn
      ? switcher.turnOn(row.id, 'queue', kernel.signal)
      : switcher.turnOff(row.id, IDLE, kernel.signal))
    return true
  }

  #jobOf (printer: string): string | undefined {
    const job = this.#deps.kernel.printers.get(printer)?.state?.job
    const prints = job !== undefined && ['RUNNING', 'PREPARE', 'PAUSE'].includes(job.gcodeState)
    return prints ? job.subtaskName || '?' : undefined
  }

  #raise (printer: string, type: string, payload: Finding['payload']): void {
    this.#deps.raise(printer, { type, severity: 'medium', payload })
  }
}
