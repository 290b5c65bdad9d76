import { isUser } from './broker.js'
import type { Clock } from './clock.js'
import { createDesk } from './desk.js'
import type { Json } from './document.js'
import { createFaults, type Faults } from './faults.js'
import { garbage } from './garbage.js'
import { createLink } from './link.js'
import { createMachine } from './machine/create.js'
import { isBusy, startJob } from './machine/job.js'
import { runOut } from './machine/runout.js'
import { createMischief } from './mischief.js'
import type { ModelName } from './models/traits.js'
import { resolve, type VirtualPrinterOptions } from './options.js'
import type { Playback, PlayOptions, RecordedFrame } from './recording.js'
import { createRequestLog, type ReceivedRequest } from './requests.js'
import { createStream } from './stream.js'
import { describeJob, type VirtualJob } from './virtual-job.js'
import { encode } from './wire.js'

export interface VirtualPrinter {
  readonly model: ModelName
  /** Follows a rename. */
  readonly name: string
  readonly serial: string
  readonly accessCode: string
  readonly host: string
  /** SHA-256 of the certificate, upper-case hex with colons; empty before the first start. */
  readonly fingerprint: string
  /** 0 before the first start when any port will do. */
  readonly ports: { readonly mqtt: number }
  readonly clock: Clock
  /** Every request as received, oldest first, newest 1000 kept. */
  readonly requests: readonly ReceivedRequest[]
  readonly faults: Faults
  /** Opens the ports. After `stop` the printer comes back on the same port, in the state it was left in. */
  start (): Promise<void>
  stop (): Promise<void>
  /**
   * Starts a job without a file, as a command to print a file would.
   *
   * @throws Error while another job is under way
   */
  startJob (job?: VirtualJob): void
  /** The filament in use comes to its end now. */
  runOut (): void
  /** The current full report without its envelope, as a copy. */
  report (): Json
  /**
   * Lays fields over the report and publishes them as the family does. Temperatures, errors, bit words,
   * spools and everything without behaviour become the printer's own; other values hold until it changes
   * them itself.
   */
  patch (fields: Json): void
  /** Publishes raw bytes on the report topic. */
  publish (payload: string | Uint8Array): void
  /** Plays a recorded stream in place of the printer's own reports; requests are still answered. */
  play (frames: readonly RecordedFrame[], options?: PlayOptions): Playback
}

/**
 * A printer on the wire. Nothing happens before `start`.
 *
 * @throws RangeError for options that no printer could have
 */
export function createVirtualPrinter (options: VirtualPrinterOptions): VirtualPrinter {
  const settings = resolve(options)
  const { clock, serial, accessCode, indent } = settings
  const machine = createMachine(settings)
  const mischief = createMischief()
  const log = createRequestLog()

  const publish = (payload: string | Uint8Array): void => {
    if (!mischief.silent) link.publish(typeof payload === 'string' ? Buffer.from(payload) : payload)
  }
  const say = (document: Readonly<Json>): void => publish(encode(document, indent))
  const isHeard = (): boolean => !mischief.silent && (link.broker?.clients ?? 0) > 0

  const stream = createStream({ ...settings, machine, isHeard, say, sayRaw: publish })

  const desk = createDesk({
    machine,
    clock,
    mischief,
    say,
    noted: (topic, request) => log.add(clock.now(), topic, request),
    pushed: stream.pushed,
    acted: stream.newsSoon
  })

  const link = createLink({ ...settings, port: settings.mqttPort }, {
    admits: (username, password) => isUser(username) && !mischief.rejectsCode && password === accessCode,
    subscribed: stream.greet,
    requested: desk.receive
  })

  const faults = createFaults({
    machine,
    clock,
    mischief,
    broker: () => link.broker,
    news: stream.news,
    spoil (kind) {
      publish(garbage(kind, JSON.stringify({ print: { command: 'push_status', ...stream.current() } })))
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
    requests: log.entries,
    get name () { return machine.name },
    get fingerprint () { return link.fingerprint },
    get ports () { return { mqtt: link.port } },
    async start () {
      await link.open()
      stream.start()
    },
    async stop () {
      stream.stop()
      await link.close()
    },
    startJob (job = {}) {
      if (isBusy(machine)) throw new Error(`${machine.name} is busy with '${machine.job.name}'`)
      startJob(machine, describeJob(machine, job))
      stream.news()
    },
    runOut () {
      runOut(machine)
      stream.news()
    },
    report: () => structuredClone(stream.current()),
    patch: stream.patch,
    publish,
    play: stream.play
  }
}
