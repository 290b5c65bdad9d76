import { spawn } from 'node:child_process'
import { childrenCpuMs, startHelper, usageOf } from './processes.js'
import { median, type Row } from './row.js'

const SERIAL = '00M00A0000BE0CA'
const CODE = '24681357'
const RATE = 30
const RUNS = 11
const COLD_RUNS = 5
/** A picture that is younger than 5 s is taken as it is. */
const APART_MS = 5_300
/** Nothing is connected any more. */
const COLD_AFTER_MS = 1_000

const nap = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

async function time (url: string): Promise<number> {
  const began = performance.now()
  const reply = await fetch(url)
  await reply.arrayBuffer()
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}`)
  return performance.now() - began
}

/** ms until ffmpeg alone has one picture, asking nothing beforehand. */
async function bareFfmpeg (port: number): Promise<number> {
  const began = performance.now()
  const child = spawn('ffmpeg', ['-nostdin', '-loglevel', 'error', '-rtsp_transport', 'tcp', '-probesize', '32', '-analyzeduration', '0',
    '-fflags', 'nobuffer', '-flags', 'low_delay', '-i', `rtsps://bblp:${CODE}@127.0.0.1:${port}/streaming/live/1`,
    '-frames:v', '1', '-an', '-f', 'image2pipe', '-c:v', 'mjpeg', '-q:v', '3', 'pipe:1'], { stdio: ['ignore', 'pipe', 'inherit'] })
  let bytes = 0
  child.stdout.on('data', (piece: Buffer) => { bytes += piece.length })
  await new Promise(resolve => child.once('close', resolve))
  if (bytes === 0) throw new Error('ffmpeg alone made no picture')
  return performance.now() - began
}

/**
 * Snapshots of a 1080p30 camera: while its stream runs, and cold beside ffmpeg alone. Processor time counts the
 * service and its decoders, less what the stream costs without snapshots.
 */
export async function snapshot (): Promise<Row[]> {
  const peer = await startHelper<{ port: number }>('video-peer', ['1920x1080', String(RATE), '4M'])
  const entry = { name: 'x1', host: '127.0.0.1', serial: SERIAL, accessCode: CODE, tls: { mode: 'insecure' }, ports: { mqtt: 9, rtsps: peer.hello.port } }
  const service = await startHelper<{ url: string }>('camera-service', [JSON.stringify([entry])])
  const { url } = service.hello
  const pid = service.child.pid ?? 0
  const picture = `${url}/api/snapshot?printer=x1`
  const cpu = () => ({ own: usageOf(pid).cpuMs, decoders: childrenCpuMs(pid) })

  const viewer = await startHelper('camera-viewers', [new URL(url).port, '/stream/x1/stream.mp4', '1'])
  await nap(3_000)
  const first = await time(picture)
  await nap(APART_MS)
  const quiet = cpu()
  await nap(APART_MS)
  const begin = cpu()
  const running: number[] = []
  for (let run = 0; run < RUNS; run++) {
    running.push(await time(picture))
    await nap(APART_MS)
  }
  const end = cpu()
  await viewer.stop()

  const [cold, alone]: [number[], number[]] = [[], []]
  await time(picture)
  for (let run = 0; run < COLD_RUNS; run++) {
    await nap(COLD_AFTER_MS)
    cold.push(await time(picture))
    await nap(COLD_AFTER_MS)
    alone.push(await bareFfmpeg(peer.hello.port))
    await nap(APART_MS)
  }
  for (const helper of [service, peer]) await helper.stop()

  const own = (end.own - begin.own) / RUNS - (begin.own - quiet.own)
  const decoders = (end.decoders - begin.decoders) / RUNS
  return [
    { name: 'snapshot, 1080p, stream running', ours: median(running), unit: 'ms', bar: { atMost: 60 }, note: `${Math.min(...running).toFixed(0)} to ${Math.max(...running).toFixed(0)}` },
    { name: 'snapshot, the first one', ours: first, unit: 'ms' },
    { name: 'CPU of a snapshot, stream running', ours: own + decoders, unit: 'ms', note: `service ${own.toFixed(0)}, decoder ${decoders.toFixed(0)}` },
    { name: 'snapshot, 1080p, cold', ours: median(cold), baseline: median(alone), unit: 'ms', bar: { atMost: 1.5 }, note: `baseline: ffmpeg alone, probing off; ours ${cold.map(ms => ms.toFixed(0)).join(', ')}` }
  ]
}
