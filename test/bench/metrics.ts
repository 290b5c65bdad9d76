import { startDaemon, startHelper } from './processes.js'
import type { Row } from './row.js'

const PORT = 47_816
const COUNT = 100
const TIMES = 20
const FIRST_REPORTS_MS = 60_000

const nap = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN

/** What one look of Prometheus at a hundred printing printers costs. */
export async function metrics (): Promise<Row[]> {
  const fleet = await startHelper<{ printers: object[] }>('virtual-fleet', [String(COUNT), 'printing'])
  const daemon = await startDaemon({ printers: fleet.hello.printers }, PORT)
  const look = async () => await (await fetch(`http://127.0.0.1:${PORT}/metrics`)).text()
  const reachable = (text: string) => text.match(/^prnd_printer_up\{.*\} 1$/gm)?.length ?? 0
  const until = performance.now() + FIRST_REPORTS_MS
  while (reachable(await look()) < COUNT && performance.now() < until) await nap(500)
  const took: number[] = []
  for (let at = 0; at < TIMES; at++) {
    const begin = performance.now()
    await look()
    took.push(performance.now() - begin)
  }
  const text = await look()
  await daemon.stop()
  await fleet.stop()
  const series = text.split('\n').filter(line => line.startsWith('prnd_') && line.includes('printer=')).length
  return [
    { name: `a look at ${reachable(text)} printers`, ours: median(took), unit: 'ms', bar: { atMost: 250 } },
    { name: 'lines of printers in it', ours: series, unit: 'lines', bar: { atMost: 10_000 } },
    { name: 'size of it', ours: text.length / 1024, unit: 'KiB' }
  ]
}
