import type { Clock } from './clock.js'
import { createCommandHandler } from './command-handler.js'
import type { Json } from './json-merge.js'
import type { DetectPorts } from './detect.js'
import { createFaults, type Faults } from './faults.js'
import type { CardPart, VirtualCard } from './ftp/index.js'
import { malformedPayload } from './malformed-payloads.js'
import { createMachine } from './machine/create.js'
import { isBusy, startJob, stopJob } from './machine/job.js'
import { runOut } from './machine/run-out.js'
import type { Machine } from './machine/types.js'
import { createFaultInjector } from './fault-injector.js'
import type { ModelName } from './models/traits.js'
import { createNetwork, type Ports } from './network.js'
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
  readonly ports: Ports
  /** Where it says which printer it is, to clients without an access code; not part of a configuration. */
  readonly detectPorts: DetectPorts
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
  const machine = createMachine({ ...settings, resolveJob: settings.resolveJob ?? (body => network.resolveJob(body)) })
  const faultInjector = createFaultInjector()
  const log = createRequestLog()

  const publish = (payload: string | Uint8Array): void => {
    if (!faultInjector.silent) network.publish(typeof payload === 'string' ? Buffer.from(payload) : payload)
  }
  const say = (document: Readonly<Json>): void => publish(encode(document, indent))
  const isHeard = (): boolean => !faultInjector.silent && (network.broker?.clients ?? 0) > 0
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
  const network = createNetwork({
    settings,
    machine,
    faultInjector,
    onSubscribed: stream.subscribed,
    onRequest: payload => commandHandler.receive(`device/${serial}/request`, payload),
    onCamera: stream.reportNow,
    onCard: sdcard => stream.patch({ sdcard })
  })
  const { changeCertificate, restoreCertificate } = network
  const faults = createFaults({
    machine,
    clock,
    faultInjector,
    camera: network.cameraFaults,
    broker: () => network.broker,
    onChange: stream.reportNow,
    spoil (kind) {
      publish(malformedPayload(kind, JSON.stringify({ print: { command: 'push_status', ...stream.current() } })))
    },
    changeCertificate,
    restoreCertificate
  })

  return {
    model: options.model,
    serial,
    accessCode,
    host: settings.host,
    clock,
    faults,
    card: network.card,
    jobOf: network.jobOf,
    requests: log.entries,
    get name () { return machine.name },
    get fingerprint () { return network.fingerprint },
    get ports () { return network.ports },
    get detectPorts () { return network.detectPorts },
    async start () {
      await network.open()
      stream.start()
      network.announce()
    },
    async stop () {
      stream.stop()
      await network.close()
    },
    ...controlsOf(machine, stream.reportNow),
    report: () => structuredClone(stream.current()),
    patch: stream.patch,
    publish,
    play: stream.play
  }
}

/** What a person does at the printer. */
const controlsOf = (machine: Machine, reportNow: () => void):
Pick<VirtualPrinter, 'startJob' | 'stopJob' | 'runOut'> => ({
  startJob (job = {}) {
    if (isBusy(machine)) throw new Error(`${machine.name} is busy with '${machine.job.name}'`)
    startJob(machine, describeJob(machine, job))
    reportNow()
  },
  stopJob () {
    stopJob(machine)
    reportNow()
  },
  runOut () {
    runOut(machine)
    reportNow()
  }
})
