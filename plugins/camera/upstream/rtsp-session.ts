import { CameraError } from './camera-error.js'
import { headerOf } from './rtsp-messages.js'
import type { RtspAnswer, RtspRequests } from './rtsp-requests.js'
import { baseOf, resolveControl } from './rtsp-url.js'
import { readSdp, type VideoTrack } from './sdp.js'

/** Interleaved channels for the video and for its reports, as the camera chose them. */
export interface Channels { readonly data: number, readonly control: number }

/** The video of a camera, set up but not playing yet. */
export interface RtspSession {
  /** ms without a sign of life after which the camera ends the session. */
  readonly timeoutMs: number
  play (): Promise<void>
  /** Keeps the session alive; the response does not matter. */
  keepAlive (): Promise<void>
  /** Resolves once the camera has answered in any way. */
  teardown (): Promise<void>
}

const TRANSPORT = 'Transport: RTP/AVP/TCP;unicast;interleaved=0-1'
const DEFAULT_TIMEOUT_S = 60
const LEAST_TIMEOUT_S = 2
const MOST_TIMEOUT_S = 600
const MOST_CHANNEL = 255

/**
 * Requests the description of the video and sets up its one track.
 * @param onTrack is called before anything that follows the response is parsed
 * @throws CameraError
 */
export async function openSession (requests: RtspRequests, url: string,
  onTrack: (track: VideoTrack, channels: Channels) => void): Promise<RtspSession> {
  const methods = await askMethods(requests, url)
  const { base, track } = await requests.send({ method: 'DESCRIBE', uri: url, headers: ['Accept: application/sdp'] },
    answer => describedBy(answer, url))
  const setup = { method: 'SETUP', uri: resolveControl(base, track.control), headers: [TRANSPORT] }
  const { session, timeoutMs } = await requests.send(setup, answer => {
    onTrack(track, channelsOf(headerOf(answer.headers, 'Transport') ?? ''))
    return sessionOf(headerOf(answer.headers, 'Session') ?? '')
  })
  const uri = resolveControl(base, track.sessionControl)
  const headers = session === undefined ? [] : [`Session: ${session}`]
  let alive = /(^|[\s,])GET_PARAMETER($|[\s,])/i.test(methods) ? 'GET_PARAMETER' : 'OPTIONS'
  return {
    timeoutMs,
    play: () => requests.send({ method: 'PLAY', uri, headers: [...headers, 'Range: npt=0.000-'] }, () => {}),
    async keepAlive () {
      await requests.send({ method: alive, uri, headers }, () => {}).catch(() => { alive = 'OPTIONS' })
    },
    teardown: () => requests.send({ method: 'TEARDOWN', uri, headers }, () => {}).catch(() => {})
  }
}

/** @returns the methods that a camera announces; empty when it announces none */
const askMethods = (requests: RtspRequests, uri: string): Promise<string> =>
  requests.send({ method: 'OPTIONS', uri }, ({ headers }) => headerOf(headers, 'Public') ?? '').catch((error: unknown) => {
    if (error instanceof CameraError && error.kind === 'lost') return '' // it does not know this method either
    throw error
  })

function describedBy ({ headers, body }: RtspAnswer, url: string) {
  const base = baseOf(url, headerOf(headers, 'Content-Base'), headerOf(headers, 'Content-Location'))
  return { base, track: readSdp(body.toString('utf8')) }
}

/** A camera that does not return the channels uses the requested ones. */
function channelsOf (transport: string): Channels {
  if (transport !== '' && !/TCP|interleaved/i.test(transport)) throw notInterleaved()
  const [, first = '0', second] = /interleaved\s*=\s*(\d{1,3})(?:-(\d{1,3}))?/i.exec(transport) ?? []
  const data = Number(first)
  const control = second === undefined ? data + 1 : Number(second)
  if (data > MOST_CHANNEL || control > MOST_CHANNEL) throw notInterleaved()
  return { data, control }
}

const notInterleaved = () => new CameraError('unsupported', 'The camera does not send its video in the same connection')

function sessionOf (header: string) {
  const session = /^[!-:<-~]{1,256}/.exec(header)?.[0]
  const given = Number(/;\s*timeout\s*=\s*(\d{1,6})/i.exec(header)?.[1] ?? DEFAULT_TIMEOUT_S)
  const seconds = given >= LEAST_TIMEOUT_S ? Math.min(given, MOST_TIMEOUT_S) : DEFAULT_TIMEOUT_S
  return { session, timeoutMs: seconds * 1_000 }
}
