// A hub with 2,000 printers, which are simulated at the sessions of a node.
import { ask, startDaemon, startHelper, usageOf } from '../processes.js'
import { median, type Row } from '../row.js'
import { complete, nap, startServer } from './nats.js'

const COUNT = 2_000
/** Beyond it a single process that simulates all of them is the limit, not what is measured. */
const CHANGE_MS = 4_000
const HUB_PORT = 31_262
const SETTLE_MS = 5_000
const MEASURE_MS = 25_000
const STARTS = 3

export async function simulated (): Promise<Row[]> {
  const server = await startServer()
  const many = await startHelper<{ pid: number }>('fleet-figures/simulated-node', [server.url, COUNT, CHANGE_MS].map(String))
  const startHub = () => startDaemon({ plugins: { fleet: { servers: [server.url] } } }, HUB_PORT, 'hub')
  let hub = await startHub()
  await complete(hub.url, COUNT)
  const starts: number[] = []
  for (let at = 0; at < STARTS; at++) {
    await hub.stop()
    hub = await startHub()
    starts.push(hub.startedInMs + await complete(hub.url, COUNT))
  }
  await nap(SETTLE_MS)
  const [before, hubBefore, manyBefore] = [await server.count(), usageOf(hub.pid), usageOf(many.hello.pid)]
  await nap(MEASURE_MS)
  const [after, hubAfter, manyAfter] = [await server.count(), usageOf(hub.pid), usageOf(many.hello.pid)]
  const waiting = await ask<number>(many.child, 'waiting')
  await hub.stop()
  await many.stop()
  await server.stop()
  const seconds = (after.at - before.at) / 1000
  const share = (one: { cpuMs: number }, other: { cpuMs: number }) => (other.cpuMs - one.cpuMs) / 10 / seconds
  const told = (after.messages - before.messages) / seconds
  return [
    { name: `start of a hub until it shows ${COUNT}`, ours: median(starts) / 1000, unit: 's' },
    { name: `memory of a hub with ${COUNT}`, ours: hubAfter.residentMb, unit: 'MB' },
    { name: 'messages to NATS', ours: told, unit: '/s', note: `${waiting} states waited at the end` },
    { name: 'bytes of a message', ours: (after.bytes - before.bytes) / (after.messages - before.messages) / 1024, unit: 'KiB' },
    { name: `CPU of the hub, a change every ${CHANGE_MS / 1000} s`, ours: share(hubBefore, hubAfter), unit: '%' },
    { name: 'CPU of NATS', ours: share(before, after), unit: '%' },
    { name: 'CPU of the process that simulates', ours: share(manyBefore, manyAfter), unit: '%' }
  ]
}
