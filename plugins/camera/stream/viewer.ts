import type { ServerResponse } from 'node:http'
import { BOUNDARY, type MultipartFrame } from './multipart-frame.js'

/** A viewer of JPEGs, which are written straight to the connection, at most one at a time. */
export interface Viewer {
  /** Sends a picture, or skips it while the previous one is still being sent. */
  show (part: MultipartFrame): void
  /** ms since the connection accepted data; 0 while it keeps up. */
  stalledMs (now: number): number
  end (): void
}

export interface ViewerOptions {
  readonly now: () => number
  /** Called once, when the connection has closed. */
  readonly onGone: () => void
}

const KEEP_ALIVE_MS = 30_000

/**
 * Takes over a response. The stream ends with the connection, so its parts need no further framing and all viewers get
 * the same bytes.
 */
export function createViewer (response: ServerResponse, { now, onGone }: ViewerOptions): Viewer {
  const { socket } = response
  let busySince: number | undefined
  /** The newest skipped picture, sent as soon as there is room. */
  let missed: MultipartFrame | undefined

  response.shouldKeepAlive = false
  response.removeHeader('transfer-encoding')
  response.writeHead(200, {
    'content-type': `multipart/x-mixed-replace; boundary=${BOUNDARY}`,
    'cache-control': 'no-cache, no-store',
    pragma: 'no-cache',
    'x-content-type-options': 'nosniff',
    connection: 'close'
  })
  response.flushHeaders()
  socket?.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS)
  socket?.on('error', () => {})
  if (socket === null || socket.destroyed) queueMicrotask(onGone)
  else socket.once('close', onGone)

  const sent = () => {
    busySince = undefined
    const next = missed
    missed = undefined
    if (next !== undefined) show(next)
  }

  function show (part: MultipartFrame): void {
    if (socket === null || socket.destroyed) return
    if (busySince !== undefined) {
      missed = part
      return
    }
    busySince = now()
    const [head, jpeg, tail] = part
    socket.cork()
    socket.write(head)
    socket.write(jpeg)
    socket.write(tail, sent)
    socket.uncork()
  }

  return {
    show,
    stalledMs: at => busySince === undefined ? 0 : at - busySince,
    end () { socket?.destroy() }
  }
}
