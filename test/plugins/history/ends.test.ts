import { connectAsync } from 'mqtt'
import t, { type Test } from 'tap'
import type { PrinterConfig } from '../../../core/index.js'
import {
  createIdentity, createVirtualPrinter, type VirtualPrinter, type VirtualPrinterOptions
} from '../../../plugins/emulator/index.js'
import { DAY_MS } from '../../../plugins/history/sums.js'
import { boot, type Booted } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { printerPorts } from '../../helpers/ports.js'
import { agreed } from './agreed.js'
import { clockThatJumps } from './clock-jumps.js'
import { brief, LONG, QUICK, SHORT, type Print } from './prints.js'

// Every way in which a print can begin, end or be interrupted while the service runs: over MQTT.
// Those in which the service itself is away are in away.test.ts.

/** On a busy machine. */
const WITHIN_MS = 120_000
const LOOK_EVERY_MS = 500
const CARD = '/calibration-cube.gcode.3mf'
/** A heater that does not heat. */
const HMS = { attr: 0x03000100, code: 0x00010007 }

const NAMES = [
  'twice', 'here', 'screen', 'fault', 'power', 'dead', 'link', 'quiet', 'moved', 'swapped', 'slicer', 'cloud', 'clock'
] as const
type Name = (typeof NAMES)[number]
/** Those of which a file of the card is printed take their time. */
const SLOW: readonly Name[] = ['here', 'slicer']

/** A machine that comes back keeps its certificate. */
const DEAD = '00M00A000000001'
const identity = await createIdentity(DEAD)

const optionsOf = (name: Name): VirtualPrinterOptions => ({
  model: 'X1C',
  name,
  ...QUICK,
  ...(SLOW.includes(name) && { speed: 20, sdCard: { samples: true } }),
  ...(name === 'dead' && { serial: DEAD, identity })
})

/** A service whose clock can be set. */
async function start (t: Test) {
  let ahead = 0
  const models = await Promise.all(NAMES.map(async name => ({ ...optionsOf(name), ports: await printerPorts() })))
  const booted = await boot(t, {
    models, dependencies: { now: () => Date.now() + ahead }
  })
  return { ...booted, jump: (ms: number) => { ahead += ms } }
}

/** What one case needs of its own printer. */
function deskOf ({ kernel, http, printers }: Booted, name: Name) {
  const printer = printers.find(printer => printer.name === name) as VirtualPrinter
  const session = () => kernel.printers.get(name)
  /** Newest first, whatever the printer was called. */
  const prints = async (): Promise<Print[]> => {
    const { body } = await http('GET', '/api/history', { limit: 60 })
    return (body as { prints: Print[] }).prints.filter(({ serial }) => serial === printer.serial)
  }
  return {
    name,
    printer,
    prints,
    results: async () => (await prints()).map(brief).reverse(),
    read: async (id = '') => (await http('GET', `/api/history/${id}`)).body as Print,
    /** Waits until the newest print has this result. */
    async shows (result: string, test: (print: Print) => boolean = () => true): Promise<Print> {
      let newest: Print | undefined
      await eventually(async () => {
        newest = (await prints())[0]
        if (newest?.result === result && test(newest)) return true
        throw new Error(`${name}: ${JSON.stringify(newest)} is not ${result}`)
      }, WITHIN_MS, LOOK_EVERY_MS)
      return newest as Print
    },
    isLive: (live: boolean) => eventually(() => (session()?.live === true) === live, WITHIN_MS)
  }
}

export type Desk = ReturnType<typeof deskOf>
export type Service = Awaited<ReturnType<typeof start>>

/** The same machine after it had no power: it knows nothing of a job any more. */
async function blankTwin (t: Test, { printer, name }: Desk): Promise<VirtualPrinter> {
  await printer.stop()
  const twin = createVirtualPrinter({ ...optionsOf(name as Name), ports: printer.ports })
  t.teardown(() => twin.stop())
  await twin.start()
  return twin
}

