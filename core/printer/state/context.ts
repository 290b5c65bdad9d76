import type { Capabilities, Module, TrayPlace } from './types.js'

/** What a session knows besides the report: its own commands, and the printer's replies to them. */
export interface SessionContext {
  readonly modules: readonly Module[]
  /** Refused commands, newest last, one per command and unit. */
  readonly refusals: readonly Refusal[]
  /** Codes of faults that a person said do not count on this printer. */
  readonly ignoredFaults: readonly string[]
  /** Replies to drying commands by unit. */
  readonly dryers: Readonly<Record<number, DryerReply>>
  /** Last commanded chamber target, °C, and when (ms since the epoch). */
  readonly chamber: { readonly targetC: number, readonly at: number }
  /** Last commanded fan targets in percent. */
  readonly fanTargets: { readonly part: number, readonly enhanced: number }
  readonly jobClock: { readonly startedAt: number | undefined, readonly endedAt: number | undefined }
  /** When the job began, as the printer counts: tells two prints of one file apart. Empty where it does not say. */
  readonly reportedStart: string
  /** A person cancelled the job, which has ended: a stop was accepted, or the number of a cancellation reported. */
  readonly stopped: boolean
  /** When the printer accepted a stop of the running job, or began to report a cancellation; ms since the epoch. */
  readonly stopSeenAt: number | undefined
  /** Where the last report shows the number of a cancellation, one bit each; it may be that of the job before. */
  readonly cancelMarks: number
  /** How far the job came: some printers report zeros once it has ended. */
  readonly reached: { readonly percent: number, readonly layer: number }
  /** Last positive layer count of the job: some printers report 0 at the end. */
  readonly totalLayers: number
  /** The last `project_file` that the printer accepted, from any client. */
  readonly projectFile: ProjectFile | undefined
  /** The last start command, from any client; pending as long as no report tells of it. */
  readonly start: StartRecord | undefined
  /** Capabilities seen so far: partial reports do not remove them. */
  readonly seen: Partial<Capabilities>
  /** The printer refused the last `print` command of this connection because it had no signature. */
  readonly signatureRefused: boolean
  /** Last changes of the targets, s since the epoch; 0 never. */
  readonly targetTimes: { readonly tool: number, readonly bed: number, readonly chamber: number, readonly fan: number }
  /** Extruders (by id) that held filament at the last report. */
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
  /** Of the last answer; 0 accepted, or refused without a number. */
  readonly errorNumber: number
  /** The words of the refusal, or that it had none; empty after consent, and where only the number tells. */
  readonly reason: string
  /** Refused answers so far. */
  readonly count: number
  /** °C of the last accepted command; 0 none, or one that stops. */
  readonly targetC: number
}

export interface ProjectFile {
  /** Without the query of a signed address. */
  readonly url: string
  readonly param: string
  readonly md5: string
  readonly bedType: string
  readonly subtaskName: string
  /** Empty or `0` when there is none. */
  readonly taskId: string
  /** Where each filament comes from, by its id - 1; undefined where the command names no place. */
  readonly places: readonly (TrayPlace | undefined)[]
  /** False: everything comes from the external holder. Undefined when the command does not say. */
  readonly useAms: boolean | undefined
  /** ms since the epoch. */
  readonly acceptedAt: number
}

/** What a printer reports of its job and of errors. */
export interface ShownJob {
  readonly gcodeState: string
  readonly taskId: string
  readonly subtaskId: string
  readonly subtaskName: string
  readonly printError: number
}

/**
 * How a start ended. `began`: the job was seen to run; `other`: another one was; `ended`: it is shown as over and was
 * never seen to run; `failed`: the printer shows an error or a failure; `refused`: the printer said no;
 * `restarted`: the printer was switched off and has forgotten it; `given_up`: a person waits for it no longer.
 */
export type StartOutcome = 'began' | 'other' | 'ended' | 'failed' | 'refused' | 'restarted' | 'given_up'

/** The last start command, from any client, and what has become of it. */
export interface StartRecord {
  /** Empty or `0` when it has none. */
  readonly taskId: string
  readonly subtaskName: string
  /** When it was sent, or seen to be accepted; ms since the epoch. */
  readonly at: number
  /** The printer said yes. */
  readonly accepted: boolean
  /** What the printer showed before; undefined until it has reported. */
  readonly before: ShownJob | undefined
  /** Undefined while it is pending. */
  readonly outcome: StartOutcome | undefined
  /** The error that ended it; 0 none. */
  readonly printError: number
}

/** Keeps the last start of each printer over a restart of the service. */
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
