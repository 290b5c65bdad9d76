import { Client } from 'basic-ftp'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { connectAsync, type MqttClient } from 'mqtt'
import { startDaemon, startHelper, usageOf } from './processes.js'
import { median, type Row } from './row.js'

const PORT = 47_830
const PORTS = { mqtt: 47_831, ftps: 47_832, camera: 47_833 }
const CODE = 'bench-code-1'
const ROUNDS = 200
const MANY = 50
const UPLOAD_BYTES = 200 * 1024 ** 2
const UPLOADS = 3
const WITHIN_MS = 5_000

const nap = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

interface Printer {
  readonly serial: string
  readonly accessCode: string
  readonly ports: { readonly mqtt: number, readonly ftps: number }
}

/** A client by another library, and what it can wait for. */
async function connectClient (serial: string, port: number, password: string) {
  const client: MqttClient = await connectAsync(`mqtts://127.0.0.1:${port}`,
    { username: 'bblp', password, rejectUnauthorized: false, protocolVersion: 4 })
  const waiting = new Set<{ text: string, done: (at: number) => void }>()
  client.on('message', (_topic, bytes) => {
    const at = performance.now()
    for (const one of waiting) {
      if (!bytes.includes(one.text)) continue
      waiting.delete(one)
      one.done(at)
    }
  })
  await client.subscribeAsync(`device/${serial}/report`)
  return {
    client,
    /** When a message with this text came, ms of the steady clock. */
    seen: (text: string): Promise<number> => new Promise((resolve, reject) => {
      const one = { text, done: resolve }
      waiting.add(one)
      const give = () => { if (waiting.delete(one)) reject(new Error(`no message with ${text}`)) }
      setTimeout(give, WITHIN_MS).unref()
    }),
    ask: (request: object) => client.publishAsync(`device/${serial}/request`, JSON.stringify(request))
  }
}
type BenchClient = Awaited<ReturnType<typeof connectClient>>

const p99 = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? NaN

/** ms from a command to the printer's reply. */
async function roundTrip ({ seen, ask }: BenchClient, id: string): Promise<number> {
  const reply = seen(`"sequence_id":"${id}"`)
  const begun = performance.now()
  await ask({ system: { command: 'ledctrl', led_node: 'chamber_light', led_mode: 'on', sequence_id: id } })
  return await reply - begun
}

/** MB/s of one upload. */
async function upload (port: number, password: string): Promise<number> {
  const client = new Client(60_000)
  try {
    await client.access({
      host: '127.0.0.1', port, user: 'bblp', password, secure: 'implicit', secureOptions: { rejectUnauthorized: false }
    })
    const chunk = Buffer.alloc(1024 ** 2, 7)
    const begun = performance.now()
    await client.uploadFrom(Readable.from(Array.from({ length: UPLOAD_BYTES / chunk.length }, () => chunk)), '/bench.bin')
    return UPLOAD_BYTES / 1e6 / ((performance.now() - begun) / 1000)
  } finally {
    client.close()
  }
}

/** What the relay adds to what passes through it, beside the same printer without it. */
export async function relay (): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'prnd-bench-'))
  await writeFile(join(folder, 'code'), CODE)
  const printer = await startHelper<Printer>('relay-printer', [])
  const { serial, accessCode, ports } = printer.hello
  const daemon = await startDaemon({
    printers: [printer.hello],
    plugins: {
      relay: {
        bind: '127.0.0.1',
        announce: false,
        connectionsPerClient: MANY + 2,
        printers: [{ printer: 'bench', ports: PORTS }],
        clients: [{ name: 'Bench', code: { file: join(folder, 'code') }, access: 'full' }]
      }
    }
  }, PORT)
  await nap(3_000)
  const direct = await connectClient(serial, ports.mqtt, accessCode)
  const through = await connectClient(serial, PORTS.mqtt, CODE)
  await nap(500)

  const added: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const text = `"wifi_signal":"-${1000 + round}dBm"`
    const both = Promise.all([direct.seen(text), through.seen(text)])
    printer.child.send({ wifi_signal: `-${1000 + round}dBm` })
    const [at, later] = await both
    added.push(later - at)
  }
  const commands = { direct: [] as number[], through: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    commands.direct.push(await roundTrip(direct, `${100_000 + round}`))
    commands.through.push(await roundTrip(through, `${200_000 + round}`))
    await nap(60) // the relay takes 20 commands a second of one client
  }
  const rates = { direct: [] as number[], through: [] as number[] }
  for (let round = 0; round < UPLOADS; round++) {
    rates.direct.push(await upload(ports.ftps, accessCode))
    rates.through.push(await upload(PORTS.ftps, CODE))
  }

  const many = await Promise.all(Array.from({ length: MANY }, () => connectClient(serial, PORTS.mqtt, CODE)))
  await nap(1_000)
  const before = usageOf(daemon.pid)
  const begun = performance.now()
  const last: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const text = `"wifi_signal":"-${2000 + round}dBm"`
    const all = Promise.all(many.map(({ seen }) => seen(text)))
    const at = direct.seen(text)
    printer.child.send({ wifi_signal: `-${2000 + round}dBm` })
    last.push(Math.max(...await all) - await at)
  }
  const cpu = usageOf(daemon.pid).cpuMs - before.cpuMs
  const seconds = (performance.now() - begun) / 1000
  await Promise.all([direct, through, ...many].map(({ client }) => client.endAsync(true)))
  await daemon.stop()
  await printer.stop()
  await rm(folder, { recursive: true, force: true })
  return [
    { name: 'relay: a report comes later by, median', ours: median(added), unit: 'ms', note: `p99 ${p99(added).toFixed(2)}` },
    {
      name: 'relay: command to the reply, median',
      ours: median(commands.through),
      baseline: median(commands.direct),
      unit: 'ms',
      note: `p99 ${p99(commands.through).toFixed(2)} / ${p99(commands.direct).toFixed(2)}`
    },
    { name: 'relay: upload of 200 MiB', ours: median(rates.through), baseline: median(rates.direct), unit: 'MB/s' },
    {
      name: `relay: a report at the last of ${MANY} clients later by, median`,
      ours: median(last),
      unit: 'ms',
      note: `p99 ${p99(last).toFixed(2)}; ${(cpu / 10 / seconds).toFixed(0)} % of a core at ${(ROUNDS / seconds).toFixed(0)} reports/s`
    }
  ]
}
