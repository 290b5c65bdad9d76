// `node --import=tsx test/bench/camera-soak.ts [minutes]`: two cameras behind bad wires, ten viewers, streams started
// and stopped every few seconds. Prints what the service uses, and ends with 1 when something of it grew.
import { connect } from 'node:net'
import { noVideo, startRtspsPeer } from '../plugins/camera/helpers/rtsps-peer.js'
import { layWire, type Wire } from './camera-chaos.js'
import type { Usage } from './camera-service.js'
import { ask, startHelper } from './processes.js'

const CODE = '24681357'
const A1 = '03900A00000050A'
const X1 = '00M00A00000050A'
const VIEWERS = 10
const REPORT_MS = 30_000
/** A decoder that was started before it is needed ends after this. */
const SPARE_MS = 65_000

const minutes = Number(process.argv[2] ?? 10)
const until = Date.now() + minutes * 60_000
const nap = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
const chance = (least: number, most: number) => least + Math.random() * (most - least)
const ends: (() => unknown)[] = []

const peer = await startHelper<{ port: number }>('camera-peer', [A1, CODE, '5'])
const wires: Record<string, Wire> = { a1: await layWire(peer.hello.port) }
const printers = [{ name: 'a1', serial: A1, ports: { mqtt: 9, camera: wires.a1?.port } } as object]
if (noVideo === false) {
  const video = await startRtspsPeer({ teardown: end => { ends.push(end as () => unknown) } },
    { serial: X1, accessCode: CODE })
  wires.x1 = await layWire(video.port)
  printers.push({ name: 'x1', serial: X1, ports: { mqtt: 9, rtsps: wires.x1.port } })
} else {
  console.log(`without RTSPS: ${noVideo}`)
}
const service = await startHelper<{ url: string }>('camera-service',
  [JSON.stringify(printers.map(printer => ({ host: '127.0.0.1', accessCode: CODE, ...printer }))), '47840'])

const counts: Record<string, number> = {}
const count = (what: string) => { counts[what] = (counts[what] ?? 0) + 1 }
const ports: Record<string, number> = {}

async function call (method: string, path: string): Promise<{ port?: number, error?: string }> {
  const signal = AbortSignal.timeout(60_000)
  const reply = await fetch(service.hello.url + path, { method, signal }).catch(() => undefined)
  const body = await reply?.json().catch(() => ({})) as { port?: number, error?: string } | undefined
  count(`${path.split('?')[0]} ${reply?.status ?? 'no answer'} ${body?.error ?? ''}`.trim())
  return body ?? {}
}

/** Starts, stops, cuts, holds and unplugs, for as long as there is time. */
async function trouble (name: string, wire: Wire): Promise<void> {
  while (Date.now() < until) {
    const dice = Math.random()
    if (dice < 0.35) {
      const { port } = await call('POST', `/api/start_stream?printer=${name}`)
      if (port !== undefined) ports[name] = port
    } else if (dice < 0.55) await call('POST', `/api/stop_stream?printer=${name}`)
    else if (dice < 0.7) await call('GET', `/api/snapshot?printer=${name}&resolution=360p`)
    else if (dice < 0.85) wire.cut()
    else {
      const fault = dice < 0.93 ? wire.hold : wire.unplug
      fault(true)
      await nap(chance(500, 12_000))
      fault(false)
    }
    await nap(chance(500, 3_000))
  }
}

/** Looks, sometimes without ever reading, and leaves at any moment. */
async function look (at: number, name: string): Promise<void> {
  while (Date.now() < until) {
    const port = ports[name]
    if (port === undefined) {
      await nap(500)
      continue
    }
    await new Promise<void>(resolve => {
      const path = name === 'x1' && at % 2 === 0 ? '/stream.mp4' : `/stream${at % 3 === 0 ? '?resolution=480p' : ''}`
      const socket = connect(port, '127.0.0.1', () => { socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`) })
      const timer = setTimeout(() => socket.destroy(), chance(1_000, 20_000))
      if (at % 5 === 4) socket.pause()
      else socket.on('data', piece => { counts.megabytes = (counts.megabytes ?? 0) + piece.length / 1e6 })
      socket.on('error', () => {}).once('close', () => { clearTimeout(timer); resolve() })
    })
    await nap(chance(100, 1_500))
  }
}

const line = (label: string, { residentMb, heapMb, externalMb, descriptors, children }: Usage) =>
  console.log(`${label.padEnd(12)} ${residentMb.toFixed(0).padStart(5)} MB (heap ${heapMb.toFixed(0)}, buffers ` +
    `${externalMb.toFixed(0)}) ${String(descriptors).padStart(4)} descriptors ${children} children`)

async function report (): Promise<void> {
  const began = Date.now()
  while (Date.now() < until) {
    await nap(REPORT_MS)
    line(`${Math.round((Date.now() - began) / 1000)} s`, await ask<Usage>(service.child, 0))
  }
}

const names = Object.keys(wires)
const before = await ask<Usage>(service.child, 0)
line('at the start', before)
await Promise.all([
  ...names.map(name => trouble(name, wires[name] as Wire)),
  ...names.flatMap(name => Array.from({ length: VIEWERS }, (_, at) => look(at, name))),
  report()
])
for (const name of names) await call('POST', `/api/stop_stream?printer=${name}`)
await nap(SPARE_MS)
const after = await ask<Usage>(service.child, 0)
line('at the end', after)
console.log(counts)
const asked = performance.now()
await service.stop()
console.log(`SIGTERM to exit: ${(performance.now() - asked).toFixed(0)} ms`)
for (const wire of Object.values(wires)) wire.close()
for (const end of ends) await end()
await peer.stop()
const grew = after.children > before.children || after.descriptors > before.descriptors + 5
console.log(grew ? 'something was left behind' : 'nothing was left behind')
process.exit(grew ? 1 : 0)
