import type { TLSSocket } from 'node:tls'
import type { CameraServer, CameraServerOptions } from '../server.js'
import { createVideoSource } from '../video/source.js'
import { serveViewer } from './viewer.js'

/** RTSP with interleaved H.264. Encodes only while a client is logged in. */
export function createVideoServer (options: CameraServerOptions): CameraServer {
  const { faultInjector, settings } = options
  const source = createVideoSource(options)
  const viewers = new Set<TLSSocket>()

  const admit = (socket: TLSSocket): boolean => {
    const policy = faultInjector.secondClient ?? settings.secondClient
    if (viewers.size > 0 && policy === 'refuse') return false
    if (policy === 'replace') for (const earlier of viewers) earlier.destroy()
    viewers.add(socket)
    socket.once('close', () => viewers.delete(socket))
    return true
  }

  return {
    get viewers () { return viewers.size },
    welcome: (socket, admitted) => serveViewer({
      ...options,
      socket,
      source,
      admit (who) {
        const isIn = admit(who)
        if (isIn) admitted()
        return isIn
      }
    }),
    async stop () {
      viewers.clear()
      await source.stop()
    }
  }
}
