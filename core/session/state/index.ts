import type { ModelInfo } from '../models.js'
import type { Raw } from '../report.js'
import { ams } from './ams.js'
import { capabilities, isDual } from './capabilities.js'
import { device, extensionTool, firmware } from './device.js'
import { doors, lights } from './enclosure.js'
import { errors } from './errors.js'
import { extruders } from './extruders.js'
import { airDuct, fans, heat } from './heat.js'
import { job } from './job.js'
import type { Memory } from './memory.js'
import { detectors, options } from './options.js'
import type { DecodeContext, Section } from './section.js'
import { share } from './share.js'
import { spools } from './spools.js'
import { activeTray } from './trays.js'
import type { PrinterState } from './types.js'

type Sections = { readonly [K in Exclude<keyof PrinterState, 'receivedAt'>]: Section<PrinterState[K]> }

const SECTIONS: Sections = {
  job,
  heat,
  fans,
  airDuct,
  lights,
  doors,
  ams,
  spools,
  extruders,
  activeTray,
  extensionTool,
  errors,
  options,
  detectors,
  device,
  firmware,
  capabilities
}
const NAMES = Object.keys(SECTIONS) as (keyof Sections)[]

/** A state with what each of its parts was read from. */
export interface Decoded {
  readonly state: PrinterState
  readonly inputs: Readonly<Record<string, readonly unknown[]>>
}

/**
 * Decodes a merged report. Parts whose inputs are the same values as in `before` are taken over unread; parts
 * that were read anew but say the same keep their identity.
 */
export function decodeState (raw: Raw, model: ModelInfo, memory: Memory, receivedAt: number,
  before?: Decoded): Decoded {
  const context: DecodeContext = { model, memory, dual: isDual(raw), receivedAt }
  const state: Record<string, unknown> = { receivedAt }
  const inputs: Record<string, readonly unknown[]> = {}
  for (const name of NAMES) {
    const section = SECTIONS[name] as Section<unknown>
    const known = before?.inputs[name]
    const given = section.inputs(raw, context)
    if (before && known && sameValues(known, given)) {
      inputs[name] = known
      state[name] = before.state[name]
    } else {
      inputs[name] = given
      state[name] = share(before?.state[name], section.read(raw, context))
    }
  }
  return { state: Object.freeze(state) as unknown as PrinterState, inputs }
}

const sameValues = (a: readonly unknown[], b: readonly unknown[]) =>
  a.length === b.length && a.every((value, at) => Object.is(value, b[at]))
