import { createAnnouncer, isUser, type Identity } from '../printer-servers/index.js'
import { createCamera } from './camera/index.js'
import type { Clock } from './clock.js'
import { createCommandHandler } from './command-handler.js'
import type { Json } from './json-merge.js'
import { createFaults, type Faults } from './faults.js'
import { createCardPart, type CardPart, type VirtualCard } from './ftp/index.js'
import { malformedPayload } from './malformed-payloads.js'
import { createMqttListener } from './mqtt-listener.js'
import { createMachine } from './machine/create.js'
import { isBusy, startJob, stopJob } from './machine/job.js'
import { runOut } from './machine/run-out.js'
import { createFaultInjector } from './fault-injector.js'
import type { ModelName } from './models/traits.js'
import { resolve, type VirtualPrinterOptions } from './options.js'
import type { Playback, PlayOptions, RecordedFrame } from './recording.js'
import { createRequestLog, type ReceivedRequest } from './request-log.js'
import { createStream } from './report-stream.js'
import { describeJob, type VirtualJob } from './virtual-job.js'
import { encode } from './request.js'

export interface VirtualPrinter {
  readonly model: ModelName
  /** Follows a rename. */
  readonly name: string
  readonly serial: string
  readonly accessCode: string
  readonly host: string
  /** SHA-256 of the certificate, upper-case hex with colons; empty before the first start. */
  readonly fingerprint: string
  /** 0 before the first start if any port may be used. The camera has one of its two, by model. */
  readonly ports: {
    readonly mqtt: number
    readonly ftps: number
    readonly camera?: number
    readonly rtsps?: number
  }
  readonly clock: Clock
  /** The newest 1000 requests as received, oldest first. */
  readonly requests: readonly ReceivedRequest[]
  readonly faults: Faults
  /** The SD card, which can be removed, filled and made faulty. */
  readonly card: VirtualCard
  /** What a plate of a file on the card would do when printed; undefined when unknown. */
  readonly jobOf: CardPart['jobOf']
  /** Opens the ports. After `stop` the printer comes back on the same ports, in the same state. */
  start (): Promise<void>
  stop (): Promise<void>
  /**
   * Starts a job without a file, like a command to print one.
   *
   * @throws Error while another job is in progress
   */
  startJob (job?: VirtualJob): void
  /** Cancels the job as at the printer's screen; without effect if there is none. */
  stopJob (): void
  /** The filament in use runs out now. */
  runOut (): void
  /** The current full report without its envelope, as a copy. */
  report (): Json
  /**
   * Overlays fields on the report and publishes them as the family does. Temperatures, errors, bit words, spools and
   * everything without behaviour change the printer's state; other values hold until it changes them itself.
   */
  patch (fields: Json): void
  /** Publishes raw bytes on the report topic. */
  publish (payload: string | Uint8Array): void
  /** Plays a recorded stream in place of the printer's own reports; requests are still answered. */
  play (frames: readonly RecordedFrame[], options?: PlayOptions): Playback
}

/**
 * A virtual printer. Nothing happens before `start`.
 *
 * @throws RangeError for options that no printer could have
 */
export function createVirtualPrinter (options: VirtualPrinterOptions): VirtualPrinter {
  const settings = resolve(options)
  const { clock, serial, accessCode, indent } = settings
  const machine = createMachine({ ...settings, resolveJob: settings.resolveJob ?? (body => cardPart.resolveJob(body)) })
  const faultInjector = createFaultInjector()
  const log = createRequestLog()

  const publish = (payload: string | Uint8Array): void => {
    if (!faultInjector.silent) link.publish(typeof payload === 'string' ? Buffer.from(payload) : payload)
  }
  const say = (document: Readonly<Json>): void => publish(encode(document, indent))
  const isHeard = (): boolean => !faultInjector.silent && (link.broker?.clients ?? 0) > 0

  const stream = createStream({ ...settings, machine, isHeard, say, sayRaw: publish })

  const commandHandler = createCommandHandler({
    machine,
    clock,
    faultInjector,
    say,
    noted: (topic, request) => log.add(clock.now(), topic, request),
    pushed: stream.pushed,
    acted: stream.reportSoon
  })

  const camera = createCamera({
    machine,
    settings: settings.camera,
    host: settings.host,
    port: settings.cameraPort,
    rejectsCode: () => faultInjector.rejectsCode,
    onChange: stream.reportNow
  })

  const admits = (username: string | undefined, password: string | undefined): boolean =>
    isUser(username) && !faultInjector.rejectsCode && password === accessCode

  const cardPart = createCardPart({
    ...settings,
    port: settings.ftpsPort,
    card: settings.sdCard,
    admits,
    onChange: sdcard => stream.patch({ sdcard })
  })

  const presented = (identity: Identity): void => {
    camera.present(identity)
    cardPart.present(identity)
  }

  const link = createMqttListener({ ...settings, port: settings.mqttPort, presented }, {
    admit: ({ username, password }) => admits(username, password) || undefined,
    subscribed: stream.subscribed,
    requested: payload => commandHandler.receive(`device/${serial}/request`, payload)
  })

  const { announce, address, firmware, traits: { code } } = settings
  const announcer = announce &&
    createAnnouncer({ serial, address, firmware, code, name: () => machine.name }, announce)

  const close = async (): Promise<void> => {
    await Promise.all([camera.stop(), cardPart.close(), link.close()])
  }

  /** A printer does not start without its camera or its card server. */
  const openParts = async (): Promise<void> => {
    const { identity } = link
    if (identity === undefined) return
    await Promise.all([camera.start(identity), cardPart.open(identity)])
      .catch(async error => { await close(); throw error })
  }

  const faults = createFaults({
    machine,
    clock,
    faultInjector,
    camera: camera.faults,
    broker: () => link.broker,
    onChange: stream.reportNow,
    spoil (kind) {
      publish(malformedPayload(kind, JSON.stringify({ print: { command: 'push_status', ...stream.current() } })))
    },
    changeCertificate: link.changeCertificate,
    restoreCertificate: link.restoreCertificate
  })

  return {
    model: options.model,
    serial,
    accessCode,
    host: settings.host,
    clock,
    faults,
    card: cardPart.card,
    jobOf: cardPart.jobOf,
    requests: log.entries,
    get name () { return machine.name },
    get fingerprint () { return link.fingerprint },
    get ports () { return { mqtt: link.port, ftps: cardPart.port, ...camera.ports } },
    async start () {
      await link.open()
      await openParts()
      stream.start()
      announcer?.start()
    },
    async stop () {
      stream.stop()
      await announcer?.stop()
      await close()
    },
    startJob (job = {}) {
      if (isBusy(machine)) throw new Error(`${machine.name} is busy with '${machine.job.name}'`)
      startJob(machine, describeJob(machine, job))
      stream.reportNow()
    },
    stopJob () {
      stopJob(machine)
      stream.reportNow()
    },
    runOut () {
      runOut(machine)
      stream.reportNow()
    },
    report: () => structuredClone(stream.current()),
    patch: stream.patch,
    publish,
    play: stream.play
  }
}
