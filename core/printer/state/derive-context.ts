import { isTakenAsZero, wantsSignature, type Command, type CommandReply } from '../mqtt/command.js'
import { cancellationOf } from './cancellation.js'
import { gcodeStateOf, isActive, isGap, isOtherJob, layerOf, layersOf, percentOf, projectFileOf } from './job.js'
import type { DryerReply, SessionContext, Refusal } from './context.js'
import { int, list, text, type Raw } from './raw.js'
import { followStart, isSameStart, shownJob, startOf } from './start.js'
import type { Capabilities, Module, PrinterState } from './types.js'

/** Limit of stored refusals. */
const MAX_REFUSALS = 16
/** Reported start times further in the past are ignored. */
const LONGEST_JOB_MS = 30 * 24 * 3_600_000

/**
 * Before decoding: the clock, layers, start command and cancellation of the job.
 * @param isFirst the first report of a connection
 */
export function deriveJob (context: SessionContext, raw: Raw, before: PrinterState | undefined,
  now: number, isFirst = false): SessionContext {
  const active = isActive(gcodeStateOf(raw))
  const missed = before !== undefined && (isFirst || isGap(now - before.receivedAt)) && isOther(context, raw, before)
  const was = before !== undefined && isActive(before.job.gcodeState)
  const goesOn = was && !missed
  const started = active && !goesOn
  const layers = layersOf(raw)
  const totalLayers = layers > 0 ? layers : started && before !== undefined ? 0 : context.totalLayers
  const jobClock = clockOf(context, raw, { active, was, missed, lastAt: before?.receivedAt, now })
  const projectFile = started && isOver(context) ? undefined : context.projectFile
  const { stopped, stopSeenAt, cancelMarks } = cancellationOf(context, raw, before && goesOn, now)
  const reached = active ? reachedBy(raw, started ? NOWHERE : context.reached) : context.reached
  const start = followStart(context.start, raw, isFirst, now)
  const reportedStart = text(raw.gcode_start_time)
  return totalLayers === context.totalLayers && jobClock === context.jobClock && projectFile === context.projectFile &&
    stopped === context.stopped && stopSeenAt === context.stopSeenAt && reached === context.reached &&
    cancelMarks === context.cancelMarks && reportedStart === context.reportedStart && start === context.start
    ? context
    : {
        ...context, totalLayers, jobClock, projectFile, stopped, stopSeenAt, cancelMarks, reached, reportedStart, start
      }
}

/** The last start command belongs to a job that has ended. */
const isOver = ({ projectFile, jobClock: { endedAt } }: SessionContext): boolean =>
  projectFile !== undefined && endedAt !== undefined && projectFile.acceptedAt < endedAt

const NOWHERE: SessionContext['reached'] = { percent: 0, layer: 0 }

function reachedBy (raw: Raw, before: SessionContext['reached']): SessionContext['reached'] {
  const [percent, layer] = [percentOf(raw), layerOf(raw)]
  return percent === before.percent && layer === before.layer ? before : { percent, layer }
}

/** A stop command of any client that the printer accepted. */
export const deriveStop = (context: SessionContext, reply: CommandReply, raw: Raw, now: number): SessionContext =>
  reply.accepted && isActive(gcodeStateOf(raw)) ? { ...context, stopSeenAt: now } : context

/** What the connection was lost for may be the end of one job and the start of the next. */
function isOther ({ reached, reportedStart }: SessionContext, raw: Raw, { job, receivedAt }: PrinterState): boolean {
  const isEarlier = isActive(job.gcodeState) && layerOf(raw) < reached.layer && percentOf(raw) < reached.percent
  // The same start says nothing: printers may report that of the job before.
  const startsLater = isActive(job.gcodeState) && int(reportedStart) > 0 && startOfReport(raw) > receivedAt &&
    text(raw.gcode_start_time) !== reportedStart
  return isOtherJob(shownJob(raw), job) || startsLater || (isEarlier && isActive(gcodeStateOf(raw)))
}

/** ms since the epoch; 0 if it is not reported. */
const startOfReport = (raw: Raw): number => int(raw.gcode_start_time) * 1000

interface Moment {
  readonly active: boolean
  /** The report before showed a job. */
  readonly was: boolean
  /** Another job began since that report, and its start was not seen. */
  readonly missed: boolean
  /** When that report came. */
  readonly lastAt: number | undefined
  readonly now: number
}

