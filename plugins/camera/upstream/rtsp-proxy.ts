import { createServer, type Server, type Socket } from 'node:net'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { openTls } from '../../../core/index.js'
import { CameraError, toCameraError } from './camera-error.js'
import { createRtspRewriter } from './rtsp-rewriter.js'
import type { UpstreamContext } from './types.js'

/** A door on this machine to the camera of one printer, for one player. */
export interface RtspProxy {
  /** What the player opens; it holds no secret of the printer. */
  readonly url: string
  /** Rejects when the way to the camera ends, with the reason; pending until then. */
  readonly ended: Promise<never>
  close (): void
}

/** @wire the stream of every printer with RTSPS */
const PATH = '/streaming/live/1'
const LOOPBACK = '127.0.0.1'
const LAST_WORDS_MS = 500

/**
 * The connection to the camera is opened and judged first, so that nobody is let in where nobody answers. Then one
 * player may connect, with a path that only it was told; the door closes behind it.
 * @throws CameraProblem
 */
export async function openRtspProxy (context: UpstreamContext): Promise<RtspProxy> {
  const { config, pins, signal, timeouts } = context
  const { host, ports: { rtsps } } = config
  const { socket: camera } = await openTls(config, rtsps, pins, { signal, timeoutMs: timeouts.connect })
    .catch((error: unknown) => { throw signal.aborted ? signal.reason : named(error, `${host}:${rtsps}`) })
  const server = createServer({ noDelay: true })
  try {
    server.listen(0, LOOPBACK)
    await once(server, 'listening', { signal })
  } catch (error) {
    camera.destroy()
    server.close()
    throw error
  }
  const address = server.address()
  const base = `rtsp://${LOOPBACK}:${typeof address === 'object' ? address?.port : 0}/${randomBytes(12).toString('hex')}`
  const { ended, close } = join(server, camera, base, context)
  return { url: base + PATH, ended, close }
}

function join (server: Server, camera: Socket, base: string, { config }: UpstreamContext) {
  const { host, ports: { rtsps }, accessCode } = config
  const where = `${host}:${rtsps}`
  let player: Socket | undefined
  let end = (_reason: unknown) => {}
  const ended = new Promise<never>((_resolve, reject) => { end = reject })
  ended.catch(() => {}) // whoever reads the pictures looks at it when it matters
  let closed = false
  const close = () => {
    closed = true
    server.close()
    player?.destroy()
    camera.end() // what the player said last still goes out
    setTimeout(() => camera.destroy(), LAST_WORDS_MS).unref()
  }
  const finish = (reason: unknown) => {
    if (closed) return
    end(reason)
    close()
  }
  const guarded = (work: (piece: Buffer) => void) => (piece: Buffer) => {
    try {
      work(piece)
    } catch (error) {
      finish(error)
    }
  }
  const rewriter = createRtspRewriter({
    ours: base,
    theirs: `rtsps://${host}:${rtsps}`,
    accessCode,
    toCamera: bytes => { if (!camera.write(bytes)) player?.pause() },
    toPlayer: bytes => { if (player?.write(bytes) === false) camera.pause() }
  })
  server.on('connection', socket => {
    if (player !== undefined) return socket.destroy()
    player = socket
    server.close()
    socket.on('data', guarded(rewriter.request)).on('drain', () => camera.resume())
    socket.on('error', () => {}).on('close', close)
  })
  server.on('error', finish)
  let failure: Error | undefined
  let heard = false
  camera.on('data', guarded(piece => { heard = true; rewriter.answer(piece) })).on('drain', () => player?.resume())
  camera.on('error', error => { failure = error })
  camera.on('close', () => finish(heard ? lost(where, failure) : liveViewOff(where)))
  return { ended, close }
}

const lost = (where: string, failure: Error | undefined) =>
  new CameraError('lost', `${where}: the camera connection was lost${failure ? ` (${failure.message})` : ''}`)

/** A printer whose live view is off refuses, or closes before its first word. */
const liveViewOff = (where: string) => new CameraError('live_view_off',
  `${where} closes the camera connection at once: ${SWITCH_IT_ON}`)

export const SWITCH_IT_ON = 'live view is off. Switch on "LAN Mode Liveview" on the printer\'s screen.'

function named (error: unknown, where: string): CameraError {
  const problem = toCameraError(error)
  const { code } = ((problem.cause as Error | undefined)?.cause ?? {}) as { code?: string }
  return code === 'ECONNREFUSED' || code === 'ECONNRESET'
    ? new CameraError('live_view_off', `${where} refuses the camera connection: the printer is off, or ${SWITCH_IT_ON}`,
      { cause: error })
    : problem
}
