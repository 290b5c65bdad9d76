import { wantsSignature, type Command, type CommandReply } from '../mqtt/command.js'
import { resolveModel, type ModelInfo } from '../models.js'
import {
  deriveChamber, deriveCommand, deriveConnection, deriveGivenUp, deriveIgnored, deriveJob, deriveModules, deriveProject,
  deriveReply, deriveStart, deriveState, deriveStop
} from '../state/derive-context.js'
import { clearsAms, onlyListedUnits, withoutAmsBits } from './ams-merge.js'
import { mergeReport, type WarnFn, type ReportTree } from './report.js'
import { sizeWithin } from './bounded-equal.js'
import { decodeState, type Decoded } from '../state/index.js'
import { part, text, type Raw } from '../state/raw.js'
import { EMPTY_CONTEXT, type SessionContext, type StartRecord } from '../state/context.js'
import { isProjectFile } from '../state/start.js'
import type { PrinterState } from '../state/types.js'

/** All data of one printer: the merged report, the session context, and the decoded state. */
export interface ReportStore {
  readonly model: ModelInfo
  /** A frozen copy of the merged report. */
  readonly raw: Raw
  readonly context: SessionContext
  readonly state: PrinterState | undefined
  /** Changes when a module was added, removed or updated. */
  readonly moduleCounters: string
  /** A full report has arrived on this connection. */
  readonly complete: boolean
  /** A new connection: incremental reports cannot be used until a full one has arrived. */
  expectFullReport (): void
  /** @param bytes length of its message @returns false while a full report is awaited */
  applyStatus (body: Raw, now: number, bytes: number): boolean
  /** @returns false if it names no module */
  applyModules (body: Raw): boolean
  applyCommand (command: Command, now: number): void
  /** @param own our command that it replies to @returns true if the state may change */
  applyReply (reply: CommandReply, own: Command | undefined, now: number): boolean
  applyChamberTarget (celsius: number, now: number): void
  applyIgnored (codes: readonly string[]): void
  /** A person gives up on the pending start. @returns false if none is pending */
  giveUpStart (): boolean
  /** A start that another service sent, or an earlier run of this one. */
  restoreStart (start: StartRecord): void
  /** Decodes the merged report. */
  decode (now: number): { state: PrinterState, before: PrinterState | undefined }
}

/** `msg` of an incremental report. */
const INCREMENTAL = 1
/** Full reports have at least three times as many fields; the heartbeats of some printers only a handful. */
const FEWEST_FIELDS = 20

/** No incremental report has so many: some firmware marks its full reports as incremental. */
const FEWEST_FIELDS_MARKED = 40

const isFull = (body: Raw): boolean => body.gcode_state !== undefined &&
  Object.keys(body).length >= (Number(body.msg) === INCREMENTAL ? FEWEST_FIELDS_MARKED : FEWEST_FIELDS)

/** Limit of a merged report; real ones have some 20,000 characters. */
const MAX_CHARS = 2 * 1024 * 1024
const MAX_LEVELS = 32
/** The size is only measured after so many received bytes, which makes its cost negligible. */
const MEASURE_EVERY_BYTES = 1024 * 1024

/** Product names of the printer's own modules, excluding AMS units. */
const printerNames = ({ modules }: SessionContext): string[] =>
  modules.filter(({ name }) => !name.includes('/')).map(({ product }) => product)

