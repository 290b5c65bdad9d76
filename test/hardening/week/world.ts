import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { testFolder } from '../../helpers/folder.js'
import { startMosquitto } from '../../helpers/mosquitto.js'
import { startReceiver } from '../../helpers/receiver.js'
import { startPostgres } from '../../plugins/database/postgres.js'
import { createService } from '../farm/service.js'
import type { Act, PowerCut } from './judge.js'
import { createMachine, type Machine } from './machine.js'
import { startSensors } from './sensors.js'
import type { Size } from './set-up.js'
import { KINDS, startPlug, type VirtualPlug } from './virtual-plug.js'
import { createWeekClock } from './week-clock.js'

const isCompiled = import.meta.url.endsWith('.js')
const MAIN = fileURLToPath(new URL(`./service-main.${isCompiled ? 'js' : 'ts'}`, import.meta.url))
/** A Monday. */
const BEGIN = Date.UTC(2026, 2, 2, 6)
const LOOK_EVERY_MS = 25
const SAY_EVERY_MS = 400

/** Numbers that are the same for one seed. */
export function dice (seed: number) {
  let state = seed
  return () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31
}

/** A room with printers, plugs, sensors, a broker, a database, and a service that is not started yet. */
export async function createWorld (t: Test, size: Size) {
  const random = dice(size.seed)
  const settings = { begun: Date.now(), at: BEGIN, rate: size.rate }
  const clock = createWeekClock(settings)
  const broker = await startMosquitto(t)
  const database = await startPostgres(t)
  const phone = await startReceiver(t)

  const machines: Machine[] = []
  for (let at = 0; at < size.printers; at++) {
    const machine = await createMachine({ at, ...size, random, clock })
    await machine.printer.start()
    t.teardown(() => machine.printer.stop())
    machines.push(machine)
  }
  const cuts: PowerCut[] = []
  const plugActs: Act[] = []
  const plugs: VirtualPlug[] = []
  for (const [at, machine] of machines.slice(0, size.plugs).entries()) {
    const name = `plug ${at + 1}`
    const on = machine.printer.name
    plugs.push(await startPlug({
      url: broker.url,
      name,
      kind: KINDS[at % KINDS.length] ?? 'tasmota',
      clock,
      told: isOn => { plugActs.push({ at: clock.now(), on, kind: isOn ? 'plug on' : 'plug off' }) },
      switched (isOn) {
        if (!isOn) cuts.push(machine.cut(name))
        machine.power(isOn).catch(() => {})
      }
    }))
  }
  const endSensors = await startSensors(broker.url, machines, random)

  let isMeasuring = false
  const looking = setInterval(() => {
    machines.forEach(machine => machine.look())
    if (isMeasuring) plugs.forEach((plug, at) => plug.look(machines[at]?.watts ?? 0))
  }, LOOK_EVERY_MS)
  // Printers at rest report every few seconds, in which by this clock their beds are cold.
  const saying = setInterval(() => {
    plugs.forEach(plug => plug.say())
    machines.forEach(({ printer, ledger }) => { if (!ledger.isAway) printer.patch({ wifi_signal: `-${40 + Math.floor(random() * 9)}dBm` }) })
  }, SAY_EVERY_MS)
  t.teardown(async () => {
    clearInterval(looking)
    clearInterval(saying)
    await endSensors()
    await Promise.all(plugs.map(plug => plug.end()))
  })

  const folder = testFolder(t)
  const data = join(folder, 'data')
  mkdirSync(data)
  const file = join(folder, 'week.json')
  writeFileSync(file, JSON.stringify({
    clock: settings,
    config: {
      printers: machines.map(({ printer: { name, host, serial, accessCode, ports, fingerprint } }) =>
        ({ name, host, serial, accessCode, ports, tls: { mode: 'pin', fingerprint } })),
      plugins: {
        database: { url: database.newDatabase() },
        broker: { url: broker.url },
        notify: { targets: { phone: { type: 'webhook', url: phone.url } } }
      }
    }
  }))
  const service = createService(data, file, MAIN)
  t.teardown(() => service.end('SIGTERM'))
  return {
    random,
    clock,
    broker,
    database,
    phone,
    machines,
    plugs,
    cuts,
    plugActs,
    service,
    data,
    /** From now on what the printers draw flows through the plugs, or nothing. */
    measure (on: boolean): void {
      isMeasuring = on
      if (!on) plugs.forEach(plug => plug.look(0))
    }
  }
}
export type World = Awaited<ReturnType<typeof createWorld>>
