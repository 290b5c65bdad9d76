import { setTimeout as sleep } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import { openTls } from '../../../core/index.js'
import { createRtspConnection, type RtspConnection } from './rtsp-connection.js'
import { closed, deaf, notConnected } from './rtsp-errors.js'
import { streamUrl } from './rtsp-url.js'
import type { VideoUpstream } from './types.js'

/** A camera that leaves this much unread is disconnected. */
const MOST_UNSENT_BYTES = 64 * 1024

/**
 * The camera of the X1, H2, P2 and X2 families: H.264 in RTP, interleaved with RTSP in one TLS connection.
 * @wire port 322: OPTIONS, DESCRIBE, SETUP, PLAY; then packets down, reports and keep-alives up; TEARDOWN
 */
export const rtspsCamera: VideoUpstream = async context => {
  const { config, pins, signal, timeouts } = context
  const { host, ports: { rtsps: port } } = config
  const where = `${host}:${port}`
  const { socket } = await openTls(config, port, pins, { signal, timeoutMs: timeouts.connect })
    .catch((error: unknown) => { throw signal.aborted ? signal.reason : notConnected(error, where) })
  const ending = new AbortController()
  const end = (reason: unknown) => ending.abort(reason) // the first reason stays
  const over = new Promise(resolve => ending.signal.addEventListener('abort', resolve, { once: true }))
  const connection = createRtspConnection({ ...context, end, write: writerOf(socket, end) })
  carry(socket, where, connection, end)
  signal.addEventListener('abort', () => end(signal.reason), { signal: ending.signal })
  if (signal.aborted) end(signal.reason)
  else connection.play(streamUrl(host, port)).catch(end)
  await over
  await Promise.race([connection.leave(), sleep(timeouts.grace, undefined, { ref: false })])
  connection.close(ending.signal.reason)
  socket.destroy()
  throw ending.signal.reason
}

const writerOf = (socket: TLSSocket, end: (reason: unknown) => void) => (data: string | Buffer): void => {
  if (socket.writableLength > MOST_UNSENT_BYTES) end(deaf())
  else if (socket.writable) socket.write(data)
}

function carry (socket: TLSSocket, where: string, connection: RtspConnection, end: (reason: unknown) => void): void {
  let failure: Error | undefined
  socket.setNoDelay(true)
  socket.on('data', (piece: Buffer) => {
    try {
      connection.take(piece)
    } catch (error) {
      end(error)
      connection.close(error) // the stream is broken, so a TEARDOWN response could not be recognised
    }
  })
  socket.on('error', error => { failure = error })
  socket.on('close', () => {
    const reason = closed(where, connection.wasHeard, failure)
    end(reason)
    connection.close(reason)
  })
}
