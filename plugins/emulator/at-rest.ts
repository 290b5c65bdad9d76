import type { Json } from './json-merge.js'
import { createMachine } from './machine/create.js'
import type { Tray } from './machine/types.js'
import type { ModelName } from './models/traits.js'
import { resolve } from './options.js'
import { render } from './report/index.js'
import { versionModules } from './report/version.js'

export interface AtRestOptions {
  readonly model: ModelName
  readonly name: string
  /** Address for the network fields. */
  readonly address: string
  /** Spools in four-slot units, 16 at most. */
  readonly trays: readonly Readonly<Json>[]
}

/** The messages of an idle printer. */
export interface AtRest {
  readonly serial: string
  /** The vendor's code of the model. */
  readonly code: string
  readonly firmware: string
  /** Indents its JSON. */
  readonly isIndented: boolean
  /** The whole report, without its envelope. */
  readonly report: Readonly<Json>
  /** The answer to `get_version`, without its envelope. */
  readonly version: Readonly<Json>
}

const SLOTS = 4
const MOST_UNITS = 4

/** The messages of an idle printer, for simulations that do not print. */
export function describeAtRest ({ model, name, address, trays }: AtRestOptions): AtRest {
  const count = Math.min(MOST_UNITS, Math.ceil(trays.length / SLOTS))
  const settings = resolve({ model, name, host: address, ams: Array.from({ length: count }, () => 'AMS' as const) })
  const machine = createMachine(settings)
  for (const [at, unit] of machine.ams.units.entries()) {
    unit.trays = unit.trays.map((_, slot): Tray => ({ ...trays[at * SLOTS + slot], id: String(slot) }))
  }
  const { traits, serial, firmware, indent } = settings
  return {
    serial,
    code: traits.code,
    firmware,
    isIndented: indent,
    report: render(machine),
    version: { command: 'get_version', ...(traits.modern ? {} : { result: 'success', reason: '' }), module: versionModules(machine) }
  }
}
