import type { ServerResponse } from 'node:http'
import type { RouteOptions } from 'fastify'
import type { VideoFormat } from '../video/types.js'
import { mimeType } from '../video/fragments.js'

export type WebSocket = Parameters<NonNullable<RouteOptions['wsHandler']>>[0]

/** Transport of the video to one viewer. */
export interface VideoOutlet {
  /** Bytes written but not yet sent. */
  readonly unsent: number
  /**
   * Starts, or restarts where the transport can. @returns false when it ends instead, and the viewer has to reconnect
   */
  begin (format: VideoFormat, init: Buffer): boolean
  write (bytes: Buffer): void
  end (): void
}

/** A viewer of video. */
export interface VideoViewer {
  /** Starts with a format and the decodable pictures so far. */
  begin (format: VideoFormat, init: Buffer, recent: readonly Buffer[]): void
  show (bytes: Buffer, key: boolean): void
  /** ms since anything could be sent; 0 while the viewer keeps up. */
  stalledMs (now: number): number
  end (): void
}

/** With more unsent bytes, a viewer is skipped until the next key picture for which there is room. */
const MOST_UNSENT_BYTES = 4 * 1024 * 1024

export function createVideoViewer (outlet: VideoOutlet, now: () => number): VideoViewer {
  let skips = false
  let given = 0
  let left = 0
  let movedAt = now()

  function send (bytes: Buffer): void {
    given += bytes.length
    outlet.write(bytes)
  }

  return {
    begin (format, init, recent) {
      if (!outlet.begin(format, init)) return outlet.end()
      skips = false
      for (const bytes of recent) send(bytes)
    },
    show (bytes, key) {
      if (skips && !key) return
      skips = outlet.unsent + bytes.length > MOST_UNSENT_BYTES
      if (!skips) send(bytes)
    },
    stalledMs (at) {
      const { unsent } = outlet
      if (unsent === 0 || given - unsent > left) movedAt = at
      left = given - unsent
      return at - movedAt
    },
    end: outlet.end
  }
}

const KEEP_ALIVE_MS = 30_000

/**
 * Takes over a response, which ends with the connection: all viewers get the same bytes without further framing. A new
 * format ends it, as the content type of a response cannot change.
 */
export function httpOutlet (response: ServerResponse, onGone: () => void): VideoOutlet {
  const { socket } = response
  let begun = false
  socket?.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS)
  socket?.on('error', () => {})
  if (socket === null || socket.destroyed) queueMicrotask(onGone)
  else socket.once('close', onGone)
  return {
    get unsent () { return socket?.writableLength ?? 0 },
    begin (format, init) {
      if (begun) return false
      begun = true
      response.shouldKeepAlive = false
      response.removeHeader('transfer-encoding')
      response.writeHead(200, {
        'content-type': mimeType(format),
        'cache-control': 'no-cache, no-store',
        'x-content-type-options': 'nosniff',
        connection: 'close'
      })
      response.flushHeaders()
      socket?.write(init)
      return true
    },
    write (bytes) { if (socket?.destroyed === false) socket.write(bytes) },
    end () { socket?.destroy() }
  }
}

/** Over a WebSocket: the type as text, then the init segment, then fragments; a new format repeats all of that. */
export function socketOutlet (socket: WebSocket, onGone: () => void): VideoOutlet {
  socket.on('error', () => {}) // close follows
  socket.once('close', onGone)
  return {
    get unsent () { return socket.bufferedAmount },
    begin (format, init) {
      socket.send(JSON.stringify({ type: mimeType(format), width: format.width, height: format.height }))
      socket.send(init, { binary: true, compress: false })
      return true
    },
    write (bytes) { socket.send(bytes, { binary: true, compress: false }) },
    end () { socket.terminate() }
  }
}
