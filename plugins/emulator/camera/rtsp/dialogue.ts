import { randomBytes, createHash } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import type { CameraServerOptions } from '../server.js'
import type { ParameterSets } from '../video/types.js'
import type { VideoSource } from '../video/source.js'
import type { Headers, RtspRequest } from './message.js'
import { createPlayer, type Player } from './player.js'
import { PAYLOAD_TYPE } from './rtp.js'

export interface DialogueOptions extends CameraServerOptions {
  readonly socket: TLSSocket
  readonly source: VideoSource
  /** Whether there is room for one more viewer; makes it when others have to go for it. */
  readonly admit: (socket: TLSSocket) => boolean
  /** A session without a sign of life ends after this. */
  readonly sessionMs: number
}

export interface Reply { readonly status: number, readonly headers?: Headers, readonly body?: string }

/** What one client may ask, and what it has been granted so far. */
export interface Dialogue {
  answer (request: RtspRequest): Reply | Promise<Reply>
  /** Lets go of everything that was granted. */
  finish (): void
}

const PATH = '/streaming/live/1'
const METHODS = 'OPTIONS, DESCRIBE, SETUP, TEARDOWN, PLAY, GET_PARAMETER, SET_PARAMETER'
/** An encoder that has not begun by then never will. */
const ENCODER_MS = 10_000

const pathOf = (uri: string): string => {
  try {
    return new URL(uri).pathname.replace(/\/$/, '')
  } catch {
    return ''
  }
}

const withinTime = <T>(promise: Promise<T>): Promise<T | undefined> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>(resolve => { timer = setTimeout(resolve, ENCODER_MS, undefined).unref() })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/** Describes, sets up and plays the one stream there is. */
export function createDialogue (options: DialogueOptions): Dialogue {
  const { socket, source, admits, admit, accessCode, faultInjector, sessionMs } = options
  const session = randomBytes(4).toString('hex').toUpperCase()
  const digest = createDigest()
  let leave: (() => void) | undefined
  let sets: ParameterSets | undefined
  let player: Player | undefined

  const isAllowed = ({ method, headers }: RtspRequest): boolean =>
    admits(digest.check(headers.get('authorization'), method, accessCode), accessCode)

  const unauthorized = (): Reply => ({ status: 401, headers: { 'WWW-Authenticate': digest.challenge() } })

  const describe = async ({ uri }: RtspRequest): Promise<Reply> => {
    if (pathOf(uri) !== PATH) return { status: 404 }
    if (leave === undefined && !admit(socket)) return { status: 453 }
    leave ??= source.join({ picture: picture => player?.picture(picture), failed: () => socket.destroySoon() })
    sets = await withinTime(source.parameters())
    if (sets === undefined) return { status: 503 }
    const headers = { 'Content-Base': `${uri.replace(/\/$/, '')}/`, 'Content-Type': 'application/sdp' }
    return { status: 200, headers, body: describeStream(sets, socket.localAddress ?? '0.0.0.0', Date.now()) }
  }

  const setup = ({ uri, headers }: RtspRequest): Reply => {
    if (pathOf(uri) !== `${PATH}/${TRACK}` || sets === undefined) return { status: 404 }
    const wish = headers.get('transport') ?? ''
    const [, data = '0', control = '1'] = /interleaved=(\d+)-(\d+)/.exec(wish) ?? []
    if (!wish.startsWith('RTP/AVP/TCP') || Number(data) > 255 || Number(control) > 255) return { status: 461 }
    player?.stop()
    player = createPlayer({ socket, faultInjector, channels: [Number(data), Number(control)] })
    const ssrc = player.rtp.ssrc.toString(16).toUpperCase().padStart(8, '0')
    const transport = `RTP/AVP/TCP;unicast;interleaved=${data}-${control};ssrc=${ssrc};mode="PLAY"`
    return { status: 200, headers: { Transport: transport, Session: `${session};timeout=${Math.round(sessionMs / 1000)}` } }
  }

  const play = ({ uri }: RtspRequest): Reply => {
    if (player === undefined || sets === undefined) return { status: 455 }
    const playing = player
    playing.play(sets)
    setImmediate(() => playing.catchUp(source.recent())) // after the answer
    const track = `${uri.replace(/\/$/, '')}/${TRACK}`
    const info = `url=${track};seq=${player.rtp.next};rtptime=${player.time()}`
    return { status: 200, headers: { Range: 'npt=0.000-', Session: session, 'RTP-Info': info } }
  }

  const finish = (): void => {
    player?.stop()
    player = undefined
    leave?.()
    leave = undefined
    sets = undefined
  }

  const inSession = (request: RtspRequest, act: () => Reply): Reply =>
    player !== undefined && request.headers.get('session')?.split(';')[0] === session ? act() : { status: 454 }

  const ok = (): Reply => ({ status: 200, headers: { Session: session } })

  const answer = (request: RtspRequest): Reply | Promise<Reply> => {
    switch (request.method) {
      case 'OPTIONS': return { status: 200, headers: { Public: METHODS } }
      case 'DESCRIBE': return isAllowed(request) ? describe(request) : unauthorized()
      case 'SETUP': return isAllowed(request) ? setup(request) : unauthorized()
      case 'PLAY': return inSession(request, () => play(request))
      case 'GET_PARAMETER':
      case 'SET_PARAMETER': return player === undefined ? { status: 200 } : inSession(request, ok)
      case 'TEARDOWN': return inSession(request, () => { finish(); return { status: 200 } })
      default: return { status: 405, headers: { Allow: METHODS } }
    }
  }

  return { answer, finish }
}

/** Digest authentication (RFC 2617) with MD5 and without `qop`. */
interface Digest {
  /** Header that asks for credentials; each one makes the last void. */
  challenge (): string
  /** The user that the header proves to know the code, if it does. */
  check (authorization: string | undefined, method: string, code: string): string | undefined
}

const REALM = 'LIVE555 Streaming Media'

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

const fieldsOf = (header: string): Record<string, string> =>
  Object.fromEntries([...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]))

export function createDigest (): Digest {
  let nonce = ''
  return {
    challenge () {
      nonce = randomBytes(16).toString('hex')
      return `Digest realm="${REALM}", nonce="${nonce}"`
    },
    check (authorization, method, code) {
      if (nonce === '' || !authorization?.startsWith('Digest ')) return undefined
      const { username = '', realm, nonce: used, uri = '', response } = fieldsOf(authorization)
      if (realm !== REALM || used !== nonce) return undefined
      const expected = md5(`${md5(`${username}:${REALM}:${code}`)}:${nonce}:${md5(`${method}:${uri}`)}`)
      return response === expected ? username : undefined
    }
  }
}

const TRACK = 'track1'

/** Describes the one track of video (RFC 8866, RFC 6184). */
function describeStream ({ sps, pps }: ParameterSets, address: string, session: number): string {
  const profile = sps.toString('hex', 1, 4).toUpperCase()
  const sets = `${sps.toString('base64')},${pps.toString('base64')}`
  return [
    'v=0',
    `o=- ${session} 1 IN IP4 ${address}`,
    's=Live view',
    't=0 0',
    'a=type:broadcast',
    'a=control:*',
    'a=range:npt=now-',
    `m=video 0 RTP/AVP ${PAYLOAD_TYPE}`,
    'c=IN IP4 0.0.0.0',
    `a=rtpmap:${PAYLOAD_TYPE} H264/90000`,
    `a=fmtp:${PAYLOAD_TYPE} packetization-mode=1;profile-level-id=${profile};sprop-parameter-sets=${sets}`,
    `a=control:${TRACK}`,
    ''
  ].join('\r\n')
}