/** The clock is that of all: its case runs after the others. */
const CASES: Readonly<Record<Exclude<Name, 'clock'>, (t: Test, desk: Desk, service: Service) => Promise<void>>> = {
  async twice (t, { printer, shows, results, read }) {
    printer.startJob(SHORT)
    const first = await shows('finished')
    t.match(first, {
      name: 'short',
      percent: 100,
      start_seen: true,
      end_seen: true,
      started_by: 'elsewhere',
      ended_by: '',
      interruptions: 0,
      unseen_s: 0,
      faults: []
    }, 'finished')
    t.ok(Number(first.ended_at) >= Number(first.started_at))
    printer.startJob(SHORT)
    const second = await shows('finished', ({ id }) => id !== first.id)
    // Of the first one it may have been agreed upon a moment later that this service records it.
    const told = (await read(second.id)).events.map(({ kind, name }) => `${kind} ${name}`)
    t.equal(told[0], 'state PREPARE', 'it begins with its preparation')
    t.notOk(told.includes('alert job_started'), 'which no alert tells of')
    t.same(await results(), ['short finished', 'short finished'], 'the same file twice in a row')
  },

  async here (t, { name, printer, shows, results }, { http, tool }) {
    const started = await http('POST', '/api/print_3mf', { printer: name, filename: CARD, platenum: 1, use_ams: true, ams_mapping: '[1]', tl: true })
    t.equal(started.status, 200, JSON.stringify(started.body))
    const first = await shows('running', print => print.started_by !== 'elsewhere')
    t.match(first, { name: 'calibration-cube', started_by: 'http (local)', ended_at: null })
    t.equal((await http('POST', '/api/stop_printing', { printer: name })).status, 200)
    t.match(await shows('cancelled', ({ ended_by: by }) => by !== 'elsewhere'),
      { id: first.id, ended_by: 'http (local)', faults: [], reported_result: 'cancelled' })
    await eventually(() => printer.report().gcode_state === 'FAILED', WITHIN_MS)
    const answer = await tool('reprint', { id: first.id, user_permission: true })
    t.notOk(answer.failed, answer.text)
    t.match(await shows('running', print => print.started_by !== 'elsewhere'), { started_by: 'mcp (local)' }, 'printed again')
    const asked = printer.requests.flatMap(({ body }) => body.command === 'project_file' ? [body] : [])
    const what = (body: Record<string, unknown> = {}) => [body.url, body.param, body.ams_mapping, body.timelapse]
    t.same(asked.map(body => what(body)), [what(asked[0]), what(asked[0])], 'with the same file, spools and options')
    t.same(asked[1]?.ams_mapping, [1])
    await tool('stop_print', { name, user_permission: true })
    t.match(await shows('cancelled', print => print.ended_by !== 'elsewhere'), { ended_by: 'mcp (local)' })
    t.equal((await http('DELETE', '/api/delete_sdcard_file', { printer: name, file: CARD })).status, 200)
    const gone = await http('POST', `/api/history/${first.id}/reprint`)
    t.match(gone, { status: 409, body: { reason: /not on the card of 'here' as it was sent, and no copy is kept\. Upload it/ } })
    t.equal((await http('POST', '/api/history/none/reprint')).status, 404)
    t.same(await results(), ['calibration-cube cancelled', 'calibration-cube cancelled'])
  },

  async screen (t, { printer, shows, results }) {
    printer.startJob(LONG)
    await shows('running', ({ state }) => state !== 'none')
    printer.stopJob()
    t.match(await shows('cancelled'), { ended_by: 'elsewhere', faults: [], end_seen: true })
    t.same(await results(), ['long cancelled'])
  },

  async fault (t, { printer, shows, results }) {
    printer.startJob({ ...LONG, minutes: 60, typeOfEnd: 'fail' })
    printer.faults.flapHms(HMS, DAY_MS)
    const failed = await shows('failed')
    t.match(failed, { ended_by: '', end_seen: true })
    const texts = (failed.faults as { code: string, text: string }[]).map(({ code, text }) => `${code}: ${text}`)
    t.ok(texts.some(text => /0300-0100-0001-0007: .{10}/.test(text.replaceAll('_', '-'))), texts.join('; '))
    t.ok(failed.percent < 100)
    t.same(await results(), ['long failed'])
  },

  async power (t, { printer, shows, results, isLive }) {
    printer.startJob(LONG)
    const { id } = await shows('running')
    await printer.stop()
    await isLive(false)
    printer.patch({ gcode_state: 'IDLE' })
    await printer.start()
    t.match(await shows('unknown'), { id, end_seen: false }, 'the printer shows nothing of it')
    printer.patch({ gcode_state: 'RUNNING' })
    const resumed = await shows('running')
    t.match(resumed, { id, interruptions: 1, ended_at: null }, 'somebody says that it shall go on')
    printer.stopJob()
    printer.patch({ gcode_state: 'FAILED' })
    await shows('cancelled')
    t.same(await results(), ['long cancelled'], 'one print')
  },

  async dead (t, desk) {
    desk.printer.startJob(LONG)
    await desk.shows('running')
    const twin = await blankTwin(t, desk)
    t.match(await desk.shows('unknown'), { end_seen: false, ended_by: '' }, 'no power, and nobody says that it shall go on')
    twin.startJob(SHORT)
    await desk.shows('finished')
    t.same(await desk.results(), ['long unknown', 'short finished'])
  },

  async link (t, { printer, shows, results, isLive }) {
    printer.startJob(LONG)
    const { id } = await shows('running')
    const lift = printer.faults.refuseConnections()
    printer.faults.drop()
    await isLive(false)
    lift()
    await isLive(true)
    printer.stopJob()
    const ended = await shows('cancelled')
    t.match(ended, { id, end_seen: true, interruptions: 0 })
    t.ok(Number(ended.unseen_s) > 0, 'the time without a connection is counted apart')
    t.same(await results(), ['long cancelled'])
  },

  async quiet (t, { printer, shows, results, isLive }) {
    printer.startJob(LONG)
    await shows('running')
    const lift = printer.faults.refuseConnections()
    printer.faults.drop()
    await isLive(false)
    printer.stopJob()
    lift()
    t.match(await shows('cancelled'), { end_seen: false, ended_by: 'elsewhere' }, 'it ended without a connection')
    t.same(await results(), ['long cancelled'])
  },

  async moved (t, { name, printer, shows, results }, { kernel }) {
    printer.startJob(LONG)
    const { id } = await shows('running')
    const config = kernel.printers.config(name) as PrinterConfig
    await kernel.printers.remove(name)
    t.match(await shows('unknown'), { id, end_seen: false }, 'removed')
    await kernel.printers.add({ ...config, name: 'renamed', host: 'localhost' })
    t.match(await shows('running'), { id, printer: 'renamed' }, 'another name and another address')
    printer.stopJob()
    await shows('cancelled')
    t.same(await results(), ['long cancelled'])
  },

  async swapped (t, { name, printer, shows, results, isLive }, { kernel, http }) {
    printer.startJob(LONG)
    await shows('running')
    const config = kernel.printers.config(name) as PrinterConfig
    await kernel.printers.remove(name)
    const other = createVirtualPrinter({ ...optionsOf('swapped'), serial: '00M00A123456789' })
    t.teardown(() => other.stop())
    await other.start()
    await kernel.printers.add({
      ...config,
      serial: other.serial,
      ports: { ...config.ports, ...other.ports },
      tls: { mode: 'pin', fingerprint: other.fingerprint }
    })
    await isLive(true)
    other.startJob(SHORT)
    const bySerial = async () => (await http('GET', '/api/history', { printer_name: name })).body as { prints: Print[] }
    await eventually(async () => (await bySerial()).prints.some(print => print.serial === other.serial && print.result === 'finished'), WITHIN_MS)
    t.same(await results(), ['long unknown'], 'another machine under this name has a record of its own')
  },

  async slicer (t, { printer, shows, results }) {
    const client = await connectAsync(`mqtts://${printer.host}:${printer.ports.mqtt}`, {
      username: 'bblp', password: printer.accessCode, rejectUnauthorized: false
    })
    t.teardown(() => client.endAsync(true))
    await client.publishAsync(`device/${printer.serial}/request`, JSON.stringify({
      print: {
        command: 'project_file',
        sequence_id: '20001',
        param: 'Metadata/plate_1.gcode',
        url: `ftp://${CARD}`,
        subtask_name: 'calibration-cube',
        use_ams: false,
        task_id: '77',
        subtask_id: '77'
      }
    }))
    t.match(await shows('running'), { name: 'calibration-cube', started_by: 'elsewhere', task_id: '77', start_seen: true })
    await client.publishAsync(`device/${printer.serial}/request`, JSON.stringify({
      print: { command: 'stop', sequence_id: '20002', param: '' }
    }))
    t.match(await shows('cancelled'), { ended_by: 'elsewhere' })
    t.same(await results(), ['calibration-cube cancelled'])
  },

  async cloud (t, { printer, shows, results }) {
    printer.startJob(LONG)
    printer.patch({ print_type: 'cloud' })
    t.match(await shows('running'), { started_by: 'elsewhere', start_seen: true })
    printer.stopJob()
    t.match(await shows('cancelled'), { ended_by: 'elsewhere', print_type: 'cloud' })
    t.same(await results(), ['long cancelled'])
  }
}

/** At once, each with a printer of its own. */
t.test('ways in which a print ends', async t => {
  const service = await start(t)
  await agreed(service)
  t.jobs = NAMES.length
  for (const isSlow of [false, true]) {
    const round = NAMES.filter(name => name !== 'clock').filter(name => SLOW.includes(name) === isSlow)
    await Promise.all(round.map(name =>
      t.test(name, { buffered: true }, t => CASES[name](t, deskOf(service, name), service))))
  }
  await t.test('clock', t => clockThatJumps(t, deskOf(service, 'clock'), service))
})
