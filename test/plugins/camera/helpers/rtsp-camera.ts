import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import type { Test } from 'tap'
import { createIdentity } from '../../../../plugins/emulator/index.js'
import type { AccessUnit } from '../../../../plugins/camera/video/types.js'
import { CODE, X1_SERIAL } from './boot.js'
import { createRtpSource, interleaved, key, PPS, slice, SPS, type RtpSource } from './h264.js'
import { plainUnits } from './units.js'

export interface ScriptedRequest {
  readonly method: string
  readonly uri: string
  /** Whole, as it came. */
  readonly text: string
  readonly sequence: string
  readonly socket: TLSSocket
  /** How many of this method came before on this connection. */
  readonly count: number
}

/** Status line and headers without `CSeq`, a whole answer, or nothing at all. */
export type ScriptedReply = readonly string[] | Buffer | undefined

export interface RtspScript {
  /** In place of what a usual camera answers. */
  readonly replies?: Readonly<Record<string, (request: ScriptedRequest) => ScriptedReply>>
  /** After the answer to PLAY. */
  readonly show?: (socket: TLSSocket) => void
  readonly sdp?: string
  readonly welcome?: (socket: TLSSocket) => void
  readonly serial?: string
}

export interface ScriptedCamera {
  readonly port: number
  readonly requests: ScriptedRequest[]
  /** Packets from the client by channel. */
  readonly packets: (readonly [channel: number, packet: Buffer])[]
  readonly open: number
  /** Connections that there were. */
  readonly total: number
  readonly methods: readonly string[]
  close (): Promise<void>
}

const sdpOf = (sets: readonly Buffer[]): string => [
  'v=0', 'o=- 1 1 IN IP4 0.0.0.0', 's=x', 't=0 0', 'a=control:*', 'm=video 0 RTP/AVP 96', 'a=rtpmap:96 H264/90000',
  `a=fmtp:96 packetization-mode=1;sprop-parameter-sets=${sets.map(set => set.toString('base64')).join(',')}`,
  'a=control:track1', ''].join('\r\n')
export const SDP = sdpOf([SPS, PPS])

export const OK = 'RTSP/1.0 200 OK'

/** The description as the body of an answer. */
export const described = (sdp: string, ...headers: readonly string[]): Buffer =>
  Buffer.from([OK, ...headers, `Content-Length: ${Buffer.byteLength(sdp)}`, '', sdp].join('\r\n'))

/** A camera whose every word a test may choose, written from the standards alone. */
export async function startScriptedCamera (t: Pick<Test, 'teardown'>, script: RtspScript = {}): Promise<ScriptedCamera> {
  const { key, certificate } = await createIdentity(script.serial ?? X1_SERIAL)
  const requests: ScriptedRequest[] = []
  const packets: [number, Buffer][] = []
  const sockets = new Set<TLSSocket>()
  let total = 0

  const usual: Readonly<Record<string, (request: ScriptedRequest) => ScriptedReply>> = {
    OPTIONS: () => [OK, 'Public: OPTIONS, DESCRIBE, SETUP, PLAY, GET_PARAMETER, TEARDOWN'],
    DESCRIBE: ({ uri }) => described(script.sdp ?? SDP, `Content-Base: ${uri}/`),
    SETUP: () => [OK, 'Transport: RTP/AVP/TCP;unicast;interleaved=0-1', 'Session: 12AB;timeout=60']
  }

  function answer (request: ScriptedRequest): void {
    const { method, socket, sequence } = request
    const reply = (script.replies?.[method] ?? usual[method] ?? (() => [OK]))(request)
    if (reply === undefined) return
    const text = Buffer.isBuffer(reply) ? reply.toString('latin1') : [...reply, '', ''].join('\r\n')
    socket.write(text.replace(/^(RTSP\/1.0 [^\r]*)\r\n/, `$1\r\nCSeq: ${sequence}\r\n`), 'latin1')
    if (method === 'PLAY' && / 200 /.test(text)) (script.show ?? showing())(socket)
    if (method === 'TEARDOWN') socket.end()
  }

  const server = createServer({ key, cert: certificate, maxVersion: 'TLSv1.2' }, socket => {
    sockets.add(socket)
    total++
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
    script.welcome?.(socket)
    const counts = new Map<string, number>()
    let rest = Buffer.alloc(0)
    socket.on('data', (piece: Buffer) => {
      rest = Buffer.concat([rest, piece])
      for (;;) {
        if (rest[0] === 0x24) {
          if (rest.length < 4 || rest.length < 4 + rest.readUInt16BE(2)) return
          const end = 4 + rest.readUInt16BE(2)
          packets.push([rest[1] ?? 0, rest.subarray(4, end)])
          rest = rest.subarray(end)
          continue
        }
        const end = rest.indexOf('\r\n\r\n')
        if (end < 0) return
        const text = rest.toString('latin1', 0, end)
        rest = rest.subarray(end + 4)
        const [method = '', uri = ''] = text.split(' ')
        const count = counts.get(method) ?? 0
        counts.set(method, count + 1)
        const request = { method, uri, text, socket, count, sequence: /CSeq: (\d+)/.exec(text)?.[1] ?? '' }
        requests.push(request)
        if (!method.startsWith('RTSP/')) answer(request)
      }
    })
  })
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  t.teardown(close)
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    packets,
    close,
    get open () { return sockets.size },
    get total () { return total },
    get methods () { return requests.map(({ method }) => method) }
  }
}

