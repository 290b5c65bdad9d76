import { Client } from 'basic-ftp'
import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSdCard } from '../../core/printer/ftp/index.js'
import { giveAway, NO_VSFTPD, startVsftpd, VSFTPD_USER, type Vsftpd } from '../helpers/vsftpd.js'
import { median, type Row } from './row.js'

const SERIAL = '00M00A000000001'
const CODE = '12345678'
const FOLDERS = 10
const FILES_EACH = 100
const BYTES = 200 * 1024 ** 2
const ROUNDS = 5

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

async function fill (root: string): Promise<void> {
  for (let at = 0; at < FOLDERS; at++) {
    const folder = join(root, `folder-${at}`)
    await mkdir(folder)
    await Promise.all(Array.from({ length: FILES_EACH }, (_, nth) => writeFile(join(folder, `part-${nth}.gcode.3mf`), 'x')))
  }
}

/** The same walk with nothing but the library. */
async function bareListing (port: number): Promise<number> {
  const client = new Client()
  await client.access({
    host: '127.0.0.1',
    port,
    user: VSFTPD_USER,
    password: CODE,
    secure: 'implicit',
    secureOptions: { rejectUnauthorized: false, servername: SERIAL, maxVersion: 'TLSv1.2' }
  })
  client.availableListCommands = ['LIST']
  let count = 0
  const walk = async (folder: string): Promise<void> => {
    for (const { name, isDirectory } of await client.list(folder)) {
      if (isDirectory) await walk(`${folder === '/' ? '' : folder}/${name}`)
      else count++
    }
  }
  await walk('/')
  client.close()
  return count
}

function curl (port: number, ...args: readonly string[]): Promise<void> {
  const child = spawn('curl', ['-s', '-S', '-k', '--tls-max', '1.2', '--user', `${VSFTPD_USER}:${CODE}`, ...args,
    `ftps://127.0.0.1:${port}/sd/big`], { stdio: 'inherit' })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', code => code === 0 ? resolve() : reject(new Error(`curl ended with ${code}`)))
  })
}

function ours ({ port, fingerprint }: Vsftpd) {
  const stop = new AbortController()
  return createSdCard({
    name: 'bench',
    host: '127.0.0.1',
    serial: SERIAL,
    accessCode: CODE,
    ports: { mqtt: 8883, ftps: port, camera: 6000, rtsps: 322 },
    tls: { mode: 'pin' }
  }, { now: Date.now, signal: stop.signal, trust: () => ({ mode: 'pin', fingerprint }), onPeer: () => {}, user: VSFTPD_USER, timeouts: { idleMs: 0 } })
}

/** Listing and throughput of the card against the server that most printers carry. */
export async function card (): Promise<Row[]> {
  if (NO_VSFTPD !== false) throw new Error(NO_VSFTPD)
  const undo: (() => unknown)[] = []
  const server = await startVsftpd({ teardown: (fn: () => unknown) => { undo.push(fn) } } as never, SERIAL, CODE)
  const folder = await mkdtemp(join(tmpdir(), 'prnd-bench-'))
  try {
    await fill(server.root)
    return [await listing(server), ...await throughput(server, folder)]
  } finally {
    await rm(folder, { recursive: true, force: true })
    for (const fn of undo) await fn()
  }
}

async function listing (server: Vsftpd): Promise<Row> {
  const [mine, bare]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    const { card, end } = ours(server)
    mine.push(await timed(() => card.list()))
    await end()
    bare.push(await timed(() => bareListing(server.port)))
  }
  return { name: 'card: list 1,000 files in 10 folders', ours: median(mine), baseline: median(bare), unit: 'ms', bar: { atMost: 1.5 }, note: 'connection included' }
}

async function throughput (server: Vsftpd, folder: string): Promise<Row[]> {
  const [up, down] = [join(folder, 'up'), join(folder, 'down')]
  const file = await open(up, 'w')
  await file.truncate(BYTES)
  await file.close()
  const rate = (ms: number) => BYTES / 1024 ** 2 / (ms / 1000)
  const times = { put: [] as number[], get: [] as number[], curlPut: [] as number[], curlGet: [] as number[] }
  for (let round = 0; round < 3; round++) {
    const { card, end } = ours(server)
    times.put.push(await timed(() => card.upload(up, '/sd/big')))
    await giveAway(join(server.root, 'big'))
    times.get.push(await timed(() => card.download('/sd/big', () => createWriteStream(down))))
    await end()
    times.curlPut.push(await timed(() => curl(server.port, '-T', up)))
    times.curlGet.push(await timed(() => curl(server.port, '-o', down)))
  }
  return [
    { name: 'card: upload 200 MiB', ours: rate(median(times.put)), baseline: rate(median(times.curlPut)), unit: 'MiB/s', note: 'against curl' },
    { name: 'card: download 200 MiB', ours: rate(median(times.get)), baseline: rate(median(times.curlGet)), unit: 'MiB/s', note: 'against curl' }
  ]
}
