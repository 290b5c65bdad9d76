import { once } from 'node:events'
import { createServer as createPlain, connect, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer, TLSSocket } from 'node:tls'
import type { Test } from 'tap'
import { createIdentity } from '../../../../plugins/emulator/index.js'
import { SERIAL } from './server.js'

/** One client of a scripted server. */
export interface Client {
  say (line: string): void
  /** The data connection that it opens. */
  data (): Promise<TLSSocket>
}

/** What the server does on a command; what is not scripted it takes well. */
export type Script = Readonly<Record<string, (client: Client, argument: string) => unknown>>

const PORT = (line: number) => `229 Entering Extended Passive Mode (|||${line}|)`
const USUAL: Readonly<Record<string, string>> =
  { USER: '331 Password?', PASS: '230 Welcome.', SIZE: '550 No.', AVBL: '500 Unknown command.', REST: '350 Go on.' }

/** A file server of a printer that does what a test says. */
export async function scriptedServer (t: Test, script: Script): Promise<{ port: number, told: string[] }> {
  const { key, certificate: cert } = await createIdentity(SERIAL)
  const told: string[] = []
  const open = new Set<Socket>()
  const waiting = new Set<Server>()
  const keep = (socket: Socket) => { open.add(socket.on('error', () => {}).once('close', () => open.delete(socket))) }

  const server = createServer({ key, cert, maxVersion: 'TLSv1.2' }, socket => {
    keep(socket)
    let arriving: Promise<TLSSocket> | undefined
    const client: Client = {
      say: line => { if (socket.writable) socket.write(`${line}\r\n`) },
      data: async () => await (arriving as Promise<TLSSocket>)
    }
    async function passive (): Promise<void> {
      const data = createServer({ key, cert, maxVersion: 'TLSv1.2' }, keep).listen(0, '127.0.0.1')
      await once(data, 'listening')
      waiting.add(data)
      arriving = once(data, 'secureConnection').then(([socket]) => { data.close(); return socket as TLSSocket })
      client.say(PORT((data.address() as AddressInfo).port))
    }
    let text = ''
    socket.setEncoding('utf8').on('data', (chunk: unknown) => {
      const lines = (text += String(chunk)).split('\r\n')
      text = lines.pop() ?? ''
      for (const line of lines) {
        const [, command = '', argument = ''] = /^(\S+) ?(.*)$/.exec(line) ?? []
        told.push(line)
        if (script[command]) script[command](client, argument)
        else if (command === 'EPSV') void passive()
        else client.say(USUAL[command] ?? '250 Fine.')
      }
    })
    client.say('220 (vsFTPd 3.0.5)')
  })
  server.on('tlsClientError', () => {}).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const one of [server, ...waiting]) one.close()
    for (const socket of open) socket.destroy()
  })
  return { port: (server.address() as AddressInfo).port, told }
}

/**
 * A door before a server that turns clients away in plain text, as a server that is full does.
 * @param isFull by the number of clients that came before
 */
export async function fullDoor (t: Test, port: number, isFull: (before: number) => boolean):
Promise<{ port: number, clients: () => number }> {
  let clients = 0
  const open = new Set<Socket>()
  const door = createPlain(socket => {
    open.add(socket.on('error', () => {}))
    if (isFull(clients++)) {
      socket.end('421 There are too many connected users, please try later.\r\n')
      return
    }
    const inner = connect(port, '127.0.0.1')
    open.add(inner.on('error', () => {}))
    socket.pipe(inner).pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(door, 'listening')
  t.teardown(() => { door.close(); for (const socket of open) socket.destroy() })
  return { port: (door.address() as AddressInfo).port, clients: () => clients }
}
