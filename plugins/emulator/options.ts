import { createHash } from 'node:crypto'
import { networkInterfaces } from 'node:os'
import { isIPv4 } from 'node:net'
import { resolveCamera, type CameraOptions, type CameraSettings } from './camera/index.js'
import type { Clock } from './clock.js'
import { createClock } from './clock.js'
import type { DetectPorts } from './detect.js'
import type { ReadJob, VirtualCardOptions } from './ftp/index.js'
import { readJob } from './sample-sd-card/index.js'
import type { AnnounceOptions, Identity } from '../printer-servers/index.js'
import type { MachineOptions } from './machine/create.js'
import type { ResolveJob } from './machine/types.js'
import { slug, traitsOf } from './models/index.js'
import { AMS_KINDS, type AmsKind, type ModelName, type Traits } from './models/traits.js'

export interface VirtualPrinterOptions {
  readonly model: ModelName
  /** Display name. @default `virtual-` and the model */
  readonly name?: string
  /** Fifteen characters. @default the model's prefix and digits that depend on the name */
  readonly serial?: string
  /** @default 12345678 */
  readonly accessCode?: string
  /** Address to listen on. @default 127.0.0.1 */
  readonly host?: string
  /** 0 takes any free port. @default 0 */
  readonly ports?: {
    readonly mqtt?: number
    readonly ftps?: number
    readonly camera?: number
    readonly rtsps?: number
    /** Where slicers ask which printer this is, before they log in. */
    readonly detect?: number
    /** The same over TLS. */
    readonly detectTls?: number
  }
  /** Speed of the printer's time relative to real time. @default 1 */
  readonly speed?: number
  /** Version of the `ota` module; behaviour that came with a firmware follows it. */
  readonly firmware?: string
  /** False: firmware that wants signed commands refuses every `print` command. @default true */
  readonly developerMode?: boolean
  /** Units, in the order of their ids. @default by model */
  readonly ams?: readonly AmsKind[]
  /** Prints JSON with four spaces per level. @default true on X1, P2, H2, X2 */
  readonly indent?: boolean
  /** Real ms between reports while the printer is busy. At rest the family's own interval applies. @default 1000 */
  readonly reportEveryMs?: number
  /**
   * A custom clock; `speed` then only widens the intervals between reports, so leave it at 1.
   *
   * @default real time, `speed` times as fast
   */
  readonly clock?: Clock
  /** Certificate and key, so that they survive a restart of the program. @default new ones */
  readonly identity?: Identity
  /** Behaviour of the camera. */
  readonly camera?: CameraOptions
  /** Called when a file is to be printed. @returns its content */
  readonly resolveJob?: ResolveJob
  /** The card. */
  readonly sdCard?: VirtualCardOptions
  /**
   * Reads what a file from the card would do when printed; not used if `resolveJob` is given.
   *
   * @default reads archives as slicers write them
   */
  readonly readJob?: ReadJob
  /** Announces it on the network, or only on this machine if it listens on loopback. @default false */
  readonly announce?: boolean | AnnounceOptions
}

export interface Settings extends MachineOptions {
  readonly traits: Traits
  readonly host: string
  readonly mqttPort: number
  readonly ftpsPort: number
  readonly sdCard: VirtualCardOptions
  readonly readJob: ReadJob | undefined
  /** Of the protocol that the model's camera speaks. */
  readonly cameraPort: number
  readonly detectPorts: DetectPorts
  readonly camera: CameraSettings
  readonly speed: number
  readonly indent: boolean
  readonly reportEveryMs: number
  readonly clock: Clock
  readonly identity: Identity | undefined
  /** Undefined: not announced. */
  readonly announce: AnnounceOptions | undefined
}

const DEFAULT_CODE = '12345678'
const DEFAULT_REPORT_MS = 1000
const LOOPBACK = '127.0.0.1'
const ANY = '0.0.0.0'

/** The address in reports: the listening address, or this machine's first if it listens on all. */
function reportedAddress (host: string): string {
  if (isIPv4(host) && host !== ANY) return host
  if (host !== ANY && host !== '::') return LOOPBACK
  const entries = Object.values(networkInterfaces()).flat()
  return entries.find(entry => entry?.family === 'IPv4' && !entry.internal)?.address ?? LOOPBACK
}

function checkAms (kinds: readonly AmsKind[]): readonly AmsKind[] {
  const wrong = kinds.find(kind => !AMS_KINDS.includes(kind))
  if (wrong !== undefined) throw new RangeError(`No AMS kind '${wrong}'. Known: ${AMS_KINDS.join(', ')}`)
  const four = kinds.filter(kind => kind !== 'AMS_HT').length
  if (four <= 4 && kinds.length - four <= 8) return kinds
  throw new RangeError('At most four four-slot units and eight AMS_HT')
}

/** Fifteen characters: the model's prefix and a part that depends on the name alone. */
function serialOf (prefix: string, name: string): string {
  const digits = createHash('sha256').update(name).digest().readUIntBE(0, 6) % 1e9
  return `${prefix}00A${String(digits).padStart(9, '0')}`
}

/**
 * Fills in the defaults.
 *
 * @throws RangeError for a value that no printer could have
 */
export function resolve (options: VirtualPrinterOptions): Settings {
  const traits = traitsOf(options.model)
  if (traits === undefined) throw new RangeError(`No virtual printer model '${String(options.model)}'`)
  const { host = LOOPBACK, speed = 1, reportEveryMs = DEFAULT_REPORT_MS } = options
  const name = options.name ?? `virtual-${slug(options.model)}`
  const camera = resolveCamera(traits, options.camera, options.firmware)
  if (!(reportEveryMs >= 1)) throw new RangeError(`reportEveryMs must be 1 or more, not ${reportEveryMs}`)
  return {
    traits,
    name,
    host,
    speed,
    reportEveryMs,
    serial: options.serial ?? serialOf(traits.serialPrefix, name),
    accessCode: options.accessCode ?? DEFAULT_CODE,
    address: reportedAddress(host),
    firmware: options.firmware ?? traits.firmware,
    developerMode: options.developerMode ?? true,
    ams: checkAms(options.ams ?? traits.ams),
    indent: options.indent ?? traits.indent,
    mqttPort: options.ports?.mqtt ?? 0,
    ftpsPort: options.ports?.ftps ?? 0,
    sdCard: options.sdCard ?? {},
    readJob: options.readJob ?? readJob,
    cameraPort: options.ports?.[camera.protocol === 'jpeg' ? 'camera' : 'rtsps'] ?? 0,
    detectPorts: { detect: options.ports?.detect ?? 0, detectTls: options.ports?.detectTls ?? 0 },
    camera,
    clock: options.clock ?? createClock(speed),
    identity: options.identity,
    announce: options.announce === true ? {} : options.announce || undefined,
    resolveJob: options.resolveJob
  }
}
