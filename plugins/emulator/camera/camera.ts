import { isUser, openListener, type Identity, type Listener } from '../../printer-servers/index.js'
import type { Machine } from '../machine/types.js'
import { createCameraFaults, type CameraFaults } from './faults.js'
import { createJpegServer } from './jpeg/server.js'
import { announcePort, isLiveViewOff } from './live-view.js'
import { createCameraFaultInjector } from './camera-fault-injector.js'
import type { CameraSettings } from './options.js'
import { createRenderer } from './picture/renderer.js'
import { createVideoServer } from './rtsp/server.js'

/** The camera of a virtual printer: pictures on one port or video on another, by model. */
export interface Camera {
  /** By its name in the configuration; 0 before the first start if any port may be used. */
  readonly ports: { readonly camera: number } | { readonly rtsps: number }
  /** Clients that are logged in. Nothing is drawn and nothing runs without one. */
  readonly viewers: number
  readonly faults: CameraFaults
  start (identity: Identity): Promise<void>
  stop (): Promise<void>
  /** Presents another certificate and ends connections. */
  present (identity: Identity): void
}

export interface CameraParts {
  readonly machine: Machine
  readonly settings: CameraSettings
  readonly host: string
  /** 0 for any. */
  readonly port: number
  /** Whether the printer rejects every access code. */
  readonly rejectsCode: () => boolean
  /** Something in the reports changed. */
  readonly onChange: () => void
}

export function createCamera (parts: CameraParts): Camera {
  const { machine, settings, host } = parts
  const isVideo = settings.protocol === 'rtsps'
  const faultInjector = createCameraFaultInjector()
  const isOff = (): boolean => faultInjector.isOff || (isVideo && isLiveViewOff(machine))
  const isCodeRejected = (): boolean => faultInjector.rejectsCode || parts.rejectsCode()
  const server = (isVideo ? createVideoServer : createJpegServer)({
    settings,
    faultInjector,
    isOff,
    accessCode: machine.accessCode,
    admits: (user, code) => isUser(user) && code === machine.accessCode && !isCodeRejected(),
    renderer: createRenderer(machine, () => faultInjector.printFailure)
  })
  let listener: Listener | undefined
  let opening: Promise<void> | undefined
  let { port } = parts

  const open = async (identity: Identity): Promise<void> => {
    listener = await openListener({ host, port, identity, admits: () => !isVideo || !isOff() }, server.welcome)
    port = listener.port
    if (isVideo) announcePort(machine, port)
  }

  const faults = createCameraFaults({
    machine,
    faultInjector,
    onChange: parts.onChange,
    drop: () => listener?.drop(),
    listening: async open => listener?.listening(open)
  })

  return {
    faults,
    get ports () { return isVideo ? { rtsps: port } : { camera: port } },
    get viewers () { return server.viewers },
    start (identity) {
      opening ??= open(identity).catch(error => { opening = undefined; throw error })
      return opening
    },
    async stop () {
      await opening?.catch(() => {})
      opening = undefined
      const closing = listener
      listener = undefined
      await closing?.close()
      await server.stop()
    },
    present (identity) {
      listener?.present(identity)
      listener?.drop()
    }
  }
}
