import { connect } from 'node:net'
import { ask, childrenCpuMs, startDaemon, startHelper, usageOf } from './processes.js'
import { median, type Row } from './row.js'

const SERIAL = '00M00A0000BE0CA'
const CODE = '24681357'
const RATE = 30
const SECONDS = 8
const RUNS = 11

const nap = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

interface Counted { readonly bytes: number, readonly pictures: number }

/** Share of one core that a process uses while so many watch, and what each of them gets. */
async function load (pid: number, port: number, path: string, count: number) {
  const viewers = await startHelper('camera-viewers', [String(port), path, String(count)])
  await nap(2_000)
  const before = usageOf(pid).cpuMs
  const from = await ask<Counted>(viewers.child, 0)
  await nap(SECONDS * 1_000)
  const used = usageOf(pid).cpuMs - before
  const to = await ask<Counted>(viewers.child, 0)
  await viewers.stop()
  await nap(500)
  return {
    percent: used / SECONDS / 10,
    mbps: (to.bytes - from.bytes) / SECONDS / 1e6,
    fps: (to.pictures - from.pictures) / SECONDS / count
  }
}

type Process = { readonly pid: number, readonly port: number }

async function watching (service: Process, path: string, raw: Process): Promise<Row[]> {
  const rows: Row[] = []
  for (const count of [1, 10, 50]) {
    const ours = await load(service.pid, service.port, `${path}stream.mp4`, count)
    const bare = await load(raw.pid, raw.port, '', count)
    const note = `${ours.fps.toFixed(1)} pictures/s each, ${ours.mbps.toFixed(1)} MB/s; copy ${bare.mbps.toFixed(1)} MB/s`
    rows.push({ name: `CPU, ${count} watch 1080p30`, ours: ours.percent, unit: '% of a core', note, ...(count === 10 && { bar: { atMost: 10 } }) })
    rows.push({ name: `${count} watch, over a bare copy`, ours: ours.percent, baseline: bare.percent, unit: '%', ...(count === 50 && { bar: { atMost: 1.5 } }) })
  }
  const pictures = await load(service.pid, service.port, `${path}stream`, 10)
  rows.push({ name: 'CPU, 10 look at MJPEG, service alone', ours: pictures.percent, unit: '% of a core', note: `without the decoder, ${pictures.mbps.toFixed(1)} MB/s` })
  return rows
}

/** ms until the first whole picture of a viewer who comes. */
const joins = (port: number, path: string) => new Promise<number>((resolve, reject) => {
  const began = performance.now()
  const socket = connect(port, '127.0.0.1', () => { socket.write(`GET ${path}stream.mp4 HTTP/1.1\r\nHost: localhost\r\n\r\n`) })
  let seen = Buffer.alloc(0)
  socket.on('error', reject)
  socket.on('data', piece => {
    seen = Buffer.concat([seen, piece])
    const at = seen.indexOf('mdat')
    if (at < 4 || seen.length < at - 4 + seen.readUInt32BE(at - 4)) return
    resolve(performance.now() - began)
    socket.destroy()
  })
})

async function waits (service: Process, path: string): Promise<Row[]> {
  const viewer = await startHelper('camera-viewers', [String(service.port), `${path}stream.mp4`, '1'])
  await nap(2_500)
  const join: number[] = []
  for (let run = 0; run < RUNS; run++) {
    join.push(await joins(service.port, path))
    await nap(500)
  }
  await viewer.stop()
  return [{ name: 'first picture of one who joins', ours: median(join), unit: 'ms', bar: { atMost: 150 }, note: `at most ${Math.max(...join).toFixed(0)}` }]
}

const MONITORED = 30
const MONITOR_PORT = 47_823
const MONITOR_ROUNDS = 2
const ROUND_MS = 60_000

/** Printers whose prints are judged once a minute, with nobody who watches. */
async function monitored (): Promise<Row[]> {
  const fleet = await startHelper<{ printers: object[] }>('video-fleet', [String(MONITORED)])
  const daemon = await startDaemon({ printers: fleet.hello.printers }, MONITOR_PORT)
  await nap(ROUND_MS) // what the first look at each printer costs is not what the others cost
  const [own, children] = [usageOf(daemon.pid).cpuMs, childrenCpuMs(daemon.pid)]
  let megabytes = 0
  const seconds = MONITOR_ROUNDS * ROUND_MS / 1000
  for (let second = 0; second < seconds; second++) {
    await nap(1_000)
    megabytes = Math.max(megabytes, usageOf(daemon.pid).residentMb)
  }
  const used = usageOf(daemon.pid).cpuMs - own
  const decoders = childrenCpuMs(daemon.pid) - children
  const what = `${MONITORED} monitored H.264 cameras, nobody looks`
  const judged = await judgedOf(daemon.url, fleet.hello.printers as { name: string }[])
  await daemon.stop()
  await fleet.stop()
  const note = `service ${(used / 10 / seconds).toFixed(1)} %, decoders ${(decoders / 10 / seconds).toFixed(1)} %; ${judged} of them judged`
  return [
    { name: `${what}: CPU`, ours: (used + decoders) / 10 / seconds, unit: '% of a core', bar: { atMost: 15 }, note },
    { name: `${what}: memory`, ours: megabytes, unit: 'MB', bar: { atMost: 400 }, note: 'at most, of the service' }
  ]
}

async function judgedOf (url: string, printers: readonly { name: string }[]): Promise<number> {
  const states = await Promise.all(printers.map(async ({ name }) =>
    (await fetch(`${url}/stream/${encodeURIComponent(name)}/job_state`)).status))
  return states.filter(status => status === 200).length
}

/** Watching video: what it costs beside a bare copy, and how long one waits. */
export async function video (): Promise<Row[]> {
  const peer = await startHelper<{ port: number }>('video-peer', ['1920x1080', String(RATE), '4M'])
  const entry = { name: 'x1', host: '127.0.0.1', serial: SERIAL, accessCode: CODE, tls: { mode: 'insecure' }, ports: { mqtt: 9, rtsps: peer.hello.port } }
  const service = await startHelper<{ url: string }>('camera-service', [JSON.stringify([entry])])
  const raw = await startHelper<{ port: number }>('camera-raw', [String(peer.hello.port)])
  const { url } = service.hello
  const ours = { pid: service.child.pid ?? 0, port: Number(new URL(url).port) }
  const path = '/stream/x1/'
  const rows = await watching(ours, path, { pid: raw.child.pid ?? 0, port: raw.hello.port })
  rows.push(...await waits(ours, path))
  for (const helper of [raw, service, peer]) await helper.stop()
  return [...rows, ...await monitored()]
}
