import type { TLSSocket } from 'node:tls'
import type { CameraFaultInjector } from './camera-fault-injector.js'
import type { CameraSettings } from './options.js'
import type { Studio } from './picture/renderer.js'

/** One protocol of a camera, behind its port. */
export interface CameraServer {
  readonly viewers: number
  /** Takes over a connection that is encrypted. */
  welcome (socket: TLSSocket, admitted: () => void): void
  /** Ends what works for viewers; their connections are the port's. */
  stop (): Promise<void>
}

export interface CameraServerOptions {
  readonly settings: CameraSettings
  readonly studio: Studio
  readonly faultInjector: CameraFaultInjector
  readonly accessCode: string
  /** Whether a name and a code open the camera now. */
  readonly admits: (user: string | undefined, code: string | undefined) => boolean
  readonly isOff: () => boolean
}
