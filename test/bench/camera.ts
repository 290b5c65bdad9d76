import { spawn } from 'node:child_process'
import { ask, startHelper, usageOf } from './processes.js'
import { median, type Row } from './row.js'

const SERIAL = '03900A0000BE0CA'
const CODE = '24681357'
const RATE = 15
const SECONDS = 8
const WARM = 20

const nap = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
const post = async (url: string): Promise<{ url: string, port: number }> =>
  await (await fetch(url, { method: 'POST' })).json() as { url: string, port: number }

/** Share of one core that a process uses while so many look, and what they got, MB/s. */
async function load (pid: number, port: number, path: string, count: number) {
  const viewers = await startHelper('camera-viewers', [String(port), path, String(count)])
  await nap(1_500)
  const before = usageOf(pid).cpuMs
  const { bytes } = await ask<{ bytes: number }>(viewers.child, 0)
  await nap(SECONDS * 1_000)
  const used = usageOf(pid).cpuMs - before
  const after = await ask<{ bytes: number }>(viewers.child, 0)
  await viewers.stop()
  await nap(500)
  return { percent: used / SECONDS / 10, mbps: (after.bytes - bytes) / SECONDS / 1e6 }
}

async function fanOut (service: { pid: number, port: number }, raw: { pid: number, port: number }): Promise<Row[]> {
  const rows: Row[] = []
  for (const count of [1, 10, 50]) {
    const ours = await load(service.pid, service.port, '/stream', count)
    const bare = await load(raw.pid, raw.port, '', count)
    rows.push({
      name: `CPU over a raw socket copy, ${count} native viewers`,
      ours: ours.percent - bare.percent,
      unit: '% of a core',
      ...(count === 50 && { bar: { atMost: 15 } }),
      note: `${ours.percent.toFixed(1)} % at ${ours.mbps.toFixed(1)} MB/s, raw ${bare.percent.toFixed(1)} % at ${bare.mbps.toFixed(1)} MB/s`
    })
  }
  for (const count of [1, 10]) {
    const small = await load(service.pid, service.port, '/stream?resolution=480p&quality=85', count)
    rows.push({ name: `CPU of ${count} viewers at 480p`, ours: small.percent, unit: '% of a core', note: `${RATE} pictures/s, ${small.mbps.toFixed(1)} MB/s` })
  }
  return rows
}

/** ms of one request, several times. */
async function times (url: string, runs: number): Promise<number> {
  const taken: number[] = []
  for (let run = 0; run < runs; run++) {
    const began = performance.now()
    const reply = await fetch(url)
    await reply.arrayBuffer()
    if (!reply.ok) throw new Error(`${url} answered ${reply.status}`)
    taken.push(performance.now() - began)
  }
  return median(taken)
}

async function snapshots (api: string): Promise<Row[]> {
  const snapshot = `${api}/api/snapshot?printer=a1`
  const cold = await times(snapshot, 5)
  await post(`${api}/api/start_stream?printer=a1`)
  const bare = await times(`${api}/api/stream_url?printer=a1`, WARM)
  const warm = await times(snapshot, WARM)
  const made = await times(`${snapshot}&resolution=720p&quality=75`, WARM)
  const small = await times(`${snapshot}&resolution=180p&quality=65`, WARM)
  return [
    { name: 'snapshot, A1, cold', ours: cold, unit: 'ms', note: 'connection, login and first picture' },
    { name: 'snapshot, A1, from a running stream', ours: warm - bare, unit: 'ms added', bar: { atMost: 5 }, note: `over a route of this service that does nothing (${bare.toFixed(1)} ms)` },
    { name: 'snapshot, A1, 720p q75', ours: made, unit: 'ms', note: 'from a running stream' },
    { name: 'snapshot, A1, 180p q65', ours: small, unit: 'ms', note: 'from a running stream' }
  ]
}

/** ms until ffmpeg alone has one picture of a video, asking nothing beforehand. */
async function bareFfmpeg (port: number): Promise<number> {
  const began = performance.now()
  const child = spawn('ffmpeg', ['-nostdin', '-loglevel', 'error', '-rtsp_transport', 'tcp', '-probesize', '32', '-analyzeduration', '0',
    '-fflags', 'nobuffer', '-flags', 'low_delay', '-i', `rtsps://bblp:${CODE}@127.0.0.1:${port}/streaming/live/1`,
    '-frames:v', '1', '-an', '-f', 'image2pipe', '-c:v', 'mjpeg', '-q:v', '3', 'pipe:1'], { stdio: ['ignore', 'pipe', 'ignore'] })
  child.stdout.resume()
  await new Promise(resolve => child.once('exit', resolve))
  return performance.now() - began
}

async function coldVideo (): Promise<Row[]> {
  const { noVideo, startRtspsPeer } = await import('../plugins/camera/helpers/rtsps-peer.js')
  if (noVideo !== false) {
    console.error(`no figures of RTSPS: ${noVideo}`)
    return []
  }
  const ends: (() => unknown)[] = []
  const serial = '00M00A0000BE0CA'
  const peer = await startRtspsPeer({ teardown: end => { ends.push(end as () => unknown) } },
    { serial, accessCode: CODE, width: 1280, height: 720, rate: 30 })
  const service = await startHelper<{ url: string }>('camera-service',
    [JSON.stringify([{ name: 'x1', host: '127.0.0.1', serial, accessCode: CODE, ports: { mqtt: 9, rtsps: peer.port } }]), '47960'])
  const ours: number[] = []
  const theirs: number[] = []
  for (let run = 0; run < 5; run++) {
    ours.push(await times(`${service.hello.url}/api/snapshot?printer=x1`, 1))
    theirs.push(await bareFfmpeg(peer.port))
  }
  await service.stop()
  for (const end of ends) await end()
  return [{ name: 'snapshot over RTSPS, cold', ours: median(ours), baseline: median(theirs), unit: 'ms', bar: { atMost: 2 }, note: 'baseline: ffmpeg alone, probing off' }]
}

/** Fan-out beside a raw copy of the same stream, and how long a snapshot takes. */
export async function camera (): Promise<Row[]> {
  const peer = await startHelper<{ port: number, bytes: number }>('camera-peer', [SERIAL, CODE, String(RATE)])
  const entry = { name: 'a1', host: '127.0.0.1', serial: SERIAL, accessCode: CODE, ports: { mqtt: 9, camera: peer.hello.port } }
  const service = await startHelper<{ url: string }>('camera-service', [JSON.stringify([entry])])
  const raw = await startHelper<{ port: number }>('camera-raw', [String(peer.hello.port), CODE])
  const latency = await snapshots(service.hello.url)
  const { port } = await post(`${service.hello.url}/api/start_stream?printer=a1`)
  const rows = await fanOut({ pid: service.child.pid ?? 0, port }, { pid: raw.child.pid ?? 0, port: raw.hello.port })
  await raw.stop()
  await service.stop()
  await peer.stop()
  return [...rows, ...latency, ...await coldVideo()]
}
