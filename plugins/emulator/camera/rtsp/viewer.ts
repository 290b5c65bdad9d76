import { randomBytes } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import { createBasic, createDigest, writeSdp, serveRtsp, type Reply, type RtspRequest, PAYLOAD_TYPE, TRACK } from '../../../printer-servers/index.js'
import type { CameraServerOptions } from '../server.js'
import type { VideoSource } from '../video/source.js'
import { createPlayer, type Player } from './player.js'
import type { HostileSdp } from '../camera-fault-injector.js'

const ENDLESS_LINES = 40_000
const LONG_CHARS = 40_000
/** An address reserved for documentation, where no host exists. */
const ELSEWHERE = 'rtsps://192.0.2.66:322/streaming/live/1/track1'

const SPOILERS: Readonly<Record<HostileSdp, (sdp: string) => string>> = {
  empty: () => '\r\n',
  'no-video': sdp => sdp.replace('m=video', 'm=audio').replace('H264', 'PCMU'),
  endless: sdp => sdp + 'a=fmtp:96 packetization-mode=1\r\nm=video 0 RTP/AVP 96\r\n'.repeat(ENDLESS_LINES),
  binary: sdp => sdp.replaceAll('=', '\0\x01=\x7f').replaceAll('\r\n', '\r\0\n'),
  numbers: sdp => sdp.replaceAll(`${PAYLOAD_TYPE}`, '99999999999999999999').replace('90000', '-1e309'),
  sets: sdp => sdp.replace(/profile-level-id=.*/, `profile-level-id=zz;sprop-parameter-sets=,,Zw==,${'A'.repeat(LONG_CHARS)}`),
  elsewhere: sdp => sdp.replace(`a=control:${TRACK}`, `a=control:${ELSEWHERE}`)
}

/** A malicious variant of the description. */
const hostileDescription = (how: HostileSdp, sdp: string): string => SPOILERS[how](sdp)

export interface ViewerOptions extends CameraServerOptions {
  readonly socket: TLSSocket
  readonly source: VideoSource
  /** Whether one more viewer is accepted; may disconnect others for it. */
  readonly admit: (socket: TLSSocket) => boolean
}

const PATH = '/streaming/live/1'
/** Timeout for the start of the encoder. */
const ENCODER_MS = 10_000

/** The same resource under another address. */
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

/** Serves one client of the camera, with the active faults applied. */
export function serveViewer (options: ViewerOptions): void {
  const { socket, source, settings, admits, admit, accessCode, faultInjector } = options
  const authentication = settings.auth === 'basic' ? createBasic() : createDigest()
  let leave: (() => void) | undefined
  let player: Player | undefined

  async function describe ({ uri }: RtspRequest): Promise<string | Reply> {
    if (faultInjector.redirects) return { status: 302, headers: { Location: elsewhere(uri) } }
    if (leave === undefined && !admit(socket)) return { status: 453 }
    leave ??= source.join({ picture: picture => player?.picture(picture), failed: () => socket.destroySoon() })
    const sets = await withinTime(source.parameters())
    if (sets === undefined) return { status: 503 }
    const includesSets = settings.parameterSets !== 'in-band'
    const address = socket.localAddress ?? '0.0.0.0'
    const body = writeSdp({ sets: { sps: sets.sps, pps: [sets.pps] }, includesSets, address, session: Date.now() })
    const { hostileSdp } = faultInjector
    return hostileSdp === undefined ? body : hostileDescription(hostileSdp, body)
  }

  serveRtsp({
    socket,
    path: PATH,
    authentication,
    aliveBy: settings.aliveBy,
    sessionSeconds: settings.sessionSeconds,
    answersTeardown: settings.answersTeardown,
    isAllowed: ({ method, headers }) =>
      admits(authentication.check(headers.get('authorization'), method, accessCode), accessCode),
    describe,
    createPlayer (channels) {
      const made = createPlayer({ socket, settings, faultInjector, channels })
      player = made
      const { rtp, time, play, stop } = made
      return { rtp, time, play, stop, begin: () => made.catchUp(source.recent()) }
    },
    finished () {
      player = undefined
      leave?.()
      leave = undefined
    }
  })
}
