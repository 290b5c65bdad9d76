import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import type { Test } from 'tap'
import { issue, type Issued } from './certificates.js'
import type { Fields } from './feed.js'

/** One packet from the client, as far as tests look at it. */
export interface Packet {
  readonly kind: 'connect' | 'publish' | 'subscribe' | 'unsubscribe' | 'ping' | 'disconnect' | 'other'
  /** Number of the connection, from 1. */
  readonly connection: number
  readonly topic?: string
  readonly qos?: number
  readonly payload?: Fields
  readonly login?: Login
}

export interface Login {
  readonly level: number
  readonly clean: boolean
  readonly keepAlive: number
  readonly clientId: string
  readonly user: string
  readonly password: string
}

/** How the peer answers from now on; `none` is not at all. */
export interface Manners {
  /** Return code of the login. */
  connack: number | 'none' | 'hang up'
  /** Return code of the subscription. */
  suback: number | 'none'
  unsuback: 'yes' | 'none'
  /** Receipts for commands. */
  puback: 'yes' | 'none'
  /** Called with each request; what it gives is said on the report topic. */
  answer: (request: Fields) => readonly Fields[]
}

export interface Peer {
  readonly port: number
  readonly fingerprint: string
  readonly received: Packet[]
  readonly manners: Manners
  readonly connections: number
  /** Connections that stand. */
  readonly open: number
  /** Requests as published: section and command. */
  requests (): string[]
  /** One payload on the report topic. */
  publish (payload: Uint8Array): void
  say (document: Fields): void
  /** Bytes as they are. */
  bytes (chunk: Uint8Array): void
  drop (): void
}

const TYPES = ['other', 'connect', 'other', 'publish', 'other', 'other', 'other', 'other', 'subscribe', 'other',
  'unsubscribe', 'other', 'ping', 'other', 'disconnect', 'other'] as const

const text = (bytes: Buffer, at: number) => {
  const end = at + 2 + bytes.readUInt16BE(at)
  return { value: bytes.toString('utf8', at + 2, end), end }
}

function readLogin (body: Buffer): Login {
  const name = text(body, 0)
  const flags = body.readUInt8(name.end + 1)
  const id = text(body, name.end + 4)
  const user = text(body, id.end)
  return {
    level: body.readUInt8(name.end),
    clean: (flags & 2) !== 0,
    keepAlive: body.readUInt16BE(name.end + 2),
    clientId: id.value,
    user: user.value,
    password: text(body, user.end).value
  }
}

/** Cuts whole packets off a stream of bytes. */
function createCutter (onPacket: (type: number, flags: number, body: Buffer) => void) {
  let kept: Buffer = Buffer.alloc(0)
  return (chunk: Buffer) => {
    kept = Buffer.concat([kept, chunk])
    for (;;) {
      let length = 0
      let at = 1
      for (let shift = 0; ; shift += 7, at++) {
        if (at >= kept.length) return
        const byte = kept.readUInt8(at)
        length |= (byte & 0x7F) << shift
        if ((byte & 0x80) === 0) break
      }
      const end = at + 1 + length
      if (kept.length < end) return
      const first = kept.readUInt8(0)
      const body = kept.subarray(at + 1, end)
      kept = kept.subarray(end)
      onPacket(first >> 4, first & 15, body)
    }
  }
}

const lengthField = (length: number): number[] =>
  length < 128 ? [length] : [(length & 0x7F) | 0x80, ...lengthField(length >> 7)]

function report (serial: string, payload: Uint8Array): Buffer {
  const topic = Buffer.from(`device/${serial}/report`)
  const length = 2 + topic.length + payload.length
  const header = Buffer.from([0x30, ...lengthField(length), topic.length >> 8, topic.length & 255])
  return Buffer.concat([header, topic, payload])
}

const encode = (document: Fields): Uint8Array => Buffer.from(JSON.stringify(document))

/** The far end of one connection. */
function serve (socket: TLSSocket, connection: number, serial: string, manners: Manners, received: Packet[]): void {
  const tell = (...bytes: number[]) => socket.write(Uint8Array.from(bytes))

  const take: Record<string, (flags: number, body: Buffer) => Partial<Packet>> = {
    connect (_flags, body) {
      if (manners.connack === 'hang up') socket.destroy()
      else if (manners.connack !== 'none') tell(0x20, 2, 0, manners.connack)
      return { login: readLogin(body) }
    },
    subscribe (_flags, body) {
      if (manners.suback !== 'none') tell(0x90, 3, body.readUInt8(0), body.readUInt8(1), manners.suback)
      return { topic: text(body, 2).value, qos: body.readUInt8(body.length - 1) }
    },
    unsubscribe (_flags, body) {
      if (manners.unsuback === 'yes') tell(0xB0, 2, body.readUInt8(0), body.readUInt8(1))
      return { topic: text(body, 2).value }
    },
    publish (flags, body) {
      const topic = text(body, 0)
      const qos = (flags >> 1) & 3
      const payload = JSON.parse(body.toString('utf8', topic.end + (qos > 0 ? 2 : 0))) as Fields
      if (qos > 0 && manners.puback === 'yes') tell(0x40, 2, body.readUInt8(topic.end), body.readUInt8(topic.end + 1))
      for (const document of manners.answer(payload)) socket.write(report(serial, encode(document)))
      return { topic: topic.value, qos, payload }
    },
    ping () {
      tell(0xD0, 0)
      return {}
    }
  }

  socket.on('data', createCutter((type, flags, body) => {
    const kind = TYPES[type] ?? 'other'
    received.push({ kind, connection, ...take[kind]?.(flags, body) })
  }))
}

/** A printer that does as it is told, down to single packets. */
export async function createPeer (t: Test, serial: string, identity?: Issued): Promise<Peer> {
  const { certificate, key, fingerprint } = identity ?? await issue(serial)
  const received: Packet[] = []
  const sockets = new Set<Socket>()
  const manners: Manners = { connack: 0, suback: 0, unsuback: 'yes', puback: 'yes', answer: () => [] }
  let connections = 0
  const server = createServer({ cert: certificate, key }, socket => {
    socket.on('error', () => {})
    serve(socket, ++connections, serial, manners, received)
  })
  server.on('tlsClientError', () => {})
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
  })
  const tls = new Set<TLSSocket>()
  server.on('secureConnection', socket => { tls.add(socket.once('close', () => tls.delete(socket))) })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const drop = () => { for (const socket of [...tls, ...sockets]) socket.destroy() }
  t.teardown(() => {
    drop()
    server.close()
  })
  const publish = (payload: Uint8Array) => { for (const socket of tls) socket.write(report(serial, payload)) }
  return {
    port: (server.address() as AddressInfo).port,
    fingerprint,
    received,
    manners,
    get connections () { return connections },
    get open () { return sockets.size },
    requests: () => received.flatMap(({ payload }) => Object.entries(payload ?? {})
      .map(([section, body]) => `${section}.${(body as Fields).command as string}`)),
    publish,
    say: document => publish(encode(document)),
    bytes (chunk) { for (const socket of tls) socket.write(chunk) },
    drop
  }
}
