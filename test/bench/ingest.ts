import { Duplex } from 'node:stream'
import { createRequire } from 'node:module'
import { MqttClient } from 'mqtt'
import { pino } from 'pino'
import { createEmitter, type Emitter } from '../../core/util/emitter.js'
import { createPluginFaults } from '../../core/kernel/plugin-faults.js'
import { createProtocolWarnings } from '../../core/printer/mqtt/protocol-warnings.js'
import { resolveModel } from '../../core/printer/models.js'
import { createPendingCommands } from '../../core/printer/mqtt/pending-commands.js'
import { createReportHandler } from '../../core/printer/report/report-handler.js'
import { createReportStore } from '../../core/printer/report/report-store.js'
import type { PrinterSession, SessionEvents } from '../../core/printer/types.js'
import { createEngine } from '../../plugins/alerts/engine.js'
import { createHmsCatalogue } from '../../core/printer/hms/index.js'
import { rules } from '../../plugins/alerts/rules/index.js'
import { COLLECTIONS } from '../../plugins/telemetry/collections.js'
import { createStore } from '../../plugins/telemetry/store.js'
import { createRecorder } from '../../plugins/history/recorder.js'
import { createVirtualPrinter } from '../../plugins/emulator/index.js'
import { median, type Row } from './row.js'

const { generate } = createRequire(createRequire(import.meta.url).resolve('mqtt'))('mqtt-packet') as
  { generate (packet: object): Buffer }

const SERIAL = '09400A000000001'
const TOPIC = `device/${SERIAL}/report`
const log = pino({ level: 'silent' })

/** A client that believes to be connected to a stream which we write into. */
async function connectedClient (): Promise<{ client: MqttClient, feed: (chunk: Buffer) => void }> {
  const stream = new Duplex({ read () {}, write (_chunk, _encoding, done) { done() } })
  const client = new MqttClient(() => stream as never, { reconnectPeriod: 0, keepalive: 0, clientId: 'bench', queueQoSZero: false })
  const connected = new Promise(resolve => client.once('connect', resolve))
  stream.push(generate({ cmd: 'connack', returnCode: 0, sessionPresent: false }))
  await connected
  return { client, feed: chunk => { stream.push(chunk) } }
}

/** µs of CPU for each message, delivered by the library and handled by `handle`. */
async function measure (messages: readonly Buffer[], handle: (payload: Buffer) => void): Promise<number> {
  const { client, feed } = await connectedClient()
  const packets = messages.map(payload => generate({ cmd: 'publish', topic: TOPIC, payload, qos: 0 }))
  let seen = 0
  const all = new Promise<void>(resolve => {
    client.handleMessage = (packet, done) => {
      handle(packet.payload as Buffer)
      if (++seen === messages.length) resolve()
      done()
    }
  })
  const before = process.cpuUsage()
  for (const packet of packets) feed(packet)
  await all
  const { user, system } = process.cpuUsage(before)
  client.end(true)
  return (user + system) / messages.length
}

/** The record of prints on the path of a report: what it writes, it writes later. */
function follow (events: Emitter<SessionEvents>): void {
  const recorder = createRecorder({
    newest: {},
    shown: {},
    persistShown () {},
    starts: {},
    persistStarts () {},
    endedUnseen () {},
    persist: async () => {},
    save () {},
    learn: async () => undefined,
    faultsOf: () => [],
    announce () {},
    now: Date.now,
    steady: () => performance.now() / 1000
  })
  recorder.watch({
    name: 'bench', config: { serial: SERIAL }, model: resolveModel(SERIAL), service: 'CONNECTED', events
  } as unknown as PrinterSession)
}

/** Everything a report goes through in the daemon. */
function pipeline (withHistory = false): (payload: Buffer) => void {
  const events = createEmitter<SessionEvents>()
  const protocolWarnings = createProtocolWarnings(log, Date.now)
  const reports = createReportStore(resolveModel(SERIAL), kind => protocolWarnings.add(kind))
  const receiver = createReportHandler({
    reports,
    pending: createPendingCommands(),
    protocolWarnings,
    events,
    now: Date.now,
    log,
    wire: () => undefined,
    onMessage () {},
    onReport () {},
    onModules () {},
    onIncomplete () {}
  })
  const pluginFaults = createPluginFaults({ outside: new Set(), now: Date.now, log })
  const store = createStore({ collections: COLLECTIONS, health: () => [], now: Date.now, pluginFaults })
  const engine = createEngine({
    rules,
    originOf: () => 'alerts',
    faults: createHmsCatalogue(),
    pluginFaults,
    now: Date.now,
    steady: () => performance.now(),
    raise () {}
  })
  events.on('state', state => {
    store.record('bench', state)
    engine.see('bench', state)
  })
  if (withHistory) follow(events)
  return receiver.receive
}

