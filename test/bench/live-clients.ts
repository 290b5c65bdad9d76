// Socket.IO clients of the application, as their own library makes them; some of them read nothing.
import { io, type Socket } from 'socket.io-client'
import type { WebSocket } from 'ws'

/** What one client got of the stream. */
export interface Listener {
  readonly socket: Socket
  updates: number
  /** Number of the newest report it has been shown. */
  newest: number
  /** Updates that were older than the one before. */
  backward: number
}

/** The part of a telemetry document that carries the number of a report. */
interface Update { readonly printer?: { readonly _printer_state?: { readonly wifi_signal_strength?: string } } }

/** Smaller numbers are signals that the printer itself made up. */
export const FIRST_REPORT = 1_000

/** The field of a report that carries its number. */
export const signalOf = (report: number): string => `-${report}dBm`

/** @returns undefined for an update that shows none of ours */
export function reportIn ({ printer }: Update): number | undefined {
  const number = -Number.parseInt(printer?._printer_state?.wifi_signal_strength ?? '', 10)
  return number >= FIRST_REPORT ? number : undefined
}

const begin = (url: string, reconnection = true): Socket =>
  io(url, { transports: ['websocket'], forceNew: true, reconnection })

/** A client that takes everything. @param seen for each report shown to it for the first time */
export function listen (url: string, seen: (report: number) => void): Listener {
  const listener: Listener = { socket: begin(url), updates: 0, newest: 0, backward: 0 }
  listener.socket.on('printer_update', (update: Update) => {
    listener.updates++
    const report = reportIn(update)
    if (report === undefined || report === listener.newest) return
    if (report < listener.newest) listener.backward++
    listener.newest = report
    seen(report)
  })
  return listener
}

/** A client that logs in and reads nothing from then on; when it has been thrown out, another takes its place. */
export function stick (url: string): { readonly socket: Socket, readonly times: () => number } {
  let times = 0
  const join = (): Socket => {
    const socket = begin(url, false)
    socket.on('connect', () => {
      times++
      const { ws } = socket.io.engine.transport as unknown as { readonly ws: WebSocket } // not in its types
      ws.pause()
    })
    return socket.on('disconnect', join)
  }
  return { socket: join(), times: () => times }
}
