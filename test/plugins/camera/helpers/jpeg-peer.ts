import { createServer, type Server, type TLSSocket } from 'node:tls'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { createIdentity, type Identity } from '../../../../plugins/emulator/index.js'

/** What follows a good login. */
export type Show = (socket: TLSSocket, peer: JpegPeer) => void

export interface JpegPeer {
  readonly port: number
  readonly identity: Identity
  /** Connections so far, and those that are open. */
  readonly total: number
  readonly open: number
  show: Show
  close (): Promise<void>
}

const LOGIN_BYTES = 80

/** A picture with its head, by the documented layout; the length may lie. */
export function framed (jpeg: Buffer, length = jpeg.length): Buffer {
  const head = Buffer.alloc(16)
  head.writeUInt32LE(length, 0)
  head.writeUInt32LE(1, 8)
  return Buffer.concat([head, jpeg])
}

/** Sends pictures one after the other, every `everyMs`. */
export const showing = (pictures: readonly Buffer[], everyMs = 20): Show => socket => {
  let at = 0
  const send = () => { socket.write(framed(pictures[at++ % pictures.length] ?? Buffer.alloc(0))) }
  send()
  const timer = setInterval(send, everyMs)
  socket.once('close', () => clearInterval(timer))
}

/** A camera of the A1 and P1 families, written from the layout of its bytes alone. */
export async function startJpegPeer (t: Pick<Test, 'teardown'>, serial: string, accessCode: string, show: Show,
  given?: Identity): Promise<JpegPeer> {
  const identity = given ?? await createIdentity(serial)
  const sockets = new Set<TLSSocket>()
  let total = 0
  const server: Server = createServer({ key: identity.key, cert: identity.certificate, maxVersion: 'TLSv1.2' }, socket => {
    total++
    sockets.add(socket)
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
    let login = Buffer.alloc(0)
    socket.on('data', piece => {
      const whole = login.length >= LOGIN_BYTES
      login = Buffer.concat([login, piece])
      if (whole || login.length < LOGIN_BYTES) return
      if (isLogin(login, accessCode)) peer.show(socket, peer)
      else socket.end()
    })
  })
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const peer: JpegPeer = {
    port: (server.address() as AddressInfo).port,
    identity,
    show,
    get total () { return total },
    get open () { return sockets.size },
    async close () {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    }
  }
  t.teardown(() => peer.close())
  return peer
}

const text = (bytes: Buffer) => bytes.toString('ascii').replace(/\0+$/, '')

const isLogin = (packet: Buffer, accessCode: string): boolean =>
  packet.readUInt32LE(0) === 64 && packet.readUInt32LE(4) === 0x3000 && packet.readUInt32LE(8) === 0 &&
  packet.readUInt32LE(12) === 0 && text(packet.subarray(16, 48)) === 'bblp' && text(packet.subarray(48, 80)) === accessCode
