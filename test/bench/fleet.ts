import { startDaemon, startHelper, usageOf } from './processes.js'
import type { Row } from './row.js'

const PORT = 47_813
const SETTLE_MS = 8_000
const MEASURE_MS = 20_000
const READ_EVERY_MS = 50

const nap = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** Reads one printer after another at a steady pace. @returns latencies in ms */
async function readSteadily (url: string, names: readonly string[], forMs: number): Promise<number[]> {
  const latencies: number[] = []
  const end = performance.now() + forMs
  for (let at = 0; performance.now() < end; at++) {
    const begin = performance.now()
    const reply = await fetch(`${url}/api/printer?printer=${names[at % names.length]}`)
    await reply.arrayBuffer()
    latencies.push(performance.now() - begin)
    await nap(Math.max(0, READ_EVERY_MS - (performance.now() - begin)))
  }
  return latencies
}

const percentile = (values: readonly number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? NaN

async function measure (count: number): Promise<Row[]> {
  const fleet = await startHelper<{ printers: { name: string }[] }>('virtual-fleet', [String(count), 'printing'])
  const daemon = await startDaemon({ printers: fleet.hello.printers }, PORT)
  await nap(SETTLE_MS)
  const before = usageOf(daemon.pid)
  const begin = performance.now()
  const latencies = await readSteadily(daemon.url, fleet.hello.printers.map(({ name }) => name), MEASURE_MS)
  const seconds = (performance.now() - begin) / 1000
  const after = usageOf(daemon.pid)
  const list = await (await fetch(`${daemon.url}/api/printers`)).json() as { printers: { connected: boolean }[] }
  const connected = list.printers.filter(printer => printer.connected).length
  await daemon.stop()
  await fleet.stop()
  const bar = (atMost: number) => count === 100 ? { bar: { atMost } } : {}
  const what = `${count} virtual printer${count === 1 ? '' : 's'} printing`
  return [
    { name: `${what}: CPU of one core`, ours: (after.cpuMs - before.cpuMs) / 10 / seconds, unit: '%', ...bar(25), note: `${connected} connected` },
    { name: `${what}: resident memory`, ours: after.residentMb, unit: 'MB', ...bar(250) },
    { name: `${what}: GET /api/printer, p99`, ours: percentile(latencies, 0.99), unit: 'ms', ...bar(20), note: `median ${percentile(latencies, 0.5).toFixed(1)} ms` }
  ]
}

export async function fleet (counts: readonly number[] = [1, 10, 100]): Promise<Row[]> {
  const rows: Row[] = []
  for (const count of counts) rows.push(...await measure(count))
  return rows
}