/** The packets of the usual video: a key picture of two units each second, others between. */
export function picturesOf (source: RtpSource, count: number, from = 0): Buffer[] {
  const nalOf = (at: number) => at % 30 === 0 ? key({ size: 3_000 }) : slice()
  return Array.from({ length: count }, (_, at) => source.picture([nalOf(from + at)])).flat()
}

export interface Showing {
  readonly channel?: number
  /** The packets of picture number `at`. */
  readonly picture?: (source: RtpSource, at: number) => Buffer[]
  readonly everyMs?: number
}

/** Sends pictures for as long as somebody is there. */
export function showing (options: Showing = {}): (socket: TLSSocket) => void {
  const { channel = 0, everyMs = 10, picture = (source, at) => picturesOf(source, 1, at) } = options
  return socket => {
    const source = createRtpSource()
    let at = 0
    const timer = setInterval(() => {
      const packets = picture(source, at++).map(packet => interleaved(packet, channel))
      if (socket.writable) socket.write(Buffer.concat(packets))
    }, everyMs)
    socket.once('close', () => clearInterval(timer))
  }
}

export interface VideoCamera extends ScriptedCamera {
  /** Shows other pictures from now on. */
  change (units: readonly AccessUnit[]): void
  /** Ends all connections; new ones are taken. */
  hangUp (): void
}

/** A camera that shows these pictures over and over, each key picture with its parameter sets. */
export async function startVideoCamera (
  t: Pick<Test, 'teardown'>, units: readonly AccessUnit[] = plainUnits(160, 96, [60, 190]), everyMs = 10
): Promise<VideoCamera> {
  const { sps, pps } = (units[0] as AccessUnit).format
  const sockets = new Set<TLSSocket>()
  let shown = units
  const picture = (source: RtpSource, at: number) => {
    const { key, nalus, format } = shown[at % shown.length] as AccessUnit
    return source.picture(key ? [format.sps, ...format.pps, ...nalus] : nalus)
  }
  const show = showing({ picture, everyMs })
  const camera = await startScriptedCamera(t, {
    sdp: sdpOf([sps, ...pps]),
    show (socket) {
      sockets.add(socket)
      show(socket)
    }
  })
  return Object.assign(Object.create(camera) as ScriptedCamera, {
    change (units: readonly AccessUnit[]) { shown = units },
    hangUp () { for (const socket of sockets) socket.destroy() }
  })
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

export interface Digest {
  readonly nonce: string
  readonly realm?: string
  readonly qop?: boolean
  readonly code?: string
}

/** Whether a request proves that it knows the access code. */
export function proves ({ text, method, uri }: ScriptedRequest, digest: Digest): boolean {
  const { nonce, realm = 'cam', qop = false, code = CODE } = digest
  const line = /Authorization: Digest (.*)/.exec(text)?.[1] ?? ''
  const field = (name: string) => new RegExp(`\\b${name}="?([^",]*)"?`).exec(line)?.[1] ?? ''
  const [secret, request] = [md5(`bblp:${realm}:${code}`), md5(`${method}:${uri}`)]
  const between = qop ? `${nonce}:${field('nc')}:${field('cnonce')}:auth` : nonce
  return field('nonce') === nonce && field('username') === 'bblp' && field('uri') === uri &&
    field('response') === md5(`${secret}:${between}:${request}`)
}
