import type { TLSSocket } from 'node:tls'
import type { PrinterSession, Services } from '../../core/index.js'
import { awaitLogin, frame, type Welcome } from '../printer-servers/index.js'

export interface PicturesOptions {
  readonly camera: Pick<Services['camera'], 'hold' | 'tap'>
  readonly session: () => PrinterSession | undefined
  /** Whether it may watch. */
  readonly logIn: (user: string, code: string, socket: TLSSocket) => Promise<boolean>
}

/** A viewer with more than this unsent skips pictures. */
const SLOW_BYTES = 1_000_000
/** A viewer that received nothing for this long is disconnected. */
const STUCK_MS = 20_000

/** Sends a camera's pictures to all clients that log in, over a single connection to the camera. */
export function createPictures ({ camera, session, logIn }: PicturesOptions): Welcome {
  function show (socket: TLSSocket, of: PrinterSession): void {
    let takenAt = performance.now()
    const off = camera.tap(of, {
      onFrame ({ jpeg }) {
        if (socket.writableLength <= SLOW_BYTES) {
          takenAt = performance.now()
          for (const part of frame(jpeg)) socket.write(part)
        } else if (performance.now() - takenAt > STUCK_MS) socket.destroy()
      }
    })
    let release = (): void => {}
    socket.once('close', () => { off(); release() }).resume()
    const end = (): void => { socket.destroy() }
    of.signal.addEventListener('abort', end, { once: true })
    socket.once('close', () => of.signal.removeEventListener('abort', end))
    try {
      release = camera.hold(of)
    } catch {
      socket.destroy() // no camera, or no address
    }
  }

  return (socket, admitted) => awaitLogin(socket, login => {
    if (login === undefined) return socket.destroy() as unknown as void
    void logIn(login.user, login.code, socket).then(isIn => {
      const of = session()
      if (!isIn || of === undefined || socket.destroyed) socket.destroySoon()
      else {
        admitted()
        show(socket, of)
      }
    }, () => socket.destroy())
  })
}
