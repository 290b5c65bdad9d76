import type { Capabilities, Module } from './types.js'

/** What a session remembers beside the report: its own commands and what the printer answered to them. */
export interface Memory {
  readonly modules: readonly Module[]
  /** Refused commands, newest last, one per command and unit. */
  readonly refusals: readonly Refusal[]
  /** Answers to drying commands by unit. */
  readonly dryers: Readonly<Record<number, DryerReply>>
  /** Last commanded chamber target, °C, and when (ms since the epoch). */
  readonly chamber: { readonly targetC: number, readonly at: number }
  /** Last commanded fan targets in percent. */
  readonly fanTargets: { readonly part: number, readonly enhanced: number }
  readonly jobClock: { readonly startedAt: number | undefined, readonly endedAt: number | undefined }
  /** Last positive layer count of the job: some printers report 0 at the end. */
  readonly totalLayers: number
  /** The last `project_file` the printer acknowledged, whoever sent it. */
  readonly projectFile: ProjectFile | undefined
  /** Capabilities that stay once they were seen. */
  readonly seen: Partial<Capabilities>
  /** The printer refused a command for want of a signature. */
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
  /** The printer's words for the refusal; empty when it gave none. */
  readonly reason: string
  /** Refused answers so far. */
  readonly count: number
  /** °C of the last accepted command; 0 none, or one that stops. */
  readonly targetC: number
}

export interface ProjectFile {
  readonly url: string
  readonly param: string
  readonly md5: string
  readonly bedType: string
  readonly subtaskName: string
}

export const NOTHING_REMEMBERED: Memory = {
  modules: [],
  refusals: [],
  dryers: {},
  chamber: { targetC: 0, at: 0 },
  fanTargets: { part: 0, enhanced: 0 },
  jobClock: { startedAt: undefined, endedAt: undefined },
  totalLayers: 0,
  projectFile: undefined,
  seen: {},
  signatureRefused: false,
  targetTimes: { tool: 0, bed: 0, chamber: 0, fan: 0 },
  loaded: {}
}
