// What a fleet costs: 300 virtual printers that print, a node, a hub, and NATS on this machine without TLS.
import WebSocket from 'ws'
import { ask, startDaemon, startHelper, usageOf, type DaemonProcess } from '../processes.js'
import { median, type Row } from '../row.js'
import { complete, nap, percentile, startServer } from './nats.js'

const COUNT = 300
const NODE_PORT = 31_260
const HUB_PORT = 31_262
const SETTLE_MS = 8_000
const MEASURE_MS = 25_000
const ROUNDS = 25
const EACH_ROUND = 12
/** Values are told once a second: so each change meets that second at another point. */
const ROUND_MS = 1_700
const COMMANDS = 60
const STARTS = 3
const FIRST_SIGNAL = 1_000

interface Seen { readonly printer: string, readonly signal: string }

/** Calls back for each state that a service sends by its WebSocket. */
async function follow ({ url }: DaemonProcess, seen: (one: Seen) => void): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/live?topics=state`)
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  return socket.on('message', data => {
    const text = String(data)
    const signal = /"wifi_signal_strength":"([^"]*)"/.exec(text)?.[1]
    const printer = /"printer":"([^"]*)"/.exec(text)?.[1]
    if (signal !== undefined && printer !== undefined) seen({ printer, signal })
  })
}

/** ms from a report of a printer until each of the services has sent it on. */
async function delays (printers: Awaited<ReturnType<typeof startPrinters>>, services: readonly DaemonProcess[]) {
  const reportedAt = new Map<string, number>()
  const found = services.map((): number[] => [])
  const sockets = await Promise.all(services.map((service, at) => {
    const known = new Set<string>()
    return follow(service, ({ printer, signal }) => {
      const key = `${printer} ${signal}`
      const since = reportedAt.get(key)
      if (since === undefined || known.has(key)) return
      known.add(key)
      found[at]?.push(Date.now() - since)
    })
  }))
  for (let round = 0; round < ROUNDS; round++) {
    for (let nth = 0; nth < EACH_ROUND; nth++) {
      const at = (round * EACH_ROUND + nth) % COUNT
      const signal = `-${FIRST_SIGNAL + round}dBm`
      const reported = await ask<number>(printers.child, { at, fields: { wifi_signal: signal } })
      reportedAt.set(`${printers.hello.printers[at]?.name} ${signal}`, reported)
    }
    await nap(ROUND_MS)
  }
  await nap(SETTLE_MS)
  for (const socket of sockets) socket.close()
  return found
}

const startPrinters = () => startHelper<{ printers: { name: string }[] }>('virtual-fleet', [String(COUNT), 'printing'])

/** ms of one command at each of the services, in turn. */
async function commandTimes (printers: readonly { name: string }[], services: readonly DaemonProcess[]) {
  const took = services.map((): number[] => [])
  for (let at = 0; at < COMMANDS; at++) {
    for (const [index, { url }] of services.entries()) {
      const begin = performance.now()
      const reply = await fetch(`${url}/api/set_light_state`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ printer: printers[at % printers.length]?.name, state: at % 2 === 0 ? 'on' : 'off' })
      })
      const body = await reply.text()
      if (!reply.ok) throw new Error(body)
      took[index]?.push(performance.now() - begin)
    }
  }
  return took
}

export async function real (): Promise<Row[]> {
  const server = await startServer()
  const printers = await startPrinters()
  const fleet = { servers: [server.url], site: 'hall', node: 'a' }
  const startHub = () => startDaemon({ plugins: { fleet: { servers: [server.url] } } }, HUB_PORT, 'hub')
  const node = await startDaemon({ printers: printers.hello.printers, plugins: { fleet } }, NODE_PORT)
  await complete(node.url, COUNT)
  const starts: number[] = []
  let hub = await startHub()
  await complete(hub.url, COUNT)
  for (let at = 0; at < STARTS; at++) {
    await hub.stop()
    hub = await startHub()
    starts.push(hub.startedInMs + await complete(hub.url, COUNT))
  }
  await nap(SETTLE_MS)

  const [before, nodeBefore, hubBefore] = [await server.count(), usageOf(node.pid), usageOf(hub.pid)]
  await nap(MEASURE_MS)
  const [after, nodeAfter, hubAfter] = [await server.count(), usageOf(node.pid), usageOf(hub.pid)]
  const seconds = (after.at - before.at) / 1000
  const share = (one: { cpuMs: number }, other: { cpuMs: number }) => (other.cpuMs - one.cpuMs) / 10 / seconds

  const [atNode = [], atHub = []] = await delays(printers, [node, hub])
  const [commandNode = [], commandHub = []] = await commandTimes(printers.hello.printers, [node, hub])
  await hub.stop()
  await node.stop()
  const alone = await startDaemon({ printers: printers.hello.printers }, NODE_PORT)
  await complete(alone.url, COUNT)
  await nap(SETTLE_MS)
  const [aloneBegin, aloneBefore] = [performance.now(), usageOf(alone.pid)]
  await nap(MEASURE_MS)
  const aloneShare = (usageOf(alone.pid).cpuMs - aloneBefore.cpuMs) / 10 / ((performance.now() - aloneBegin) / 1000)
  await alone.stop()
  await printers.stop()
  await server.stop()
  const what = `${COUNT} printers that print`
  const row = (name: string, ours: number, unit: string, more: Partial<Row> = {}): Row =>
    ({ name, ours, unit, ...more })
  const both = (name: string, hubs: readonly number[], nodes: readonly number[]) => [0.5, 0.99].map(part =>
    row(`${name}, p${part * 100}`, percentile(hubs, part), 'ms', {
      note: `at the node ${percentile(nodes, part).toFixed(1)} ms; ${hubs.length} times`
    }))
  return [
    ...both(`${what}: report to the hub's WebSocket`, atHub, atNode),
    ...both('a command through the hub', commandHub, commandNode),
    row('messages to NATS, a printer', (after.messages - before.messages) / seconds / COUNT, '/s'),
    row('bytes to NATS, a printer', (after.bytes - before.bytes) / seconds / COUNT / 1024, 'KiB/s'),
    row(`${what}: CPU of the node`, share(nodeBefore, nodeAfter), '%', { baseline: aloneShare, note: 'baseline: without a fleet' }),
    row(`${what}: CPU of the hub`, share(hubBefore, hubAfter), '%', { note: 'nobody looks' }),
    row(`${what}: CPU of NATS`, share(before, after), '%'),
    row(`${what}: memory of the hub`, hubAfter.residentMb, 'MB'),
    row(`start of a hub until it shows ${COUNT}`, median(starts) / 1000, 's')
  ]
}
