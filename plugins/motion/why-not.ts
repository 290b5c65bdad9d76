import {
  hasCurrentState, isHolder, isStartPending, type PrinterSession, type PrinterState, type Spool, type TrayPlace
} from '../../core/index.js'
import { travelsOf, type Direction, type Travel } from './travels.js'

/** Why nothing may be moved; the pages have words of their own for each code. */
export const WHY = [
  'not_current', 'prints', 'starts', 'updates', 'feeds', 'tool_changes', 'plate_checked', 'plate_unknown', 'other_tool',
  'moves', 'model_unknown', 'homing_unknown', 'not_homed', 'look', 'other_job', 'no_nozzle', 'other_nozzle', 'dries', 'cold'
] as const
export type WhyCode = (typeof WHY)[number]
export interface Why { readonly code: WhyCode, readonly message: string }

const why = (code: WhyCode, message: string): Why => ({ code, message })

/** What is known beside the report of the printer. */
export interface MotionFacts {
  /** ms since the epoch. */
  readonly now: number
  /** What is done to the plate between two prints; `unknown`: not read yet; undefined: nothing. */
  readonly plate: 'cooling' | 'checking' | 'unknown' | undefined
  /** Until when the last act by hand lasts, ms since the epoch. */
  readonly movesUntil: number
}

/** Only these say that nothing is printed: a paused print, a calibration and what is new or unknown do not. */
export const AT_REST: ReadonlySet<string> = new Set(['IDLE', 'FINISH', 'FAILED'])
const NO_UPDATE = new Set(['', 'IDLE', 'UPGRADE_SUCCESS', 'UPGRADE_FAIL'])

function updateOf ({ raw }: Pick<PrinterSession, 'raw'>): string {
  const { upgrade_state: part } = raw as Readonly<Record<string, unknown>>
  const status: unknown = typeof part === 'object' && part !== null ? (part as { status?: unknown }).status : ''
  return typeof status === 'string' ? status.toUpperCase() : ''
}

/** Main states of an AMS in which it leaves the filament alone: idle, engaged, unknown. */
const QUIET_AMS = new Set([0, 3, 255])
const CHANGING_TOOL = 15

const isFeeding = ({ ams, activeTray, extruders }: PrinterState): boolean =>
  !QUIET_AMS.has(ams.statusRaw >>> 8 & 0xFF) ||
  [activeTray.state, ...extruders.map(({ trayState }) => trayState)].some(state => state === 'LOADING' || state === 'UNLOADING')

/** A laser or a knife in place of the nozzle, which the plain moves are not meant for. */
const OTHER_TOOLS = new Set(['CUTTING_MODULE', 'LASER_MODULE'])

const PLATE_REASONS = {
  unknown: why('plate_unknown', 'it is not known yet whether its plate is being looked at. Try again in a moment'),
  cooling: why('plate_checked', 'its plate cools to be ejected or changed. Wait until it is clear, or clear it on the page Queue'),
  checking: why('plate_checked', 'its plate is being checked. Wait until it is clear, or clear it on the page Queue')
}

type Looked = Pick<PrinterSession, 'service' | 'live' | 'state' | 'raw' | 'context' | 'model'>

/** The queue, perhaps that of another service, is sending a job: it looks at its pauses before that, and not after. */
export const STARTS_ELSEWHERE = why('starts', 'the queue is about to start a job on it. Wait for the end of that job, or cancel it')

/** Why nothing of a printer may be moved now; undefined: it may. Pure. */
export function whyNot (session: Looked, { now, plate, movesUntil }: MotionFacts): Why | undefined {
  const { state, context } = session
  if (state === undefined || !hasCurrentState(session as PrinterSession)) {
    return why('not_current', 'it does not report its state now. Check its connection')
  }
  const { job: { gcodeState }, activeTray, extensionTool } = state
  if (!AT_REST.has(gcodeState)) {
    return why('prints', `it is ${gcodeState || 'starting'}. Wait for the end of the job, or cancel it`)
  }
  if (isStartPending(context.start, now)) {
    return why('starts', `it is about to print '${context.start.subtaskName}'. Wait for the end of that job, or cancel it`)
  }
  if (!NO_UPDATE.has(updateOf(session))) return why('updates', 'its firmware is being updated. Wait until that is done')
  if (activeTray.tool === CHANGING_TOOL) return why('tool_changes', 'it changes its nozzle. Wait until that is done')
  if (isFeeding(state)) return why('feeds', 'filament is being loaded, unloaded or read. Wait until that is done')
  if (plate !== undefined) return PLATE_REASONS[plate]
  if (extensionTool.mounted && OTHER_TOOLS.has(extensionTool.type)) {
    return why('other_tool', 'a laser or a knife is mounted. Use its screen, or take the module off')
  }
  return movesUntil > now
    ? why('moves', `it is still moving. Try again in ${Math.ceil((movesUntil - now) / 1_000)} s`)
    : undefined
}

export interface Homed { readonly x: boolean, readonly y: boolean, readonly z: boolean }

/** Axes whose position the printer knows, by the lowest bits of a word; undefined if it does not report it. */
export function homedOf ({ raw }: Pick<PrinterSession, 'raw'>): Homed | undefined {
  const { home_flag: flag } = raw as Readonly<Record<string, unknown>>
  if (typeof flag !== 'number' || !Number.isInteger(flag)) return undefined
  return { x: (flag & 1) === 1, y: (flag >>> 1 & 1) === 1, z: (flag >>> 2 & 1) === 1 }
}

