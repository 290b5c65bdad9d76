import type { TLSSocket } from 'node:tls'
import { openTls, wordsOf } from '../../../core/index.js'
import { createJpegParser, loginPacket } from './jpeg-messages.js'
import { CameraError } from './camera-error.js'
import type { JpegUpstream, JpegUpstreamContext } from './types.js'

/** After this many invalid pictures in a row, the stream counts as out of sync. */
const MOST_BAD = 3

/**
 * The camera of the A1 and P1 families: complete JPEGs over TLS.
 * @wire port 6000: one login packet up, then pictures down, each after a header of 16 bytes
 */
export const readJpegCamera: JpegUpstream = async context => {
  const { config, pins, signal, timeouts } = context
  const { socket } = await openTls(config, config.ports.camera, pins, { signal, timeoutMs: timeouts.connect })
  return await new Promise<never>((_resolve, reject) => {
    const abort = () => end(signal.reason)
    const end = (reason: unknown) => {
      signal.removeEventListener('abort', abort)
      socket.removeAllListeners('data').removeAllListeners('close')
      socket.destroy()
      reject(reason)
    }
    signal.addEventListener('abort', abort, { once: true })
    listen(socket, context, end)
    if (signal.aborted) abort()
  })
}

function listen (socket: TLSSocket, { config, timeouts, onJpeg }: JpegUpstreamContext,
  end: (reason: unknown) => void): void {
  const where = `${config.host}:${config.ports.camera}`
  let good = 0
  let bad = 0
  const parse = createJpegParser(jpeg => {
    const fits = onJpeg(jpeg)
    good += fits ? 1 : 0
    bad = fits ? 0 : bad + 1
    if (bad >= MOST_BAD) throw new CameraError('bad_data', `${where} sends data that is not JPEG`)
  })
  socket.on('data', piece => {
    try {
      parse(piece)
    } catch (error) {
      end(error)
    }
  })
  let failure: Error | undefined
  socket.on('error', error => { failure = error })
  socket.on('close', () => end(good > 0 || bad > 0 ? lost(where, failure) : loginRefused(where)))
  socket.setTimeout(timeouts.stall, () => end(new CameraError('stalled',
    `${where} sent nothing for ${timeouts.stall / 1000} s; the camera is busy with another client, or off`)))
  socket.write(loginPacket(config.accessCode))
}

const lost = (where: string, failure: Error | undefined) =>
  new CameraError('lost', `${where}: the camera connection was lost${failure ? ` (${wordsOf(failure)})` : ''}`)

/** The printer sends no error: it closes the connection. */
const loginRefused = (where: string) => new CameraError('refused',
  `${where} closed the camera connection right after the login: the access code is wrong, or another client holds ` +
  'the camera. The code is shown on the printer\'s screen.')
