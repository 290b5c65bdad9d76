import { createHash } from 'node:crypto'
import type { Test } from 'tap'
import type { VirtualPrinter } from '../../../plugins/emulator/index.js'
import { open, type Wire } from './camera-viewer.js'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A bare RTSP client over one connection. */
export interface Rtsp {
  readonly wire: Wire
  readonly url: string
  ask (method: string, uri?: string, headers?: Record<string, string>): Promise<Answer>
  /** The same with credentials for the last challenge, or plain ones when it had no nonce. */
  askAs (code: string, method: string, uri?: string, headers?: Record<string, string>): Promise<Answer>
  /** DESCRIBE to PLAY; gives the session. */
  play (code: string): Promise<string>
  /** The next binary packet and its channel; answers on the way are passed over. */
  packet (): Promise<{ channel: number, data: Buffer }>
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')
const REALM = 'LIVE555 Streaming Media'

export async function rtsp (t: Test, printer: VirtualPrinter): Promise<Rtsp> {
  const wire = await open(t, printer.ports.rtsps)
  const url = `rtsps://127.0.0.1:${printer.ports.rtsps}/streaming/live/1`
  let sequence = 0
  let nonce = ''

  const binary = async (): Promise<{ channel: number, data: Buffer }> => {
    const header = await wire.take(3)
    return { channel: header.readUInt8(0), data: await wire.take(header.readUInt16BE(1)) }
  }

  const answer = async (): Promise<Answer> => {
    let head = ''
    while (!head.endsWith('\r\n\r\n')) {
      const byte = await wire.take(1)
      if (head === '' && byte[0] === 0x24) await binary()
      else head += byte.toString('latin1')
    }
    const [first = '', ...lines] = head.trim().split('\r\n')
    const headers = Object.fromEntries(lines.map(line => line.split(/: (.*)/).slice(0, 2)))
    nonce = /nonce="(\w+)"/.exec(headers['WWW-Authenticate'] ?? '')?.[1] ?? nonce
    const body = (await wire.take(Number(headers['Content-Length'] ?? 0))).toString('latin1')
    return { status: Number(first.split(' ')[1]), headers, body }
  }

  const ask: Rtsp['ask'] = async (method, uri = url, headers = {}) => {
    const lines = Object.entries({ CSeq: ++sequence, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
    wire.socket.write(`${method} ${uri} RTSP/1.0\r\n${lines.join('')}\r\n`)
    return answer()
  }

  const askAs: Rtsp['askAs'] = (code, method, uri = url, headers = {}) => {
    if (nonce === '') {
      const shown = Buffer.from(`bblp:${code}`).toString('base64')
      return ask(method, uri, { Authorization: `Basic ${shown}`, ...headers })
    }
    const response = md5(`${md5(`bblp:${REALM}:${code}`)}:${nonce}:${md5(`${method}:${uri}`)}`)
    const fields = { username: 'bblp', realm: REALM, nonce, uri, response }
    const text = Object.entries(fields).map(([name, value]) => `${name}="${value}"`).join(', ')
    return ask(method, uri, { Authorization: `Digest ${text}`, ...headers })
  }

  return {
    wire,
    url,
    ask,
    askAs,
    async play (code) {
      await ask('DESCRIBE')
      await askAs(code, 'DESCRIBE')
      const setup = await askAs(code, 'SETUP', `${url}/track1`, { Transport: 'RTP/AVP/TCP;unicast;interleaved=0-1' })
      const session = setup.headers.Session?.split(';')[0] ?? ''
      const { status } = await ask('PLAY', `${url}/`, { Session: session })
      if (status !== 200) throw new Error(`PLAY was answered with ${status}`)
      return session
    },
    async packet () {
      while ((await wire.take(1))[0] !== 0x24) await answer()
      return binary()
    }
  }
}

/** Kind of the unit in an RTP packet, fragments told apart. */
export const kindOf = (packet: Buffer): string => {
  const kind = packet.readUInt8(12) & 31
  return kind === 28 ? `fragment of ${packet.readUInt8(13) & 31}` : String(kind)
}

/** Packets of the next picture. */
export async function pictureOf (client: Rtsp): Promise<Buffer[]> {
  const packets: Buffer[] = []
  for (;;) {
    const { channel, data } = await client.packet()
    if (channel === 0) packets.push(data)
    if (channel === 0 && (data.readUInt8(1) & 0x80) !== 0) return packets
  }
}
