import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectAsync } from 'mqtt'
import { startDaemon, startHelper, usageOf } from './processes.js'
import type { Row } from './row.js'

const PORT = 47_814
const BROKER_PORT = 47_815
const COUNT = 100
const SETTLE_MS = 10_000
const MEASURE_MS = 20_000

const nap = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

async function startBroker () {
  const folder = await mkdtemp(join(tmpdir(), 'prnd-bench-'))
  const config = join(folder, 'mosquitto.conf')
  await writeFile(config, `listener ${BROKER_PORT} 127.0.0.1\nallow_anonymous true\npersistence false\n`)
  const child = spawn('mosquitto', ['-c', config], { stdio: 'ignore' })
  await nap(500)
  return {
    url: `mqtt://127.0.0.1:${BROKER_PORT}`,
    async stop () {
      child.kill()
      await rm(folder, { recursive: true, force: true })
    }
  }
}

/** % of one core that the service needs. @param options of the plugin */
async function measure (printers: readonly object[], options: object) {
  const daemon = await startDaemon({ printers, plugins: { homeassistant: options } }, PORT)
  await nap(SETTLE_MS)
  const before = usageOf(daemon.pid)
  const begin = performance.now()
  await nap(MEASURE_MS)
  const seconds = (performance.now() - begin) / 1000
  const after = usageOf(daemon.pid)
  await daemon.stop()
  return { percent: (after.cpuMs - before.cpuMs) / 10 / seconds, mb: after.residentMb }
}

/** What a hundred printing printers cost as devices of Home Assistant, beside a service that does without. */
export async function homeassistant (): Promise<Row[]> {
  const fleet = await startHelper<{ printers: object[] }>('virtual-fleet', [String(COUNT), 'printing'])
  const broker = await startBroker()
  const client = await connectAsync(broker.url)
  const counts = { discovery: 0, discoveryBytes: 0, state: 0, stateBytes: 0 }
  client.on('message', (topic, payload) => {
    const kind = topic.endsWith('/config') ? 'discovery' : topic.endsWith('/state') ? 'state' : undefined
    if (kind === undefined) return
    counts[kind]++
    counts[`${kind}Bytes`] += payload.length
  })
  await client.subscribeAsync('#')
  const without = await measure(fleet.hello.printers, {})
  const begin = performance.now()
  const ours = await measure(fleet.hello.printers, { broker: broker.url })
  const seconds = (performance.now() - begin) / 1000
  await client.endAsync(true)
  await broker.stop()
  await fleet.stop()
  const what = `${COUNT} virtual printers printing, Home Assistant`
  const kB = (bytes: number, count: number) => `${(bytes / 1000 / Math.max(1, count)).toFixed(1)} kB each`
  return [
    { name: `${what}: CPU of one core`, ours: ours.percent, baseline: without.percent, unit: '%' },
    { name: `${what}: resident memory`, ours: ours.mb, baseline: without.mb, unit: 'MB' },
    {
      name: `${what}: states`,
      ours: counts.state / seconds,
      unit: 'messages/s',
      bar: { atMost: COUNT },
      note: kB(counts.stateBytes, counts.state)
    },
    { name: `${what}: discoveries in all`, ours: counts.discovery, unit: 'messages', note: kB(counts.discoveryBytes, counts.discovery) }
  ]
}
