import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'

/** As recorded: 58 bytes, of which the content has 52. */
export const REQUEST = Buffer.from('\u00a5\u00a5:\0{"login":{"command":"detect","sequence_id":"20004"}}\u00a7\u00a7', 'latin1')

export interface Place { readonly host?: string, readonly port: number, readonly isSecure?: boolean }

/** A connection that is ready to send. */
export async function dial ({ host = '127.0.0.1', port, isSecure = false }: Place, options: object = {}): Promise<Socket> {
  const socket = isSecure
    ? connectTls({ host, port, rejectUnauthorized: false, ...options })
    : connect({ host, port })
  socket.on('error', () => {})
  await once(socket, isSecure ? 'secureConnect' : 'connect')
  return socket
}

/** Everything until the server ends the connection. */
export async function received (socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = []
  socket.on('data', chunk => chunks.push(chunk)).on('error', () => {})
  const alive = setInterval(() => {}, 1_000) // servers do not keep the process alive
  if (!socket.closed) await new Promise(resolve => socket.once('close', resolve))
  clearInterval(alive)
  return Buffer.concat(chunks)
}

/** The content of each frame, read without the server's own code. */
export function contents (bytes: Buffer): Record<string, unknown>[] {
  if (bytes.length === 0) return []
  const length = bytes.readUInt16LE(2)
  const isFrame = bytes.subarray(0, 2).toString('hex') === 'a5a5' && bytes.subarray(length - 2, length).toString('hex') === 'a7a7'
  if (!isFrame) throw new Error(`no frame: ${bytes.toString('hex')}`)
  const { login } = JSON.parse(bytes.toString('utf8', 4, length - 2)) as { login: Record<string, unknown> }
  return [login, ...contents(bytes.subarray(length))]
}

/** Asks as slicers do. @returns the replies, and the fingerprint of the certificate */
export async function detect (place: Place, options: object = {}) {
  const socket = await dial(place, options)
  const fingerprint = place.isSecure === true ? (socket as TLSSocket).getPeerCertificate().fingerprint256 : undefined
  socket.write(REQUEST)
  const replies = contents(await received(socket))
  return { replies, fingerprint }
}
