import type { Capabilities, Module, TrayPlace } from './types.js'

/** A session's knowledge beyond the report: its own commands, and the printer's replies to them. */
export interface SessionContext {
  readonly modules: readonly Module[]
  /** Refused commands, newest last, one per command and unit. */
  readonly refusals: readonly Refusal[]
  /** Codes of faults that a person chose to ignore on this printer. */
  readonly ignoredFaults: readonly string[]
  /** Replies to drying commands by unit. */
  readonly dryers: Readonly<Record<number, DryerReply>>
  /** Last commanded chamber target, °C, and when (ms since the epoch). */
  readonly chamber: { readonly targetC: number, readonly at: number }
  /** Last commanded fan targets in percent. */
  readonly fanTargets: { readonly part: number, readonly enhanced: number }
  readonly jobClock: { readonly startedAt: number | undefined, readonly endedAt: number | undefined }
  /**
   * Start time of the job on the printer's clock: distinguishes two prints of one file. Empty if it is not reported.
   */
  readonly reportedStart: string
  /** A person cancelled the job, which has ended: a stop was accepted, or the number of a cancellation reported. */
  readonly stopped: boolean
  /** When the printer accepted a stop of the running job, or began to report a cancellation; ms since the epoch. */
  readonly stopSeenAt: number | undefined
  /** Where the last report contains the number of a cancellation, one bit each; it may belong to the previous job. */
  readonly cancelMarks: number
  /** Progress of the job: some printers report zeros once it has ended. */
  readonly reached: { readonly percent: number, readonly layer: number }
  /** Last positive layer count of the job: some printers report 0 at the end. */
  readonly totalLayers: number
  /** The last `project_file` that the printer accepted, from any client. */
  readonly projectFile: ProjectFile | undefined
  /** The last start command, from any client; pending until a report confirms or refutes it. */
  readonly start: StartRecord | undefined
  /** Capabilities seen so far: partial reports do not remove them. */
  readonly seen: Partial<Capabilities>
  /** The printer refused the last `print` command of this connection because it had no signature. */
  readonly signatureRefused: boolean
  /** Last changes of the targets, s since the epoch; 0 never. */
  readonly targetTimes: { readonly tool: number, readonly bed: number, readonly chamber: number, readonly fan: number }
  /** Extruders (by id) that held filament in the last report. */
  readonly loaded: Readonly<Record<number, boolean>>
}

export interface Refusal {
  readonly command: string
  /** -1 none. */
  readonly amsId: number
  /** 32-bit error number; 0 when the printer gave none. */
  readonly errorNumber: number
  readonly reason: string
  /** ms since the epoch. */
  readonly at: number
}

export interface DryerReply {
  /** Of the last reply; 0 if accepted, or refused without a number. */
  readonly errorNumber: number
  /** The refusal's text, or that it had none; empty after an acceptance, and if there is only a number. */
  readonly reason: string
  /** Number of refusals so far. */
  readonly count: number
  /** °C of the last accepted command; 0 for none, or a stop. */
  readonly targetC: number
}

export interface ProjectFile {
  /** Without the query of a signed URL. */
  readonly url: string
  readonly param: string
  readonly md5: string
  readonly bedType: string
  readonly subtaskName: string
  /** Empty or `0` when there is none. */
  readonly taskId: string
  /** Source of each filament, by its id - 1; undefined if the command names none. */
  readonly places: readonly (TrayPlace | undefined)[]
  /** False: everything comes from the external holder. Undefined if the command does not say. */
  readonly useAms: boolean | undefined
  /** ms since the epoch. */
  readonly acceptedAt: number
}

/** The job and errors in a report. */
export interface ShownJob {
  readonly gcodeState: string
  readonly taskId: string
  readonly subtaskId: string
  readonly subtaskName: string
  readonly printError: number
}

/**
 * How a start ended. `began`: the job was seen running; `other`: another one was; `ended`: it is shown as over without
 * ever being seen running; `failed`: the printer shows an error or a failure; `refused`: the printer refused it;
 * `restarted`: the printer was switched off and has forgotten it; `given_up`: a person no longer waits for it.
 */
export type StartOutcome = 'began' | 'other' | 'ended' | 'failed' | 'refused' | 'restarted' | 'given_up'

/** The last start command, from any client, and its outcome. */
export interface StartRecord {
  /** Empty or `0` when it has none. */
  readonly taskId: string
  readonly subtaskName: string
  /** When it was sent, or its acceptance was seen; ms since the epoch. */
  readonly at: number
  /** The printer accepted it. */
  readonly accepted: boolean
  /** What the printer showed before; undefined until it has reported. */
  readonly before: ShownJob | undefined
  /** Undefined while it is pending. */
  readonly outcome: StartOutcome | undefined
  /** The error that ended it; 0 none. */
  readonly printError: number
}

/** Stores the last start of each printer across restarts of the service. */
export interface StartStore {
  get (serial: string): StartRecord | undefined
  /** Resolves when it is on disk. */
  set (serial: string, start: StartRecord): Promise<void>
}

export const EMPTY_CONTEXT: SessionContext = {
  modules: [],
  refusals: [],
  ignoredFaults: [],
  dryers: {},
  chamber: { targetC: 0, at: 0 },
  fanTargets: { part: 0, enhanced: 0 },
  jobClock: { startedAt: undefined, endedAt: undefined },
  reportedStart: '',
  stopped: false,
  stopSeenAt: undefined,
  cancelMarks: 0,
  reached: { percent: 0, layer: 0 },
  totalLayers: 0,
  projectFile: undefined,
  start: undefined,
  seen: {},
  signatureRefused: false,
  targetTimes: { tool: 0, bed: 0, chamber: 0, fan: 0 },
  loaded: {}
}
