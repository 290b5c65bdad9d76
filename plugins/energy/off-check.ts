import { hasCurrentState, pendingStart, type PrinterSession, type PrinterState } from '../../core/index.js'
import type { Why } from '../queue/index.js'
import { texts } from './texts/index.js'

type CodeOf<Key> = Key extends `energy.stays.${infer Code}` ? Code : never
/** Each code has a text in every language of the pages, `energy.stays.CODE`. */
export type StaysCode = CodeOf<keyof typeof texts.en>

/** Why a plug must stay on, independent of language. */
export interface Stays { readonly code: StaysCode, readonly values: Readonly<Record<string, string | number>> }

const stays = (code: StaysCode, values: Stays['values'] = {}): Stays => ({ code, values })

/** English text, to follow the name of the plug. */
export const staysInWords = ({ code, values }: Stays): string =>
  texts.en[`energy.stays.${code}`].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]))

/** Above it, a printer still needs its fans. */
export const COOL_C = 50
/** Fans of all models run on for less than this after the nozzle is cool; the model table has no times for them. */
export const FAN_MS = 300_000

/** Only these say that nothing is printed; what is unknown or new may be a print. */
const AT_REST = new Set(['IDLE', 'FINISH', 'FAILED'])
const NO_UPDATE = new Set(['', 'IDLE', 'UPGRADE_SUCCESS', 'UPGRADE_FAIL'])

const updateOf = ({ raw }: PrinterSession): string => {
  const part = (raw as Readonly<Record<string, unknown>>).upgrade_state
  const status: unknown = typeof part === 'object' && part !== null ? (part as { status?: unknown }).status : ''
  return typeof status === 'string' ? status.toUpperCase() : ''
}

const nozzlesOf = ({ heat, extruders }: PrinterState) =>
  [heat.nozzle, ...extruders.map(({ temperature }) => temperature)]

/** Nothing is printed, and every nozzle is cool by report. */
export const isCool = (state: PrinterState): boolean =>
  AT_REST.has(state.job.gcodeState) && nozzlesOf(state).every(({ actual, target }) => actual < COOL_C && target === 0)

type Unit = PrinterState['ams']['units'][number]

const isDrying = ({ dryer }: Unit): boolean => dryer !== undefined && dryer.state !== 'OFF'

/** The code of the drying state in the info word of a unit. */
const dryingCode = ({ info }: Unit): number => info >>> 4 & 15
const FIRST_HT = 128

/** One that is not known yet, or whose state has no name here; units without a heater never are. */
const mayDry = (unit: Unit): boolean =>
  unit.dryer === undefined ? unit.id >= FIRST_HT || unit.model === 'UNKNOWN' : dryingCode(unit) !== 0

function heatOf (state: PrinterState): Stays | undefined {
  const { heat: { bed, chamber }, ams } = state
  const hottest = Math.max(...nozzlesOf(state).map(({ actual }) => actual))
  if (nozzlesOf(state).some(({ target }) => target > 0)) return stays('nozzle_heats')
  if (!(hottest < COOL_C)) return stays('nozzle_hot', { celsius: Math.round(hottest), most: COOL_C })
  if (bed.target > 0) return stays('bed_heats', { celsius: Math.round(bed.target) })
  if (chamber.target > 0) return stays('chamber_heats', { celsius: Math.round(chamber.target) })
  if (ams.units.some(isDrying)) return stays('dries')
  return ams.units.some(mayDry) ? stays('dryer_unknown') : undefined
}

/** What the check knows beside the report of the printer. */
export interface OffFacts {
  readonly now: number
  /** Since when this service has seen it cool and at rest without a gap; undefined: it is not. */
  readonly coolSince: number | undefined
  /** Whether a run of the queue is open on it; undefined: that cannot be read. */
  readonly hasRun: boolean | undefined
  readonly isTransferring: boolean
  /** Why the queue's hold-backs keep jobs from the printer. */
  readonly heldBack: readonly Pick<Why, 'code' | 'values'>[]
}

/** A move by hand goes on, or whoever moved it may still have their hands in it. */
function handsOf (heldBack: OffFacts['heldBack']): Stays | undefined {
  const moved = heldBack.find(({ code }) => code === 'moved_by_hand')
  if (moved) return stays('moved', moved.values)
  return heldBack.some(({ code }) => code === 'check_failed') ? stays('hold_unknown') : undefined
}

/**
 * Why the power of a printer must not be switched off now; undefined: it may. What is not known counts as a reason.
 * Pure.
 */
export function whyStaysOn (session: PrinterSession | undefined, facts: OffFacts): Stays | undefined {
  const { now, coolSince, hasRun, isTransferring, heldBack } = facts
  if (session === undefined || session.remote !== undefined || !hasCurrentState(session)) return stays('unknown')
  const { state, context } = session
  if (state === undefined) return stays('unknown')
  if (!AT_REST.has(state.job.gcodeState)) return stays('prints', { job: state.job.subtaskName || '?' })
  const pending = pendingStart(context.start, now)
  if (pending) return stays('starts', { job: pending.job || '?' })
  if (hasRun !== false) return stays(hasRun === undefined ? 'queue_unknown' : 'queue')
  if (!NO_UPDATE.has(updateOf(session))) return stays('updates')
  if (isTransferring) return stays('transfers')
  const occupied = handsOf(heldBack) ?? heatOf(state)
  if (occupied) return occupied
  const left = coolSince === undefined ? FAN_MS : coolSince + FAN_MS - now
  return left > 0 ? stays('fans', { seconds: Math.ceil(left / 1_000), minutes: FAN_MS / 60_000 }) : undefined
}