const LOOK = why('look',
  'the nozzle and the plate would meet anything between them. Look whether the plate is empty, then say so with plate_is_clear')

/** Why it may not home, apart from `whyNot`. @param isClear somebody has looked: nothing lies on the plate */
export const whyNotHome = (isClear: boolean): Why | undefined => isClear ? undefined : LOOK

const LOOK_ACROSS = why('look', 'its job failed or was cancelled, so the nozzle may still be in the part. Move them apart, take ' +
  'the part off and look whether the plate is empty, then say so with plate_is_clear')

/** Nozzle and plate come closer; or the job did not come to its end, where printers take the nozzle out of the part. */
export const wantsLook = ({ closer, axis }: Pick<Travel, 'closer' | 'axis'>, state: Pick<PrinterState, 'job'> | undefined): boolean =>
  closer || (axis !== 'Z' && state?.job.gcodeState === 'FAILED')

const MS_PER_S = 1000
/** As the record of a job has it while none was seen to start. */
const NO_START = -1

/**
 * A plate that somebody has seen empty has a part on it after the next job.
 * @param start of the last job when they looked, s since the epoch as in its record; undefined: not said
 */
export function whyOtherJob ({ state }: Pick<PrinterSession, 'state'>, start: number | undefined): Why | undefined {
  const startedAt = state?.job.startedAt
  const last = startedAt === undefined ? NO_START : startedAt / MS_PER_S
  return start === undefined || start === last
    ? undefined
    : why('other_job', 'another job has run since somebody looked. Look whether the plate is empty, then say so again')
}

interface MoveFacts {
  /** Undefined if it is not reported. */
  readonly homed: Homed | undefined
  /** Somebody has looked: nothing lies on the plate. */
  readonly isClear: boolean
}

/** Why it may not go into a direction, apart from `whyNot`. */
export function whyNotMove ({ model, state }: Pick<PrinterSession, 'model' | 'state'>, direction: Direction,
  { homed, isClear }: MoveFacts): Why | undefined {
  const travel = travelsOf(model)?.[direction]
  if (!travel) return why('model_unknown', 'its model is not known, so it could go the other way. Use its screen')
  if (!homed) return why('homing_unknown', 'it does not report which axes are homed. Use its screen')
  if (!homed.x || !homed.y || !homed.z) return why('not_homed', 'it does not know where its axes are. Home it first')
  if (isClear || !wantsLook(travel, state)) return undefined
  return travel.closer ? LOOK : LOOK_ACROSS
}

export type NozzleName = 'only' | 'right' | 'left'

/** The nozzle that extrudes, and what is in it. */
export interface ActiveNozzle {
  readonly name: NozzleName
  readonly actualC: number
  readonly targetC: number
  /** What it needs before filament is pushed. */
  readonly leastC: number
  /** Of the filament; empty when unknown. */
  readonly material: string
  readonly isFitted: boolean
}

/** Below this no filament is soft enough, and the gears would grind it. */
export const COLDEST_C = 170
const NAMES: readonly NozzleName[] = ['right', 'left']

/** Printers with one holder number it 254 only. */
const spoolIn = ({ spools }: PrinterState, { amsId, slot }: TrayPlace, isDual: boolean): Spool | undefined =>
  spools.find(spool => isHolder(amsId)
    ? spool.amsId === -1 && (!isDual || spool.id === amsId)
    : spool.amsId === amsId && spool.slot === slot)

/** Undefined while it is not known which one is active. */
export function activeNozzleOf ({ state, model }: Pick<PrinterSession, 'state' | 'model'>): ActiveNozzle | undefined {
  if (state === undefined) return undefined
  const { extruders, activeTray: { tool }, heat, capabilities: { hasDualExtruder: isDual } } = state
  const extruder = isDual ? extruders.find(({ id }) => id === tool) : extruders[0]
  if (isDual && extruder === undefined) return undefined
  const temperature = extruder?.temperature ?? heat.nozzle
  const spool = extruder?.tray && spoolIn(state, extruder.tray, isDual)
  return {
    name: isDual ? NAMES[tool] ?? 'right' : 'only',
    actualC: temperature.actual,
    targetC: temperature.target,
    leastC: Math.min(Math.max(COLDEST_C, spool?.nozzleMinC ?? 0), model.nozzleMaxC),
    material: spool?.type ?? '',
    isFitted: extruder?.state !== 'NO_NOZZLE'
  }
}

/**
 * Why no filament may be pushed or pulled, apart from `whyNot`.
 * @param wanted the nozzle that the caller means
 */
export function whyNotExtrude (session: Pick<PrinterSession, 'state' | 'model'>, wanted?: NozzleName): Why | undefined {
  const nozzle = activeNozzleOf(session)
  if (!nozzle) return why('tool_changes', 'it is not known which nozzle is active. Wait until it is, or choose one')
  const { name, actualC, leastC, material, isFitted } = nozzle
  if (!isFitted) return why('no_nozzle', 'it reports no nozzle. Fit one')
  if (wanted !== undefined && wanted !== name) {
    return why('other_nozzle', `its active nozzle is ${name === 'only' ? 'the only one' : `the ${name} one`}. Name that, or change the nozzle first`)
  }
  if (session.state?.ams.units.some(({ dryer }) => dryer !== undefined && dryer.state !== 'OFF') === true) {
    return why('dries', 'an AMS unit dries, and may turn its spools. Wait until it has dried, or stop it')
  }
  return actualC >= leastC
    ? undefined
    : why('cold', `its nozzle has ${Math.floor(actualC)} °C and needs ${leastC} °C${material && ` for ${material}`}. Heat it first`)
}
