import { createAnnouncer, isUser, type Broker, type Identity } from '../printer-servers/index.js'
import { createCamera, type CameraFaults } from './camera/index.js'
import { createDetect, type DetectPorts } from './detect.js'
import type { FaultInjector } from './fault-injector.js'
import { createCardPart, type CardPart } from './ftp/index.js'
import type { Machine } from './machine/types.js'
import { createMqttListener } from './mqtt-listener.js'
import type { Settings } from './options.js'

export interface NetworkOptions {
  readonly settings: Settings
  readonly machine: Machine
  readonly faultInjector: FaultInjector
  /** A client has subscribed to reports. */
  readonly onSubscribed: () => void
  readonly onRequest: (payload: Buffer) => void
  /** The camera has changed the report. */
  readonly onCamera: () => void
  /** The card was inserted or removed. */
  readonly onCard: (isPresent: boolean) => void
}

/** 0 before the first start if any port may be used. The camera has one of its two, by model. */
export interface Ports {
  readonly mqtt: number
  readonly ftps: number
  readonly camera?: number
  readonly rtsps?: number
}

/** The servers of a virtual printer, which present the same certificate, and announcements. */
export interface Network extends Pick<CardPart, 'card' | 'jobOf' | 'resolveJob'> {
  /** Undefined while the printer is off. */
  readonly broker: Broker | undefined
  readonly fingerprint: string
  readonly ports: Ports
  readonly detectPorts: DetectPorts
  readonly cameraFaults: CameraFaults
  /** Opens the ports. A printer does not start without all of them. */
  open (): Promise<void>
  close (): Promise<void>
  announce (): void
  publish (payload: Uint8Array): void
  changeCertificate (): Promise<string>
  restoreCertificate (): void
}

export function createNetwork (options: NetworkOptions): Network {
  const { settings, machine, faultInjector } = options
  const { serial, host, address, firmware, traits: { code } } = settings

  const admits = (username: string | undefined, password: string | undefined): boolean =>
    isUser(username) && !faultInjector.rejectsCode && password === settings.accessCode

  const camera = createCamera({
    machine,
    settings: settings.camera,
    host,
    port: settings.cameraPort,
    rejectsCode: () => faultInjector.rejectsCode,
    onChange: options.onCamera
  })
  const cardPart = createCardPart({
    ...settings, port: settings.ftpsPort, card: settings.sdCard, admits, onChange: options.onCard
  })
  const detect = createDetect({
    host, ports: settings.detectPorts, describe: () => ({ serial, code, firmware, name: machine.name })
  })
  const presented = (identity: Identity): void => {
    detect.present(identity)
    camera.present(identity)
    cardPart.present(identity)
  }
  const mqtt = createMqttListener({ ...settings, port: settings.mqttPort, presented }, {
    admit: ({ username, password }) => admits(username, password) || undefined,
    subscribed: options.onSubscribed,
    requested: options.onRequest
  })
  const announcer = settings.announce &&
    createAnnouncer({ serial, address, firmware, code, name: () => machine.name }, settings.announce)

  const closePorts = async (): Promise<void> => {
    await Promise.all([camera.stop(), cardPart.close(), detect.close(), mqtt.close()])
  }

  return {
    get broker () { return mqtt.broker },
    get fingerprint () { return mqtt.fingerprint },
    get ports () { return { mqtt: mqtt.port, ftps: cardPart.port, ...camera.ports } },
    get detectPorts () { return detect.ports },
    cameraFaults: camera.faults,
    card: cardPart.card,
    jobOf: cardPart.jobOf,
    resolveJob: cardPart.resolveJob,
    publish: mqtt.publish,
    changeCertificate: mqtt.changeCertificate,
    restoreCertificate: mqtt.restoreCertificate,
    announce: () => announcer?.start(),
    async open () {
      await mqtt.open()
      const { identity } = mqtt
      if (identity === undefined) return
      await Promise.all([camera.start(identity), cardPart.open(identity), detect.open(identity)])
        .catch(async error => { await closePorts(); throw error })
    },
    async close () {
      await announcer?.stop()
      await closePorts()
    }
  }
}
