import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, connect as dial, type Socket } from 'node:net'
import { join } from 'node:path'
import { connectAsync } from 'mqtt'
import type { Test } from 'tap'
import { eventually } from './eventually.js'
import { testFolder } from './folder.js'
import { freePort } from './ports.js'
import { findProgram } from './programs.js'

// The broker that most Home Assistant installations have, as Debian ships it.

const program = findProgram('mosquitto')
const passwords = findProgram('mosquitto_passwd')

/** Why it cannot run here; false when it can. */
export const NO_MOSQUITTO: string | false =
  program === undefined || passwords === undefined ? 'mosquitto is not installed' : false

const openssl = findProgram('openssl')
export const NO_TLS: string | false = NO_MOSQUITTO || (openssl === undefined ? 'openssl is not installed' : false)

const USER = 'ha'
export const PASSWORD = 'broker-secret-1'

export interface Mosquitto {
  /** Address for the service, with its login. */
  readonly url: string
  /** File with the authority that signed its certificate; only with TLS. */
  readonly ca: string
  /** Ends it; what it kept is gone. */
  stop (): Promise<void>
  start (): Promise<void>
}

const isOpen = (port: number) => new Promise<boolean>(resolve => {
  const socket = dial(port, '127.0.0.1', () => { socket.destroy(); resolve(true) })
  socket.once('error', () => resolve(false))
})

/** Makes a certificate for this machine. @returns lines of the broker's configuration */
function certify (folder: string): string {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  execFileSync(openssl ?? '', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=broker',
    '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', certificate], { stdio: 'ignore' })
  return `keyfile ${key}\ncertfile ${certificate}\n`
}

/** Starts a broker that keeps nothing on disk; it ends with the test. */
export async function startMosquitto (t: Test, { tls = false } = {}): Promise<Mosquitto> {
  const folder = testFolder(t)
  const port = await freePort()
  execFileSync(passwords ?? '', ['-b', '-c', join(folder, 'passwords'), USER, PASSWORD])
  const config = join(folder, 'mosquitto.conf')
  writeFileSync(config, `listener ${port} 127.0.0.1\nuser root\nallow_anonymous false\npersistence false\n` +
    `password_file ${join(folder, 'passwords')}\n${tls ? certify(folder) : ''}`)
  let child: ChildProcess | undefined

  async function start (): Promise<void> {
    child = spawn(program ?? '', ['-c', config], { stdio: 'ignore' })
    await eventually(() => isOpen(port))
  }

  async function stop (): Promise<void> {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  t.teardown(stop)
  await start()
  const scheme = tls ? 'mqtts' : 'mqtt'
  return { url: `${scheme}://${USER}:${PASSWORD}@127.0.0.1:${port}`, ca: join(folder, 'certificate.pem'), start, stop }
}

export interface Heard {
  readonly text: string
  readonly bytes: Buffer
  readonly retained: boolean
}

/** A client that hears everything, as Home Assistant does. */
export async function listen (t: Test, url: string, ca?: string) {
  const client = await connectAsync(url, { reconnectPeriod: 100, ...(ca !== undefined && { ca: readFileSync(ca) }) })
  const heard: (Heard & { readonly topic: string })[] = []
  client.on('message', (topic, bytes, { retain }) =>
    heard.push({ topic, bytes, text: bytes.toString(), retained: retain }))
  await client.subscribeAsync('#', { qos: 1 })
  t.teardown(() => client.endAsync(true))
  const on = (topic: string) => heard.filter(message => message.topic === topic)
  const last = (topic: string): string => on(topic).at(-1)?.text ?? ''
  return {
    heard,
    on,
    last,
    json: (topic: string) => JSON.parse(last(topic) || '{}') as Record<string, any>,
    say: (topic: string, text: string, retain = false) => client.publishAsync(topic, text, { qos: 1, retain })
  }
}

/** Stands between a client and the broker, so that the connection can be cut without a goodbye. */
export async function startCable (t: Test, url: string) {
  const { hostname, port, username, password } = new URL(url)
  const sockets = new Set<Socket>()
  const server = createServer(near => {
    const far = dial(Number(port), hostname)
    for (const [from, to] of [[near, far], [far, near]] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy()).on('close', () => { sockets.delete(from); to.destroy() })
      from.pipe(to)
    }
  })
  const own = await freePort()
  const plug = async () => { await once(server.listen(own, '127.0.0.1'), 'listening') }
  const unplug = async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  await plug()
  t.teardown(() => { if (server.listening) return unplug() })
  return { url: `mqtt://${username}:${password}@127.0.0.1:${own}`, plug, unplug }
}
