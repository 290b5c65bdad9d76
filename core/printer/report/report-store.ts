import { wantsSignature, type Command, type CommandReply } from '../mqtt/command.js'
import { resolveModel, type ModelInfo } from '../models.js'
import {
  deriveChamber, deriveCommand, deriveConnection, deriveGivenUp, deriveIgnored, deriveJob, deriveModules, deriveProject,
  deriveReply, deriveStart, deriveState, deriveStop
} from '../state/derive-context.js'
import { MergedReport } from './merged-report.js'
import type { WarnFn } from './report.js'
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

/** Product names of the printer's own modules, excluding AMS units. */
const printerNames = ({ modules }: SessionContext): string[] =>
  modules.filter(({ name }) => !name.includes('/')).map(({ product }) => product)

const moduleVersions = (tree: Raw): string => `${text(part(tree, 'online').version)}/${text(part(tree, 'ams').version)}`

/** @param start the stored last start command */
export function createReportStore (model: ModelInfo, warn: WarnFn, start?: StartRecord): ReportStore {
  const configured = model
  const report = new MergedReport(warn)
  let context: SessionContext = { ...EMPTY_CONTEXT, start }
  /** The context of the last decoding. */
  let decodedFrom = context
  let decoded: Decoded | undefined

  /** The merged report; undefined until it is first decoded. */
  const decodedTree = () => decoded && report.tree

  function decodeNow (now: number): Decoded {
    const next = decodeState(report.tree, model, context, now, decoded && { decoded, changes: report.changes })
    report.clearChanges()
    return next
  }

  return {
    get model () { return model },
    get raw () { return report.raw },
    get context () { return context },
    get state () { return decoded?.state },
    get moduleCounters () { return moduleVersions(report.tree) },
    get complete () { return report.isComplete },
    expectFullReport () {
      report.expectFull()
      context = deriveConnection(context)
    },
    applyStatus (body, now, bytes) {
      const wasComplete = report.isComplete
      report.apply(body, bytes)
      if (report.isComplete) context = deriveJob(context, report.tree, decoded?.state, now, !wasComplete)
      return report.isComplete
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
      if (isProjectFile(command)) context = deriveStart(context, command, decodedTree(), now)
    },
    applyReply (reply, own, now) {
      if (reply.section === 'print' && reply.command === 'project_file') {
        context = deriveProject(context, reply, own, decodedTree(), now)
      }
      if (reply.section === 'print' && reply.command === 'stop') context = deriveStop(context, reply, report.tree, now)
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
