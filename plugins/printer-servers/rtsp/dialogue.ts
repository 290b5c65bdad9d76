import { randomBytes } from 'node:crypto'
import type { Authentication } from './authentication.js'
import type { Headers, RtspRequest } from './request.js'
import type { RtpStream } from './rtp.js'
import { TRACK } from './sdp.js'

/** What may count as a sign of life of a client. RTCP stands for receiver reports. */
export const SIGNS_OF_LIFE = ['OPTIONS', 'GET_PARAMETER', 'RTCP'] as const
export type SignOfLife = typeof SIGNS_OF_LIFE[number]

/** Sends the video of one session. */
export interface RtspPlayer {
  readonly rtp: RtpStream
  /** RTP time of a time of `performance.now`, ms. */
  time (at: number): number
  play (): void
  /** Starts sending, after the answer to PLAY. */
  begin (): void
  stop (): void
}

export interface DialogueOptions {
  readonly path: string
  readonly authentication: Authentication
  /** What keeps a session alive; without GET_PARAMETER, that method is refused. */
  readonly aliveBy: readonly SignOfLife[]
  /** A session without a sign of life ends after this, s. */
  readonly sessionSeconds: number
  /** Without an answer, the stream ends but the connection stays open. */
  readonly answersTeardown: boolean
  /** Whether the request is authorized. */
  readonly isAllowed: (request: RtspRequest) => boolean | Promise<boolean>
  /** The description of the stream (SDP), or the reply to send instead. */
  readonly describe: (request: RtspRequest) => Promise<string | Reply>
  readonly createPlayer: (channels: Channels) => RtspPlayer
  /** Playback ended; resources acquired by DESCRIBE can be released. */
  readonly finished: () => void
}

export interface Reply { readonly status: number, readonly headers?: Headers, readonly body?: string }
export type Channels = readonly [data: number, control: number]

/** The requests of one client, and the state of its session. */
export interface Dialogue {
  /** @returns undefined for no answer */
  answer (request: RtspRequest): Reply | undefined | Promise<Reply>
  /** Ends the session and releases its resources. */
  finish (): void
}

const METHODS = 'OPTIONS, DESCRIBE, SETUP, TEARDOWN, PLAY'

const pathOf = (uri: string): string => {
  try {
    return new URL(uri).pathname.replace(/\/$/, '')
  } catch {
    return ''
  }
}

/** Describes, sets up and plays the only stream. */
export function createDialogue (options: DialogueOptions): Dialogue {
  const { path, authentication, sessionSeconds, answersTeardown, isAllowed, finished } = options
  const session = randomBytes(4).toString('hex').toUpperCase()
  const hasParameters = options.aliveBy.includes('GET_PARAMETER')
  const methods = hasParameters ? `${METHODS}, GET_PARAMETER, SET_PARAMETER` : METHODS
  let isDescribed = false
  let player: RtspPlayer | undefined

  const ifAllowed = async (request: RtspRequest, act: () => Reply | Promise<Reply>): Promise<Reply> =>
    await isAllowed(request) ? await act() : { status: 401, headers: { 'WWW-Authenticate': authentication.challenge() } }

  const describe = async (request: RtspRequest): Promise<Reply> => {
    const { uri } = request
    if (pathOf(uri) !== path) return { status: 404 }
    const body = await options.describe(request)
    if (typeof body !== 'string') return body
    isDescribed = true
    return { status: 200, headers: { 'Content-Base': `${uri.replace(/\/$/, '')}/`, 'Content-Type': 'application/sdp' }, body }
  }

  const setup = ({ uri, headers }: RtspRequest): Reply => {
    if (pathOf(uri) !== `${path}/${TRACK}` || !isDescribed) return { status: 404 }
    const requested = headers.get('transport') ?? ''
    const [, data = '0', control = '1'] = /interleaved=(\d+)-(\d+)/.exec(requested) ?? []
    if (!requested.startsWith('RTP/AVP/TCP') || Number(data) > 255 || Number(control) > 255) return { status: 461 }
    player?.stop()
    player = options.createPlayer([Number(data), Number(control)])
    const ssrc = player.rtp.ssrc.toString(16).toUpperCase().padStart(8, '0')
    const transport = `RTP/AVP/TCP;unicast;interleaved=${data}-${control};ssrc=${ssrc};mode="PLAY"`
    return { status: 200, headers: { Transport: transport, Session: `${session};timeout=${Math.round(sessionSeconds)}` } }
  }

  const play = ({ uri }: RtspRequest): Reply => {
    if (player === undefined) return { status: 455 }
    const playing = player
    playing.play()
    setImmediate(() => playing.begin()) // after the answer
    const track = `${uri.replace(/\/$/, '')}/${TRACK}`
    const info = `url=${track};seq=${player.rtp.next};rtptime=${player.time(performance.now())}`
    return { status: 200, headers: { Range: 'npt=0.000-', Session: session, 'RTP-Info': info } }
  }

  const finish = (): void => {
    player?.stop()
    player = undefined
    isDescribed = false
    finished()
  }

  const inSession = <R>(request: RtspRequest, act: () => R): R | Reply =>
    player !== undefined && request.headers.get('session')?.split(';')[0] === session ? act() : { status: 454 }

  const ok = (): Reply => ({ status: 200, headers: { Session: session } })

  const teardown = (): Reply | undefined => {
    finish()
    return answersTeardown ? { status: 200 } : undefined
  }

  const answer: Dialogue['answer'] = request => {
    switch (request.method) {
      case 'OPTIONS': return { status: 200, headers: { Public: methods } }
      case 'DESCRIBE': return ifAllowed(request, () => describe(request))
      case 'SETUP': return ifAllowed(request, () => setup(request))
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
