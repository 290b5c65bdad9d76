import type { CameraOptions } from './camera/index.js'
import type { Clock } from './clock.js'
import { slug } from './models/index.js'
import type { ResolveJob } from './machine/types.js'
import type { VirtualCardOptions } from './ftp/index.js'
import type { ModelName } from './models/traits.js'
import type { VirtualPrinterOptions } from './options.js'
import { createVirtualPrinter, type VirtualPrinter } from './printer.js'

export interface FleetOptions {
  readonly models: readonly ModelName[]
  /** How many printers; the models are taken in turn. @default one of each model named */
  readonly count?: number
  readonly host?: string
  /** @default 12345678 */
  readonly accessCode?: string
  readonly speed?: number
  /** First MQTT port, one more for each printer. @default any free ports */
  readonly basePort?: number
  readonly reportEveryMs?: number
  readonly developerMode?: boolean
  readonly clock?: Clock
  readonly camera?: CameraOptions
  readonly resolveJob?: ResolveJob
  /** The card of each printer. @default empty ones */
  readonly sdCard?: VirtualCardOptions
  /** Announces the printers on the network. @default false */
  readonly announce?: boolean
}

export interface Fleet {
  readonly printers: readonly VirtualPrinter[]
  stop (): Promise<void>
}

/** `virtual-x1c`, `virtual-x1c-2`, … */
export function fleetNames (models: readonly ModelName[]): string[] {
  const seen = new Map<ModelName, number>()
  return models.map(model => {
    const nth = (seen.get(model) ?? 0) + 1
    seen.set(model, nth)
    return `virtual-${slug(model)}${nth === 1 ? '' : `-${nth}`}`
  })
}

function optionsOf (fleet: FleetOptions): VirtualPrinterOptions[] {
  const { models, count = models.length, basePort, ...shared } = fleet
  if (models.length === 0) throw new RangeError('A fleet needs at least one model')
  const all = Array.from({ length: count }, (_, at) => models[at % models.length] as ModelName)
  const named = fleetNames(all)
  return all.map((model, at) => ({
    ...shared,
    model,
    name: named[at] ?? slug(model),
    ports: { mqtt: basePort === undefined ? 0 : basePort + at }
  }))
}

/**
 * Starts many printers with different names and serials. If one fails to start, all are stopped.
 *
 * @throws RangeError without a model; the error of `listen` when a port is in use
 */
export async function startFleet (fleet: FleetOptions): Promise<Fleet> {
  const printers = optionsOf(fleet).map(createVirtualPrinter)
  const stop = async (): Promise<void> => { await Promise.all(printers.map(printer => printer.stop())) }
  const outcomes = await Promise.allSettled(printers.map(printer => printer.start()))
  const failed = outcomes.find(outcome => outcome.status === 'rejected')
  if (failed === undefined) return { printers, stop }
  await stop()
  throw failed.reason
}
