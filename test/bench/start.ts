import { spawn } from 'node:child_process'
import { startDaemon, startHelper } from './processes.js'
import { median, type Row } from './row.js'

const PORT = 47_812
const RUNS = 5

/** ms until the bare framework serves one route, in a process of its own. */
async function bareStart (): Promise<number> {
  const born = performance.now()
  const script = `import('fastify').then(async ({ default: fastify }) => {
    const app = fastify(); app.get('/', () => 'x'); await app.listen({ port: 0 }); process.stdout.write('up') })`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise(resolve => child.stdout.once('data', resolve))
  const took = performance.now() - born
  child.kill()
  return took
}

async function startTimes (printers: object[]): Promise<{ start: number, stop: number }> {
  const starts: number[] = []
  const stops: number[] = []
  for (let run = 0; run < RUNS; run++) {
    const daemon = await startDaemon({ printers }, PORT)
    starts.push(daemon.startedInMs)
    stops.push(await daemon.stop())
  }
  return { start: median(starts), stop: median(stops) }
}

/** A printer nobody answers for, so that no virtual one takes its place. */
const OFF = { name: 'off', host: '127.0.0.1', serial: '01P00A000000000', accessCode: '12345678', ports: { mqtt: 9 } }

export async function start (): Promise<Row[]> {
  const bare: number[] = []
  for (let run = 0; run < RUNS; run++) bare.push(await bareStart())
  const none = await startTimes([OFF])
  const fleet = await startHelper<{ printers: object[] }>('virtual-fleet', ['100', 'idle'])
  const hundred = await startTimes(fleet.hello.printers)
  await fleet.stop()
  return [
    { name: 'start to first answer, no live printer', ours: none.start / 1000, unit: 's', bar: { atMost: 1 }, note: `bare framework: ${(median(bare) / 1000).toFixed(2)} s` },
    { name: 'start to first answer, 100 printers', ours: hundred.start / 1000, unit: 's', bar: { atMost: 2.5 } },
    { name: 'SIGTERM to exit, 100 printers', ours: hundred.stop / 1000, unit: 's', bar: { atMost: 2 } }
  ]
}
