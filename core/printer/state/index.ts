import type { ModelInfo } from '../models.js'
import { ams } from './ams.js'
import { capabilities, isDual } from './capabilities.js'
import { createInvalidationIndex, type Changes, type Mask } from './section-invalidation.js'
import { device, extensionTool, firmware } from './device.js'
import { doors, lights } from './lights-and-doors.js'
import { errors } from './errors.js'
import { activeTray, extruders } from './extruders.js'
import { airDuct, fans, heat } from './heat.js'
import { job } from './job.js'
import type { SessionContext } from './context.js'
import { detectors, options } from './options.js'
import type { DecodeInput, Section } from './section.js'
import { share } from './structural-sharing.js'
import { spools } from './spools.js'
import type { Raw } from './raw.js'
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
const index = createInvalidationIndex(Object.values(SECTIONS))
const EVERYTHING = ~0

/** A state and its sources other than the report. */
export interface Decoded {
  readonly state: PrinterState
  readonly model: ModelInfo
  readonly context: SessionContext
  readonly dual: boolean
}

/** The last decoded state, and the changes of the report since. */
export interface Since {
  readonly decoded: Decoded
  /** Undefined if everything may have changed. */
  readonly changes: Changes | undefined
}

/**
 * Decodes a merged report. Sections without changed dependencies are reused; sections that were decoded again but are
 * equal keep their identity.
 */
export function decodeState (raw: Raw, model: ModelInfo, context: SessionContext, receivedAt: number,
  since?: Since): Decoded {
  const before = since?.decoded
  const dual = since?.changes?.has('device') !== false ? isDual(raw) : since.decoded.dual
  const input: DecodeInput = { model, context, dual, receivedAt }
  const dirty = since === undefined ? EVERYTHING : dirtySince(since, raw, input)
  const state = before === undefined ? {} as Mutable<PrinterState> : { ...before.state }
  state.receivedAt = receivedAt
  for (let at = 0; at < NAMES.length; at++) {
    if ((dirty & 1 << at) !== 0) readSection(state, NAMES[at] as keyof Sections, raw, input)
  }
  return { state: Object.freeze(state), model, context, dual }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

function readSection<K extends keyof Sections> (state: Mutable<PrinterState>, name: K, raw: Raw,
  input: DecodeInput): void {
  const section: Section<unknown> = SECTIONS[name]
  state[name] = share<unknown>(state[name], section.read(raw, input)) as Mutable<PrinterState>[K]
}

function dirtySince ({ decoded, changes }: Since, raw: Raw, { model, context, dual, receivedAt }: DecodeInput): Mask {
  if (changes === undefined || model !== decoded.model || dual !== decoded.dual) return EVERYTHING
  return index.byReport(raw, changes) | index.byContext(decoded.context, context) |
    index.byAge(decoded.context, decoded.state.receivedAt, context, receivedAt)
}
