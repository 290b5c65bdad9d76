import type { TLSSocket } from 'node:tls'
import { awaitLogin, frame, frameHeader } from '../../../printer-servers/index.js'
import { createIntervalRunner } from '../interval-runner.js'
import type { SecondClient } from '../options.js'
import type { CameraServer, CameraServerOptions } from '../server.js'
import type { Spoil } from '../camera-fault-injector.js'

const HEADER_BYTES = 16
/** More than any camera sends, to trigger the size limit of readers. */
const OVERSIZED_BYTES = 12_000_000
const ZEROS_BYTES = 65_536
const LIE_BYTES = 1000

const SPOILERS: Readonly<Record<Spoil, (jpeg: Buffer) => Buffer[]>> = {
  header: jpeg => [Buffer.alloc(HEADER_BYTES, 0xA5), jpeg],
  'short-length': jpeg => [frameHeader(jpeg.length - LIE_BYTES), jpeg],
  'long-length': jpeg => [frameHeader(jpeg.length + LIE_BYTES), jpeg],
  'not-jpeg': jpeg => frame(Buffer.alloc(jpeg.length, 'this is no picture ')),
  truncated: jpeg => frame(jpeg.subarray(0, Math.floor(jpeg.length * 2 / 3))),
  oversized: jpeg => frame(Buffer.concat([jpeg, Buffer.alloc(OVERSIZED_BYTES - jpeg.length)])),
  zeros: () => [Buffer.alloc(ZEROS_BYTES)]
}

/** The packets that a faulty camera sends. */
const spoiled = (jpeg: Buffer, spoil: Spoil): Buffer[] => SPOILERS[spoil](jpeg)

/** A viewer with more unsent bytes than this skips the picture. */
const SLOW_BYTES = 1_000_000

/** Sends pictures one after another to the logged-in clients. Draws only while there are any. */
export function createJpegServer (options: CameraServerOptions): CameraServer {
  const { settings, renderer, faultInjector } = options
  /** With the number of pictures that each has received. */
  const viewers = new Map<TLSSocket, number>()

  const send = (socket: TLSSocket, parts: readonly Buffer[]): void => {
    if (!socket.writable || socket.writableLength > SLOW_BYTES) return
    for (const part of parts) socket.write(part)
    const sent = (viewers.get(socket) ?? 0) + 1
    viewers.set(socket, sent)
    if (sent >= faultInjector.cutAfter) socket.destroySoon()
  }

  const loop = createIntervalRunner(1000 / settings.fps, async () => {
    if (faultInjector.stalled || options.isOff()) return
    const jpeg = await renderer.jpeg(settings, settings.quality)
    const spoil = faultInjector.takeSpoil()
    const parts = spoil === undefined ? frame(jpeg) : spoiled(jpeg, spoil)
    for (const socket of viewers.keys()) send(socket, parts)
  })

  const leave = (socket: TLSSocket): void => {
    viewers.delete(socket)
    if (viewers.size === 0) loop.stop()
  }

  const policy = (): SecondClient => faultInjector.secondClient ?? settings.secondClient

  const join = (socket: TLSSocket): void => {
    if (viewers.size > 0 && policy() === 'refuse') return socket.destroySoon()
    if (policy() === 'replace') for (const earlier of viewers.keys()) earlier.destroy()
    viewers.set(socket, 0)
    socket.once('close', () => leave(socket)).resume()
    loop.start()
  }

  return {
    get viewers () { return viewers.size },
    welcome: (socket, admitted) => awaitLogin(socket, login => {
      if (login === undefined || !options.admits(login.user, login.code)) socket.destroySoon()
      else if (!socket.destroyed) {
        admitted()
        join(socket)
      }
    }),
    async stop () {
      loop.stop()
      viewers.clear()
    }
  }
}
