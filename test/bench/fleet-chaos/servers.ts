import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findProgram } from '../../helpers/programs.js'

const DISK_MIB = 96
const UP_WITHIN_MS = 30_000

/** Everybody's password: nobody but this machine is meant. */
export const PASSWORD = 'chaos-password'
export const SITES = ['north', 'south'] as const

/** An authority and a certificate for this machine. @returns paths */
export function makeCertificates (folder: string) {
  execFileSync('sh', ['-ec', `
    openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=fleet-ca -keyout ca-key.pem -out ca.pem
    openssl req -newkey rsa:2048 -nodes -subj /CN=localhost -keyout key.pem -out server.csr
    printf 'subjectAltName=DNS:localhost' > san.txt
    openssl x509 -req -days 30 -in server.csr -CA ca.pem -CAkey ca-key.pem -CAcreateserial -extfile san.txt -out cert.pem
  `], { cwd: folder, stdio: 'ignore' })
  return { ca: join(folder, 'ca.pem'), cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
}

const list = (subjects: readonly string[]) => subjects.map(subject => JSON.stringify(subject)).join(', ')

/** What a hub and the nodes of a site need, and one who sees everything: all are of one account, which it reads. */
function users (): string {
  const hub = `{ user: hub, password: ${PASSWORD}, permissions: {
    publish: [${list(['prnd.main.call.>', '$JS.API.>', '$JS.ACK.>', '$JS.FC.>'])}],
    subscribe: [${list(['prnd.main.inbox.hub.>', 'prnd.main.beat.>'])}] } }`
  const nodes = SITES.map(site => `{ user: ${site}, password: ${PASSWORD}, permissions: {
    publish: [${list([`prnd.main.beat.${site}.>`, `prnd.main.events.${site}.>`, 'prnd.main.inbox.hub.>',
      `$KV.prnd-main-state.${site}.>`, `$KV.prnd-main-leases.${site}.>`, '$JS.API.INFO',
      `$JS.API.DIRECT.GET.KV_prnd-main-leases.$KV.prnd-main-leases.${site}.>`])}],
    subscribe: [${list([`prnd.main.inbox.${site}.>`, `prnd.main.call.${site}.>`])}] } }`)
  return `authorization { users = [ { user: observer, password: ${PASSWORD} }\n${[hub, ...nodes].join('\n')} ] }`
}

const isOpen = (port: number) => new Promise<boolean>(resolve => {
  const socket = connect(port, '127.0.0.1', () => { socket.destroy(); resolve(true) })
  socket.once('error', () => resolve(false))
})

export interface ServerOptions {
  readonly name: string
  readonly folder: string
  readonly port: number
  /** Where the others reach it; `routes` are where it reaches them. */
  readonly clusterPort: number
  readonly routes: readonly number[]
  readonly certificates: ReturnType<typeof makeCertificates>
}

/** One of a cluster of NATS servers, with TLS, users, and a small disk where this process may mount one. */
export async function createServer (options: ServerOptions) {
  const { name, folder, port, clusterPort, routes, certificates: { cert, key } } = options
  const program = findProgram('nats-server')
  if (program === undefined) throw new Error('nats-server is not installed')
  const store = join(folder, `${name}-store`)
  const filler = join(store, 'filler')
  await mkdir(store, { recursive: true })
  let isSmall = true
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'prnd-chaos', store], { stdio: 'ignore' })
  } catch {
    isSmall = false
  }
  const file = join(folder, `${name}.conf`)
  await writeFile(file, `
    server_name: ${name}
    listen: 127.0.0.1:${port}
    jetstream { store_dir: ${store}, max_memory_store: 64M, max_file_store: 4G }
    tls { cert_file: ${cert}, key_file: ${key} }
    cluster { name: chaos, listen: 127.0.0.1:${clusterPort}, no_advertise: true,
      routes: [${routes.map(route => `nats://127.0.0.1:${route}`).join(', ')}] }
    ${users()}`)
  let child: ChildProcess | undefined
  return {
    name,
    port,
    /** The disk can be filled without harm to this machine. */
    isSmall,
    get pid () { return child?.pid ?? 0 },
    async start (): Promise<void> {
      child = spawn(program, ['-c', file, '-l', join(folder, `${name}.log`)], { stdio: 'ignore' })
      const until = Date.now() + UP_WITHIN_MS
      while (!await isOpen(port)) {
        if (Date.now() > until) throw new Error(`${name} does not answer; see ${folder}`)
        await sleep(50)
      }
    },
    async kill (): Promise<void> {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
    fill (): void {
      try {
        execFileSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=1M'], { stdio: 'ignore' })
      } catch { // it ends when nothing fits any more
      }
    },
    free: () => rm(filler, { force: true }),
    async close (): Promise<void> {
      await this.kill()
      if (isSmall && existsSync(store)) execFileSync('umount', [store])
    }
  }
}
export type Server = Awaited<ReturnType<typeof createServer>>
