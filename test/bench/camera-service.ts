// The service with cameras in a process of its own, from the sources. Argument: its printers as JSON. Says where it
// is, and when asked what it uses.
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKernel, definePreset } from '../../core/index.js'
import camera from '../../plugins/camera/index.js'
import http from '../../plugins/http/index.js'
import system from '../../plugins/system/index.js'

export interface Usage {
  readonly residentMb: number
  /** Of it, what the engine's objects take, and the bytes they hold outside of its heap. */
  readonly heapMb: number
  readonly externalMb: number
  readonly descriptors: number
  readonly children: number
}

const [printers = '[]', start = '47900'] = process.argv.slice(2)
const dataDir = await mkdtemp(join(tmpdir(), 'prnd-camera-'))
const kernel = await createKernel(definePreset({ name: 'bench', plugins: [http, system, camera] }), {
  printers: JSON.parse(printers),
  api: { host: '127.0.0.1' },
  ports: { start: Number(start), end: Number(start) + 49 },
  log: { file: false },
  dataDir
})
await kernel.start()

const childrenOf = (pid: number): number => readdirSync('/proc').filter(name => /^\d+$/.test(name)).filter(name => {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] === String(pid)
  } catch {
    return false // gone meanwhile
  }
}).length

function usage (): Usage {
  const { rss, heapTotal, external } = process.memoryUsage()
  const mb = (bytes: number) => bytes / 1024 / 1024
  return {
    residentMb: mb(rss),
    heapMb: mb(heapTotal),
    externalMb: mb(external),
    descriptors: readdirSync('/proc/self/fd').length,
    children: childrenOf(process.pid)
  }
}

process.on('message', () => process.send?.(usage()))
process.on('SIGTERM', () => {
  void kernel.close().then(() => rm(dataDir, { recursive: true, force: true })).then(() => process.exit(0))
})
process.send?.({ url: `http://127.0.0.1:${kernel.apiPort}` })
