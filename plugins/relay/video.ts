import type { TLSSocket } from 'node:tls'
import type { PrinterSession, Services } from '../../core/index.js'
import type { AccessUnit, VideoSource } from '../camera/index.js'
import {
  createEither, writeSdp, isUser, newNonce, serveRtsp, SIGNS_OF_LIFE, type Welcome, type Reply, type RtspRequest
} from '../printer-servers/index.js'
import type { Client } from './options.js'
import { createVideoPlayer, type VideoPlayer } from './video-player.js'

export interface VideoOptions {
  readonly camera: Pick<Services['camera'], 'video'>
  readonly session: () => PrinterSession | undefined
  /** The client whose code satisfies `proves`; `tried` identifies a wrong code. */
  readonly logIn: (proves: (code: string) => boolean, tried: string, socket: TLSSocket) => Promise<Client | undefined>
}

/** The path that printers report for their live view. */
const PATH = '/streaming/live/1'
const SESSION_SECONDS = 60
/** Time limit from the connection to the start of playback. */
const LOGIN_MS = 30_000
/** Cameras send a key frame every second, some only every ten. */
const FIRST_PICTURE_MS = 15_000

/** The next key frame, with its parameter sets; undefined if there is none in time. */
function firstKey (watch: (onUnit: (unit: AccessUnit) => void) => void): Promise<AccessUnit | undefined> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, FIRST_PICTURE_MS, undefined).unref()
    watch(unit => {
      if (!unit.key) return
      clearTimeout(timer)
      resolve(unit)
    })
  })
}

/** Sends a camera's video, unchanged, to all clients that log in, over a single connection to the camera. */
export function createVideo ({ camera, session, logIn }: VideoOptions): Welcome {
  // A shared nonce: the same wrong code gives the same digest and counts only once. Connections are encrypted anyway.
  const nonce = newNonce()

  function serve (socket: TLSSocket, admitted: () => void): void {
    const authentication = createEither(() => nonce)
    authentication.challenge() // accepts credentials computed for an earlier connection
    let client: Client | undefined
    let player: VideoPlayer | undefined
    let source: VideoSource | undefined
    let release: (() => void) | undefined
    const impatience = setTimeout(() => { if (player === undefined) socket.destroy() }, LOGIN_MS).unref()

    async function isAllowed ({ method, headers }: RtspRequest): Promise<boolean> {
      const shown = headers.get('authorization')
      if (shown === undefined) return false
      const proves = (code: string): boolean => isUser(authentication.check(shown, method, code))
      if (client !== undefined) return proves(client.code)
      client = await logIn(proves, shown, socket)
      if (client !== undefined) admitted()
      return client !== undefined
    }

    /** Also connects to the camera and stays connected. */
    async function describe (): Promise<string | Reply> {
      const of = session()
      source ??= of && camera.video(of)
      if (of === undefined || source === undefined) return { status: 503 }
      const end = (): void => { socket.destroy() }
      of.signal.addEventListener('abort', end, { once: true })
      socket.once('close', () => of.signal.removeEventListener('abort', end))
      const from = source
      const key = await firstKey(take => {
        release?.()
        release = from.attach(take)
      })
      if (key === undefined) return { status: 503 }
      const address = socket.localAddress ?? '0.0.0.0'
      return writeSdp({ sets: key.format, includesSets: true, address, session: Date.now() })
    }

    function finished (): void {
      player = undefined
      release?.()
      release = undefined
    }

    socket.once('close', () => clearTimeout(impatience))
    serveRtsp({
      socket,
      path: PATH,
      authentication,
      aliveBy: SIGNS_OF_LIFE,
      sessionSeconds: SESSION_SECONDS,
      answersTeardown: true,
      isAllowed,
      describe,
      createPlayer (channels) {
        if (source === undefined) throw new Error('DESCRIBE is required first')
        player = createVideoPlayer(socket, channels, source)
        return player
      },
      finished
    })
  }

  return serve
}
