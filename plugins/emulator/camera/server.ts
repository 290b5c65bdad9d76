import type { TLSSocket } from 'node:tls'
import type { CameraFaultInjector } from './camera-fault-injector.js'
import type { CameraSettings } from './options.js'
import type { Renderer } from './picture/renderer.js'

/** The server of one camera protocol. */
export interface CameraServer {
  readonly viewers: number
  /** Takes over an encrypted connection. */
  welcome (socket: TLSSocket, admitted: () => void): void
  /** Stops serving; the connections belong to the port. */
  stop (): Promise<void>
}

export interface CameraServerOptions {
  readonly settings: CameraSettings
  readonly renderer: Renderer
  readonly faultInjector: CameraFaultInjector
  readonly accessCode: string
  /** Whether the camera accepts these credentials now. */
  readonly admits: (user: string | undefined, code: string | undefined) => boolean
  readonly isOff: () => boolean
}