function clockOf ({ jobClock }: SessionContext, raw: Raw, { active, was, missed, lastAt, now }: Moment):
SessionContext['jobClock'] {
  if (active === was && !missed) return jobClock
  if (active) {
    const isSeen = lastAt !== undefined && !missed
    return { startedAt: isSeen ? now : startReported(raw, now, lastAt) ?? now, endedAt: undefined }
  }
  return {
    startedAt: missed ? startReported(raw, now, lastAt) : jobClock.startedAt,
    endedAt: was ? now : jobClock.endedAt
  }
}

/**
 * The start of a job that was not seen to begin, as the printer reports it.
 * @param after it began later: printers may still report the start of the job before
 */
function startReported (raw: Raw, now: number, after = now - LONGEST_JOB_MS): number | undefined {
  const at = startOfReport(raw)
  return at > after && at <= now ? at : undefined
}

/** After decoding: the basis of comparison for the next state. */
export function deriveState (context: SessionContext, before: PrinterState | undefined,
  now: PrinterState): SessionContext {
  let next = context
  const set = (change: Partial<SessionContext>) => { next = { ...next, ...change } }
  if (before?.extruders !== now.extruders) {
    const loaded = Object.fromEntries(now.extruders.map(({ id, trayState }) =>
      [id, trayState === 'LOADED' || trayState === 'UNLOADING']))
    if (JSON.stringify(loaded) !== JSON.stringify(context.loaded)) set({ loaded })
  }
  if (before?.capabilities !== now.capabilities) set({ seen: onlyTrue(now.capabilities) })
  const targetTimes = changedTargets(context, before, now)
  if (targetTimes !== context.targetTimes) set({ targetTimes })
  if (before !== undefined && hasCoolingFan(before) && !hasCoolingFan(now)) {
    set({ fanTargets: { ...next.fanTargets, enhanced: 0 } })
  }
  return next
}

const hasCoolingFan = ({ extensionTool: { type, mounted } }: PrinterState) => mounted && type === 'ENHANCED_COOLING_FAN'

const onlyTrue = (capabilities: Capabilities): Partial<Capabilities> =>
  Object.fromEntries(Object.entries(capabilities).filter(([, value]) => value))

function changedTargets (context: SessionContext, before: PrinterState | undefined, now: PrinterState): SessionContext['targetTimes'] {
  if (before === undefined || (before.heat === now.heat && before.fans === now.fans)) return context.targetTimes
  const tool = before.heat.nozzle.target !== now.heat.nozzle.target
  const bed = before.heat.bed.target !== now.heat.bed.target
  const chamber = before.heat.chamber.target !== now.heat.chamber.target
  const fan = before.fans.partTarget !== now.fans.partTarget
  const old = context.targetTimes
  if (!tool && !bed && !chamber && !fan) return old
  const at = Math.trunc(now.receivedAt / 1000)
  return {
    tool: tool ? at : old.tool,
    bed: bed ? at : old.bed,
    chamber: chamber ? at : old.chamber,
    fan: fan ? at : old.fan
  }
}

const amsIdOf = (fields: Raw): number => int(fields.ams_id, -1)

const withoutRefusal = (context: SessionContext, command: string, amsId: number): readonly Refusal[] =>
  context.refusals.some(refusal => refusal.command === command && refusal.amsId === amsId)
    ? context.refusals.filter(refusal => refusal.command !== command || refusal.amsId !== amsId)
    : context.refusals

/**
 * A command is sent: this clears its last refusal, sets targets that are not reported, and resets what is known about
 * signatures.
 */
export function deriveCommand (context: SessionContext, command: Command, now: number): SessionContext {
  const refusals = withoutRefusal(context, text(command.command), amsIdOf(command))
  const fans = fanOf(command)
  const signatureRefused = context.signatureRefused && command.section !== 'print'
  const isSame = refusals === context.refusals && signatureRefused === context.signatureRefused && fans === undefined
  if (isSame) return context
  return { ...context, refusals, fanTargets: { ...context.fanTargets, ...fans }, signatureRefused }
}

/** A new connection: Developer mode may have been switched on since the last one. */
export const deriveConnection = (context: SessionContext): SessionContext =>
  context.signatureRefused ? { ...context, signatureRefused: false } : context

const FAN_GCODE = /^M106 P(\d+) S(\d+)/

