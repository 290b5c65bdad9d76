import { randomBytes } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import type { CameraServerOptions } from '../server.js'
import type { ParameterSets } from '../video/types.js'
import type { VideoSource } from '../video/source.js'
import { createBasic, createDigest } from './auth.js'
import type { Headers, RtspRequest } from './message.js'
import { createPlayer, type Player } from './player.js'
import { describeStream, hostileDescription, TRACK } from './sdp.js'

export interface DialogueOptions extends CameraServerOptions {
  readonly socket: TLSSocket
  readonly source: VideoSource
  /** Whether there is room for one more viewer; makes it when others have to go for it. */
  readonly admit: (socket: TLSSocket) => boolean
}

export interface Reply { readonly status: number, readonly headers?: Headers, readonly body?: string }

/** What one client may ask, and what it has been granted so far. */
export interface Dialogue {
  /** Undefined: nothing is answered. */
  answer (request: RtspRequest): Reply | undefined | Promise<Reply>
  /** Lets go of everything that was granted. */
  finish (): void
}

const PATH = '/streaming/live/1'
const METHODS = 'OPTIONS, DESCRIBE, SETUP, TEARDOWN, PLAY'
/** An encoder that has not begun by then never will. */
const ENCODER_MS = 10_000

const pathOf = (uri: string): string => {
  try {
    return new URL(uri).pathname.replace(/\/$/, '')
  } catch {
    return ''
  }
}

/** The same place under another address. */
function elsewhere (uri: string): string {
  const url = new URL(uri)
  url.search = `hop=${randomBytes(4).toString('hex')}`
  return url.href
}

const withinTime = <T>(promise: Promise<T>): Promise<T | undefined> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>(resolve => { timer = setTimeout(resolve, ENCODER_MS, undefined).unref() })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/** Describes, sets up and plays the one stream there is. */
export function createDialogue (options: DialogueOptions): Dialogue {
  const { socket, source, settings, admits, admit, accessCode, faultInjector } = options
  const session = randomBytes(4).toString('hex').toUpperCase()
  const authentication = settings.auth === 'basic' ? createBasic() : createDigest()
  const hasParameters = settings.aliveBy.includes('GET_PARAMETER')
  const methods = hasParameters ? `${METHODS}, GET_PARAMETER, SET_PARAMETER` : METHODS
  let leave: (() => void) | undefined
  let sets: ParameterSets | undefined
  let player: Player | undefined

  const isAllowed = ({ method, headers }: RtspRequest): boolean =>
    admits(authentication.check(headers.get('authorization'), method, accessCode), accessCode)

  const unauthorized = (): Reply => ({ status: 401, headers: { 'WWW-Authenticate': authentication.challenge() } })

  const describe = async ({ uri }: RtspRequest): Promise<Reply> => {
    if (pathOf(uri) !== PATH) return { status: 404 }
    if (faultInjector.redirects) return { status: 302, headers: { Location: elsewhere(uri) } }
    if (leave === undefined && !admit(socket)) return { status: 453 }
    leave ??= source.join({ picture: picture => player?.picture(picture), failed: () => socket.destroySoon() })
    sets = await withinTime(source.parameters())
    if (sets === undefined) return { status: 503 }
    const headers = { 'Content-Base': `${uri.replace(/\/$/, '')}/`, 'Content-Type': 'application/sdp' }
    const tellsSets = settings.parameterSets !== 'in-band'
    const address = socket.localAddress ?? '0.0.0.0'
    const body = describeStream({ sets, tellsSets, address, session: Date.now() })
    const { hostileSdp } = faultInjector
    return { status: 200, headers, body: hostileSdp === undefined ? body : hostileDescription(hostileSdp, body) }
  }

  const setup = ({ uri, headers }: RtspRequest): Reply => {
    if (pathOf(uri) !== `${PATH}/${TRACK}` || sets === undefined) return { status: 404 }
    const wish = headers.get('transport') ?? ''
    const [, data = '0', control = '1'] = /interleaved=(\d+)-(\d+)/.exec(wish) ?? []
    if (!wish.startsWith('RTP/AVP/TCP') || Number(data) > 255 || Number(control) > 255) return { status: 461 }
    player?.stop()
    player = createPlayer({ socket, settings, faultInjector, channels: [Number(data), Number(control)] })
    const ssrc = player.rtp.ssrc.toString(16).toUpperCase().padStart(8, '0')
    const transport = `RTP/AVP/TCP;unicast;interleaved=${data}-${control};ssrc=${ssrc};mode="PLAY"`
    return { status: 200, headers: { Transport: transport, Session: `${session};timeout=${Math.round(settings.sessionSeconds)}` } }
  }

  const play = ({ uri }: RtspRequest): Reply => {
    if (player === undefined || sets === undefined) return { status: 455 }
    const playing = player
    playing.play()
    setImmediate(() => playing.catchUp(source.recent())) // after the answer
    const track = `${uri.replace(/\/$/, '')}/${TRACK}`
    const info = `url=${track};seq=${player.rtp.next};rtptime=${player.time(performance.now())}`
    return { status: 200, headers: { Range: 'npt=0.000-', Session: session, 'RTP-Info': info } }
  }

  const finish = (): void => {
    player?.stop()
    player = undefined
    leave?.()
    leave = undefined
    sets = undefined
  }

  const inSession = <R>(request: RtspRequest, act: () => R): R | Reply =>
    player !== undefined && request.headers.get('session')?.split(';')[0] === session ? act() : { status: 454 }

  const ok = (): Reply => ({ status: 200, headers: { Session: session } })

  const teardown = (): Reply | undefined => {
    finish()
    return settings.answersTeardown ? { status: 200 } : undefined
  }

  const answer: Dialogue['answer'] = request => {
    switch (request.method) {
      case 'OPTIONS': return { status: 200, headers: { Public: methods } }
      case 'DESCRIBE': return isAllowed(request) ? describe(request) : unauthorized()
      case 'SETUP': return isAllowed(request) ? setup(request) : unauthorized()
      case 'PLAY': return inSession(request, () => play(request))
      case 'TEARDOWN': return inSession(request, teardown)
      case 'GET_PARAMETER':
      case 'SET_PARAMETER':
        if (hasParameters) return player === undefined ? { status: 200 } : inSession(request, ok)
    }
    return { status: 405, headers: { Allow: methods } }
  }

  return { answer, finish }
}
