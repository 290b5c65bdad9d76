// `node --import=tsx test/bench/camera-wall.ts [cameras] [seconds]`: opens all cameras of a wall at once, then closes
// them, and prints what the service holds before, meanwhile and afterwards. The service is the built one, started as
// `prnd daemon`; settings of the allocator are those of the environment.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startHelper } from './processes.js'

const [cameras = 30, seconds = 60] = process.argv.slice(2).map(Number)
const CODE = '24681357'
const PORT = 47_960
const nap = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

const serials = Array.from({ length: cameras }, (_, at) => `03900A0000${String(10_000 + at)}`)
const peer = await startHelper<{ ports: number[] }>('camera-peers', [CODE, '5', ...serials])
const folder = await mkdtemp(join(tmpdir(), 'prnd-wall-'))
const config = join(folder, 'config.json')
await writeFile(config, JSON.stringify({
  dataDir: join(folder, 'data'),
  api: { host: '127.0.0.1' },
  ports: { preferred: PORT, start: PORT, end: PORT + 39 },
  printers: serials.map((serial, at) => ({
    name: `p${at}`, host: '127.0.0.1', serial, accessCode: CODE, tls: { mode: 'insecure' }, ports: { mqtt: 9, camera: peer.hello.ports[at] }
  }))
}))
const service = spawn(process.execPath, ['dist/presets/cli/main.js', 'daemon', '--config', config], { stdio: 'ignore' })
const base = `http://127.0.0.1:${PORT}`

const memory = () => {
  const status = readFileSync(`/proc/${service.pid}/status`, 'utf8')
  const mb = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024)
  return `${mb('VmRSS')} MB (anonymous ${mb('RssAnon')})`
}

while (!await fetch(`${base}/livez`).then(({ ok }) => ok, () => false)) await nap(200)
await nap(20_000)
console.log(`at the start: ${memory()}`)
let bytes = 0
const answers: IncomingMessage[] = []
for (const at of serials.keys()) {
  await fetch(`${base}/api/start_stream?printer=p${at}`, { method: 'POST' })
  get(`${base}/stream/p${at}/stream`, answer => {
    answers.push(answer)
    answer.on('data', (piece: Buffer) => { bytes += piece.length }).on('error', () => {})
  }).on('error', () => {})
}
await nap(seconds * 1000)
console.log(`with ${answers.length} cameras, ${Math.round(bytes / 1e6)} MB shown: ${memory()}`)
for (const answer of answers) answer.destroy()
for (const at of serials.keys()) await fetch(`${base}/api/stop_stream?printer=p${at}`, { method: 'POST' })
await nap(60_000)
console.log(`60 s after closing: ${memory()}`)
service.kill()
await peer.stop()
await rm(folder, { recursive: true, force: true })
process.exit()
