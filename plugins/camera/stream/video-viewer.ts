import type { ServerResponse } from 'node:http'
import type { RouteOptions } from 'fastify'
import type { VideoFormat } from '../video/types.js'
import { mimeType } from '../video/fmp4.js'

export type WebSocket = Parameters<NonNullable<RouteOptions['wsHandler']>>[0]

/** Where the video of one viewer goes. */
export interface VideoOutlet {
  /** Bytes that were given to it and have not left yet. */
  readonly unsent: number
  /** Begins, or begins anew where it can. @returns false when it ends for that, and the viewer has to come again */
  begin (format: VideoFormat, init: Buffer): boolean
  write (bytes: Buffer): void
  end (): void
}

/** Somebody who watches video. */
export interface VideoViewer {
  /** Begins with a format and what can be decoded of it so far. */
  begin (format: VideoFormat, init: Buffer, recent: readonly Buffer[]): void
  show (bytes: Buffer, key: boolean): void
  /** ms for which nothing left; 0 while it keeps up. */
  stalledMs (now: number): number
  end (): void
}

/** More than this unsent, and a viewer is shown nothing until the next key picture for which there is room. */
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
 * Takes over a response, which ends with the connection: every viewer is given the same bytes without further framing.
 * A new format ends it, as the type of an answer cannot change.
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

/** Over a WebSocket: the type as text, then the head, then fragments; with a new format all of that again. */
export function socketOutlet (socket: WebSocket, onGone: () => void): VideoOutlet {
  socket.on('error', () => {}) // followed by close
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