/** The targets of the part fan (1) and of the enhanced cooling fan (9) are not reported. */
function fanOf ({ command, param }: Command): Partial<SessionContext['fanTargets']> | undefined {
  const found = command === 'gcode_line' ? FAN_GCODE.exec(text(param)) : null
  if (!found) return undefined
  const percent = Math.round(Number(found[2]) / 2.55)
  return found[1] === '1' ? { part: percent } : found[1] === '9' ? { enhanced: percent } : undefined
}

/** The chamber target where the printer has no heater, or until it reports its own. */
export const deriveChamber = (context: SessionContext, targetC: number, now: number): SessionContext =>
  ({ ...context, chamber: { targetC, at: now } })

/** A person chose which faults to ignore. @returns the same context if nothing changed */
export const deriveIgnored = (context: SessionContext, codes: readonly string[]): SessionContext =>
  codes.join() === context.ignoredFaults.join() ? context : { ...context, ignoredFaults: [...codes] }

/** A reply to one of our commands. @returns the same context if nothing changed */
export function deriveReply (context: SessionContext, command: Command, reply: CommandReply,
  now: number): SessionContext {
  const amsId = int(reply.body.ams_id, amsIdOf(command))
  let next = deriveOutcome(context, amsId, reply, now)
  if (reply.command === 'ams_filament_drying') next = deriveDryer(next, amsId, command, reply)
  if (reply.command === 'set_ctt' && reply.accepted) {
    next = deriveChamber(next, isTakenAsZero(reply.body) ? 0 : int(reply.body.ctt_val), now)
  }
  return next
}

function deriveOutcome (context: SessionContext, amsId: number, reply: CommandReply, now: number): SessionContext {
  const { command, errorNumber, reason, accepted, section } = reply
  const others = withoutRefusal(context, command, amsId)
  const refusals = accepted
    ? others
    : [...others, { command, amsId, errorNumber, reason, at: now }].slice(-MAX_REFUSALS)
  const signatureRefused = wantsSignature(reply) || (context.signatureRefused && !(accepted && section === 'print'))
  return refusals === context.refusals && signatureRefused === context.signatureRefused
    ? context
    : { ...context, refusals, signatureRefused }
}

/** Makes a refusal without a reason visible. */
const wordless = (errorNumber: number): string => errorNumber === 0 ? 'The printer refused it and gave no reason' : ''

function deriveDryer (context: SessionContext, amsId: number, command: Command, reply: CommandReply): SessionContext {
  const { accepted, errorNumber, reason, body } = reply
  const before = context.dryers[amsId]
  const count = before?.count ?? 0
  const next: DryerReply = accepted
    ? { errorNumber: 0, reason: '', count, targetC: int(body.temp, int(command.temp)) }
    : { errorNumber, reason: reason || wordless(errorNumber), count: count + 1, targetC: before?.targetC ?? 0 }
  return { ...context, dryers: { ...context.dryers, [amsId]: next } }
}

/** One of our start commands is sent. @param raw the current report; undefined before the first one */
export const deriveStart = (context: SessionContext, command: Command, raw: Raw | undefined,
  now: number): SessionContext => ({ ...context, start: startOf(command, raw && shownJob(raw), now, false) })

/** A start command of any client was answered. @param own the command if it was ours */
export function deriveProject (context: SessionContext, reply: CommandReply, own: Command | undefined,
  raw: Raw | undefined, now: number): SessionContext {
  const { start } = context
  const isKnown = isSameStart(start, own ?? reply.body)
  if (!reply.accepted) {
    return isKnown && start.outcome === undefined ? { ...context, start: { ...start, outcome: 'refused' } } : context
  }
  return {
    ...context,
    projectFile: projectFileOf(reply.body, own, now),
    start: isKnown ? { ...start, accepted: true } : startOf(reply.body, raw && shownJob(raw), now, true)
  }
}

/** A person no longer waits for a start. */
export const deriveGivenUp = (context: SessionContext): SessionContext =>
  context.start?.outcome === undefined && context.start !== undefined
    ? { ...context, start: { ...context.start, outcome: 'given_up' } }
    : context

/** The version report: modules and their serials. */
export function deriveModules (context: SessionContext, body: Raw): SessionContext {
  const modules: Module[] = list(body.module).map(module => ({
    name: text(module.name),
    product: text(module.product_name) || text(module.project_name),
    version: text(module.sw_ver),
    hardware: text(module.hw_ver),
    serial: text(module.sn)
  }))
  return modules.length === 0 ? context : { ...context, modules }
}
