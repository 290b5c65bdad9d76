import type { AddressInfo } from 'node:net'
import { createConnection, type Socket as Raw } from 'node:net'
import { io, type Socket } from 'socket.io-client'
import type { Test } from 'tap'
import { bootApp, type App } from '../../presets/standalone/boot.js'
import type { BootOptions } from '../../helpers/boot.js'

/** The application on a port. */
export const listen = (t: Test, options: BootOptions = {}): Promise<App> => bootApp(t, { listen: true, ...options })

export const baseOf = ({ kernel }: App): string => `http://127.0.0.1:${(kernel.app.server.address() as AddressInfo).port}`

/** A client of the official library. */
export async function connect (t: Test, app: App, options: object = {}): Promise<Socket> {
  const socket = io(baseOf(app), { reconnection: false, forceNew: true, ...options })
  t.teardown(() => { socket.disconnect() })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('connect_error', reject)
  })
  return socket
}

export const nextUpdate = (socket: Socket): Promise<Record<string, any>> =>
  new Promise(resolve => { socket.once('printer_update', resolve) })

/** The update that follows a report. */
export function updateOf (app: App, socket: Socket): Promise<Record<string, any>> {
  const update = nextUpdate(socket)
  app.printer.patch({ wifi_signal: `-${20 + Math.floor(Math.random() * 70)}dBm` })
  return update
}

/** A WebSocket client that logs in and then reads nothing any more. */
export async function stuckClient (t: Test, app: App): Promise<Raw> {
  const { hostname, port } = new URL(baseOf(app))
  const raw = createConnection({ host: hostname, port: Number(port) })
  t.teardown(() => { raw.destroy() })
  raw.on('error', () => {})
  raw.write(`GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: ${hostname}:${port}\r\nUpgrade: websocket\r\n` +
    'Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n')
  await new Promise(resolve => { raw.once('data', resolve) })
  const packet = Buffer.from('40') // asks to join
  raw.write(Buffer.concat([Buffer.from([0x81, 0x80 | packet.length, 0, 0, 0, 0]), packet]))
  await new Promise(resolve => { raw.once('data', resolve) })
  raw.pause()
  return raw
}
