import { openInstanceId, type PluginContext } from '../../core/index.js'
import { why } from '../queue/index.js'
import { Automation } from './automation.js'
import { CoolWatch } from './cool-watch.js'
import { LateOffs } from './late-offs.js'
import type { PlugEvent } from './plug-event.js'
import { createPlugStore, openPasswords } from './plug-store.js'
import { Plugs, type Plug } from './plugs.js'
import { createEnergy } from './service.js'
import type { Energy } from './energy.js'
import { Switcher, type SwitchTiming } from './switcher.js'
import { createEnergyMeter } from './use.js'

export interface Timing extends SwitchTiming {
  /** Between two looks at all plugs. */
  readonly tickMs: number
  /** Between two readings of the database, for what other services changed. */
  readonly loadMs: number
}

type Context = PluginContext<object, 'alerts' | 'audit' | 'broker' | 'files'>

/** The start waits so long for the plugs: a printer whose plug may still obey is held before it is connected. */
const FIRST_LOOK_MS = 4_000

interface Looking {
  readonly times: Timing
  readonly plugs: Plugs
  readonly automation: Automation
  readonly offs: LateOffs
  readonly switcher: Switcher
  /** The plugs were read for the first time. */
  readonly begun: () => void
}

/** Looks at the plugs at intervals, one look at a time. */
function startLooking ({ log, onReady, onClose }: Context, looking: Looking): void {
  const { times, plugs, automation, offs, switcher, begun } = looking
  let loadedAt = -Infinity
  let working: Promise<void> | undefined
  async function look (): Promise<void> {
    if (performance.now() - loadedAt > times.loadMs) {
      await plugs.load()
      if (loadedAt === -Infinity) begun()
      loadedAt = performance.now()
    }
    offs.look(id => switcher.isSwitching(id))
    await plugs.tick()
    automation.look()
  }
  const begin = (): void => {
    working ??= look()
      .catch((error: unknown) => log.debug({ err: error }, 'plugs cannot be looked at now'))
      .finally(() => { working = undefined })
  }
  const timer = setInterval(begin, times.tickMs).unref()
  onReady(async () => {
    begin()
    const late = new Promise<void>(resolve => { setTimeout(resolve, FIRST_LOOK_MS).unref() })
    await Promise.race([working, late])
  })
  onClose(async () => {
    clearInterval(timer)
    await working
    await plugs.bookAll()
    plugs.close()
  })
}

/** Opens everything that plugs need, and follows them. */
export async function openEnergy (context: Context, times: Timing): Promise<Energy> {
  const { kernel, services: { database, history, queue }, optional, events, log, printers, folder, onClose } = context
  const warn = (message: string): void => { log.warn(message) }
  const instance = await openInstanceId(await folder(), warn)
  const passwords = await openPasswords(kernel.dataDir, warn)
  for (const password of passwords.all()) kernel.maskSecret(password)
  const store = createPlugStore(database)
  const broker = () => optional.broker
  const cool = new CoolWatch(printers, kernel.now)
  const happened = (plug: Plug, what: PlugEvent['what'], by = ''): void => {
    const { row: { id, name }, monitor } = plug
    const printer = plugs.printerOf(plug.row)
    events.emit('energy:plug', { id, name, printer, what, by, watts: monitor.state.watts, at: kernel.now() })
  }
  const switched = (plug: Plug, isOn: boolean, by: string): void => {
    automation.switched(plug, isOn, by)
    happened(plug, isOn ? 'turned_on' : 'turned_off', by)
  }
  const plugs: Plugs = new Plugs({
    kernel,
    database,
    store,
    passwords,
    history,
    broker,
    instance,
    log,
    heard (plug, before) {
      const { isOn } = plug.monitor.state
      const printer = plugs.printerOf(plug.row)
      if (printer !== undefined) events.emit('energy:heard', printer)
      if (isOn !== before && printer !== undefined) queue.runner.wake()
      if (before === undefined || isOn === undefined || isOn === before || switcher.isSwitching(plug.row.id)) return
      switched(plug, isOn, 'elsewhere')
    }
  })
  const common = { kernel, plugs, cool, queue: () => queue }
  const offs = new LateOffs({ kernel, plugs, store, switched, released: () => queue.runner.wake(), log })
  const switcher: Switcher = new Switcher({
    ...common, store, offs, files: () => optional.files, instance, timing: times, switched
  })
  const raise = (...finding: Parameters<NonNullable<typeof optional.alerts>['raise']>) => optional.alerts?.raise(...finding)
  const automation: Automation = new Automation({ ...common, switcher, store, log, happened, raise })
  const serialOf = (printer: string): string | undefined => printers.config(printer)?.serial
  const currency = (): string => plugs.tariff.prices.currency
  history.energyBy(createEnergyMeter({ query: database.query, currency, serialOf }))
  onClose(queue.heldBackBy(({ name, config }) => {
    if (!plugs.isRead) return why('plugs_unread')
    if (offs.isHeld(config.serial)) return why('powering_off')
    return plugs.ofPrinter(name)?.monitor.isOn === false ? why('powered_off') : undefined
  }))
  onClose(() => passwords.settled())
  events.on('history:print', printer => plugs.printChanged(printer))
  startLooking(context, { times, plugs, automation, offs, switcher, begun: () => queue.runner.wake() })
  return createEnergy({ kernel, database, store, passwords, plugs, switcher, broker, instance })
}