type Report = { print: Record<string, any> }

/** A full report of a dual printer with several AMS units, some 10 to 11 kB. */
function fullReport (units: number): Report {
  const kinds = ['AMS_2_PRO', 'AMS_HT', 'AMS', 'AMS'] as const
  const printer = createVirtualPrinter({ model: 'H2D', ams: kinds.slice(0, units) })
  return { print: printer.report() }
}

const encode = (report: unknown) => Buffer.from(JSON.stringify(report))

/** The same report with the values moved that move in a printing printer. */
const moving = (base: Report, count: number): Buffer[] => Array.from({ length: count }, (_, at) => encode({
  print: {
    ...base.print,
    mc_percent: at % 100,
    layer_num: at % 300,
    bed_temper: 60 + at % 7 / 10,
    wifi_signal: `-${40 + at % 9}dBm`,
    device: {
      ...base.print.device,
      extruder: {
        ...base.print.device.extruder,
        info: base.print.device.extruder.info.map((info: object) => ({ ...info, temp: (220 << 16) + 218 + at % 4 }))
      }
    }
  }
}))

const delta = (count: number): Buffer[] => Array.from({ length: count }, (_, at) => encode({
  print: {
    command: 'push_status',
    msg: 1,
    sequence_id: String(at),
    nozzle_temper: 219 + at % 10 / 10,
    bed_temper: 60 + at % 7 / 10,
    mc_percent: at % 100,
    mc_remaining_time: 90 - at % 60,
    layer_num: at % 300,
    wifi_signal: `-${40 + at % 9}dBm`,
    cooling_fan_speed: String(at % 16),
    fan_gear: at % 65_536,
    ams: { tray_now: String(at % 4) }
  }
}))

const RUNS = 5
const MESSAGES = 3_000
/** Of the comparison with history. */
const TURNS = 21

async function best (messages: readonly Buffer[], handler: () => (payload: Buffer) => void): Promise<number> {
  const runs: number[] = []
  for (let run = 0; run < RUNS; run++) runs.push(await measure(messages, handler()))
  return median(runs)
}

/** With and without history in turn, so that a busy machine weighs on both alike. */
async function historyRow (name: string, first: Report, messages: readonly Buffer[]): Promise<Row> {
  const runs = { with: [] as number[], without: [] as number[] }
  for (let run = 0; run < TURNS; run++) {
    for (const which of run % 2 === 0 ? ['with', 'without'] as const : ['without', 'with'] as const) {
      const handle = pipeline(which === 'with')
      handle(encode(first))
      runs[which].push(await measure(messages, handle))
    }
  }
  const ratios = runs.with.map((took, run) => took / (runs.without[run] ?? NaN))
  const ours = median(runs.without) * median(ratios)
  return {
    name: `ingest, ${name} with history`,
    ours,
    baseline: median(runs.without),
    unit: 'µs',
    bar: { atMost: 1.03 },
    note: 'against the same without; median of the ratios of neighbouring runs'
  }
}

const bare = () => (payload: Buffer) => { JSON.parse(payload.toString()) }

export async function ingest (): Promise<Row[]> {
  const large = fullReport(4)
  const small = fullReport(1)
  const job = { gcode_state: 'RUNNING', subtask_name: 'cube', task_id: '7', subtask_id: '7' }
  const printing = { print: { ...large.print, ...job } }
  const full = moving(large, MESSAGES)
  const bytes = full[0]?.length ?? 0
  const deltas = delta(MESSAGES)
  const primed = (first: Report) => () => {
    const handle = pipeline()
    handle(encode(first))
    return handle
  }
  await best(full.slice(0, 500), primed(large)) // warms the compiler up
  const fullOurs = await best(full, primed(large))
  const fullBare = await best(full, bare)
  const deltaLarge = await best(deltas, primed(large))
  const deltaSmall = await best(deltas, primed(small))
  const deltaBare = await best(deltas, bare)
  return [
    { name: `ingest, full report of ${bytes} B`, ours: fullOurs, baseline: fullBare, unit: 'µs', bar: { atMost: 2.5 }, note: 'parse, merge, decode, history, alerts against delivery and JSON.parse' },
    { name: `ingest, delta of ${deltas[0]?.length} B`, ours: deltaLarge - deltaBare, unit: 'µs', bar: { atMost: 40 }, note: 'above delivery and JSON.parse, on the large state' },
    { name: 'ingest, delta on large against small state', ours: deltaLarge, baseline: deltaSmall, unit: 'µs', bar: { atMost: 1.5 }, note: 'cost does not grow with what did not change' },
    await historyRow('full reports', printing, moving(printing, MESSAGES)),
    await historyRow('deltas', printing, deltas)
  ]
}