/** @param start the stored last start command */
export function createReportStore (model: ModelInfo, warn: WarnFn, start?: StartRecord): ReportStore {
  const configured = model
  let tree: ReportTree = {}
  /** The last report with AMS bits cleared all of them. */
  let cleared = false
  /** Fields that changed since the last decoding; undefined when all of them may have. */
  let changes: Map<string, unknown> | undefined
  let copy: Raw | undefined
  let context: SessionContext = { ...EMPTY_CONTEXT, start }
  /** The context of the last decoding. */
  let decodedFrom = context
  let decoded: Decoded | undefined
  let complete = false
  let unmeasuredBytes = 0

  /** Drops the merged report of a printer that keeps growing it. */
  function limitSize (bytes: number): void {
    unmeasuredBytes += bytes
    if (unmeasuredBytes < MEASURE_EVERY_BYTES) return
    unmeasuredBytes = 0
    if (sizeWithin(tree, MAX_CHARS, MAX_LEVELS) >= 0) return
    warn('size', 'report')
    reset()
    complete = false
  }

  function reset (): void {
    tree = {}
    cleared = false
    changes = undefined
    copy = undefined
  }

  function dropUnlistedUnits ({ ams: patch }: Raw): void {
    const listed = onlyListedUnits(tree.ams, patch)
    if (listed === tree.ams) return
    if (changes?.has('ams') === false) changes.set('ams', tree.ams)
    tree.ams = listed
  }

  /**
   * A printer that is being switched off clears all AMS bits once, although the spools are still there. Cleared bits
   * count from the second report on: with an unplugged AMS, every report clears them.
   */
  function withoutSwitchOff (body: Raw): Raw {
    const clears = clearsAms(body)
    if (clears === undefined) return body
    const doubtful = clears && !cleared && tree.ams !== undefined
    cleared = clears
    return doubtful ? withoutAmsBits(body) : body
  }

  function decodeNow (now: number): Decoded {
    const next = decodeState(tree, model, context, now, decoded && { decoded, changes })
    changes = new Map()
    return next
  }

  return {
    get model () { return model },
    get raw () {
      copy ??= Object.freeze({ ...tree })
      return copy
    },
    get context () { return context },
    get state () { return decoded?.state },
    get moduleCounters () { return `${text(part(tree, 'online').version)}/${text(part(tree, 'ams').version)}` },
    get complete () { return complete },
    expectFullReport () {
      complete = false
      context = deriveConnection(context)
    },
    applyStatus (body, now, bytes) {
      const wasComplete = complete
      if (isFull(body)) {
        if (complete) dropUnlistedUnits(body)
        else reset()
        complete = true
      }
      mergeReport(tree, withoutSwitchOff(body), changes ?? new Map(), warn)
      copy = undefined
      limitSize(bytes)
      if (complete) context = deriveJob(context, tree, decoded?.state, now, !wasComplete)
      return complete
    },
    applyModules (body) {
      const before = context
      context = deriveModules(context, body)
      if (configured.model === 'UNKNOWN') {
        model = resolveModel('', undefined, printerNames(context))
      }
      return context !== before
    },
    applyCommand (command, now) {
      context = deriveCommand(context, command, now)
      if (isProjectFile(command)) context = deriveStart(context, command, decoded && tree, now)
    },
    applyReply (reply, own, now) {
      if (reply.section === 'print' && reply.command === 'project_file') {
        context = deriveProject(context, reply, own, decoded && tree, now)
      }
      if (reply.section === 'print' && reply.command === 'stop') context = deriveStop(context, reply, tree, now)
      if (own) context = deriveReply(context, own, reply, now)
      else if (wantsSignature(reply)) context = { ...context, signatureRefused: true }
      return context !== decodedFrom
    },
    applyChamberTarget (celsius, now) { context = deriveChamber(context, celsius, now) },
    applyIgnored (codes) { context = deriveIgnored(context, codes) },
    giveUpStart () {
      const before = context
      context = deriveGivenUp(context)
      return context !== before
    },
    restoreStart (start) { context = { ...context, start } },
    decode (now) {
      const before = decoded?.state
      const { fanTargets } = context
      decoded = decodeNow(now)
      context = deriveState(context, before, decoded.state)
      // The target of a fan that was just removed is 0 now, not from the next report on.
      if (context.fanTargets !== fanTargets) decoded = decodeNow(now)
      decodedFrom = context
      return { state: decoded.state, before }
    }
  }
}
