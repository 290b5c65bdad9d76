import { randomBytes } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import type { CameraServerOptions } from '../server.js'
import type { ParameterSets } from '../video/types.js'
import type { VideoSource } from '../video/source.js'
import { createDigest } from './digest.js'
import type { Headers, RtspRequest } from './message.js'
import { createPlayer, type Player } from './player.js'
import { describeStream, TRACK } from './sdp.js'

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
