// Closes kernels in every state, one after the other, and must then end by itself: nothing may hold the process.
import { EventEmitter, once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { setTimeout as sleep } from 'node:timers/promises'
import { createKernel, definePlugin, definePreset, type AnyPlugin, type Kernel } from '../../../core/index.js'
import { createIdentity } from '../../../plugins/emulator/index.js'
import http from '../../../plugins/http/index.js'

const [dataDir = ''] = process.argv.slice(2)
const said: string[] = []

const plugin = (name: string, setup: NonNullable<AnyPlugin['setup']>): AnyPlugin =>
  definePlugin({ name, version: '1.0.0', kernel: '*', setup })
const polite = plugin('polite', ({ onClose }) => onClose(() => { said.push('closed') }))
const atWork = new EventEmitter()
const stuck = plugin('stuck', () => {
  atWork.emit('stuck')
  return new Promise(() => {})
})
const failing = plugin('failing', () => { throw new Error('boom') })
const unwilling = plugin('unwilling', ({ onClose }) => {
  onClose(() => { throw new Error('no') })
  onClose(() => new Promise(() => {}))
})
/** Streams for ever, the way cameras do. */
const stream = plugin('stream', ({ app }) => {
  app.get('/plugins/stream', (_request, reply) => {
    reply.hijack()
    reply.raw.writeHead(200, { 'content-type': 'multipart/x-mixed-replace; boundary=x' })
    const timer = setInterval(() => reply.raw.write('--x\r\n\r\nframe\r\n'), 20)
    reply.raw.once('close', () => clearInterval(timer))
  })
})

/** Takes the connection and then says nothing. */
async function silentPrinter (): Promise<number> {
  const { key, certificate } = await createIdentity('S1')
  const server = createServer({ key, cert: certificate }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  server.on('secureConnection', socket => { socket.on('error', () => {}) })
  return (server.address() as { port: number }).port
}

const make = (name: string, plugins: readonly AnyPlugin[], printers: object[] = []) =>
  createKernel(definePreset({ name, plugins: [http, polite, ...plugins] }),
    { dataDir: join(dataDir, name), api: { host: '127.0.0.1' }, printers }, { limits: { close: 200 } })

const begun = (kernel: Kernel) => kernel.start().then(() => 'started', (error: { code?: string }) => error.code ?? String(error))

async function watchStream (kernel: Kernel): Promise<Socket> {
  const socket = connect(kernel.apiPort, '127.0.0.1')
  socket.on('error', () => {})
  socket.write('GET /plugins/stream HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(socket, 'data')
  return socket.resume()
}

/** Each brings a kernel into a state and says what became of its start. */
const states: Record<string, () => Promise<readonly [kernel: Kernel, start: string | Promise<string>]>> = {
  async unstarted () { return [await make('unstarted', []), 'never'] },
  async immediately () {
    const kernel = await make('immediately', [])
    return [kernel, begun(kernel)]
  },
  async setup () {
    const kernel = await make('setup', [stuck])
    const isStuck = once(atWork, 'stuck')
    const start = begun(kernel)
    await isStuck
    return [kernel, start]
  },
  async failed () {
    const kernel = await make('failed', [failing])
    return [kernel, await begun(kernel)]
  },
  async listening () {
    const kernel = await make('listening', [])
    return [kernel, await begun(kernel)]
  },
  async connecting () {
    const kernel = await make('connecting', [], [
      { name: 'a', host: '127.0.0.1', serial: 'S1', accessCode: '12345678', ports: { mqtt: await silentPrinter() } },
      { name: 'b', host: '192.0.2.1', serial: 'S2', accessCode: '12345678' },
      { name: 'c', host: '127.0.0.1', serial: 'S3', accessCode: '12345678', ports: { mqtt: 1 } }
    ])
    const start = await begun(kernel)
    await sleep(100)
    return [kernel, start]
  },
  async unwilling () {
    const kernel = await make('unwilling', [unwilling])
    return [kernel, await begun(kernel)]
  },
  async stream () {
    const kernel = await make('stream', [stream])
    const start = await begun(kernel)
    await Promise.all([watchStream(kernel), watchStream(kernel), watchStream(kernel)])
    return [kernel, start]
  }
}

for (const [state, reach] of Object.entries(states)) {
  said.length = 0
  const [kernel, start] = await reach()
  await Promise.all([kernel.close(), kernel.close()])
  await kernel.close()
  const again = await begun(kernel)
  process.stdout.write(`${JSON.stringify({ state, start: await start, said, again })}\n`)
}
process.stdout.write(`${JSON.stringify({ state: 'left' })}\n`)
