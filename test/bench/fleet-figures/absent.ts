// A service that is in no fleet: with the plugin left out, with it and nothing configured, and in a fleet, in turn.
import { startDaemon, usageOf } from '../processes.js'
import { median, type Row } from '../row.js'
import { nap, startServer } from './nats.js'

const PORT = 31_260
const ROUNDS = 7
const SETTLE_MS = 2_500

/** A printer nobody answers for, so that no virtual one takes its place. */
const OFF = { name: 'off', host: '127.0.0.1', serial: '01P00A000000000', accessCode: '12345678', ports: { mqtt: 9 } }

export async function absent (): Promise<Row[]> {
  const server = await startServer()
  const kinds = [
    { name: 'plugin left out', plugins: { fleet: false } },
    { name: 'no fleet configured', plugins: {} },
    { name: 'in a fleet', plugins: { fleet: { servers: [server.url], site: 'hall', node: 'a' } } }
  ].map(kind => ({ ...kind, starts: [] as number[], memory: [] as number[] }))
  for (let round = 0; round < ROUNDS; round++) {
    for (const { plugins, starts, memory } of kinds) {
      const daemon = await startDaemon({ printers: [OFF], plugins }, PORT)
      starts.push(daemon.startedInMs)
      await nap(SETTLE_MS)
      memory.push(usageOf(daemon.pid).residentMb)
      await daemon.stop()
    }
  }
  await server.stop()
  const [out] = kinds
  return kinds.flatMap(({ name, starts, memory }) => [
    { name: `${name}: start to first answer`, ours: median(starts), baseline: median(out?.starts ?? []), unit: 'ms' },
    { name: `${name}: resident memory`, ours: median(memory), baseline: median(out?.memory ?? []), unit: 'MB' }
  ])
}
