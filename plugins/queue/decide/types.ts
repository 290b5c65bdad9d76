import type { Machine, Tray } from '../../projects/index.js'
import type { Warming } from '../soak/usual.js'
import type { Attempt, Job, PlateFacts, PlateState, SlicedFile, Soak } from '../types.js'
import type { Low } from './spool-finder.js'
import type { Hours } from './hours.js'
import type { Why } from './reasons.js'

/**
 * What keeps a printer from a job. `fit`: the printer's equipment or spools do not suit it; the others pass by
 * themselves or with a command.
 */
export type ReasonKind = 'fit' | 'plate' | 'busy' | 'absent' | 'paused' | 'time' | 'failed' | 'next'

export interface Problem {
  readonly kind: ReasonKind
  readonly why: Why
}

export interface Reason extends Problem { readonly printer: string }

/** A printer as the queue sees it. */
export interface PrinterView {
  readonly machine: Machine
  readonly serial: string
  /** Why it takes no job at all now: it is offline, busy, or shows a fault. */
  readonly problem: Problem | undefined
  /** All that holds it back, also while it is offline. */
  readonly held?: readonly Problem[]
  /** Undefined: it was never confirmed clear. */
  readonly plate: PlateState | undefined
  readonly isPaused: boolean
  /** When the pause ends by itself, ms since the epoch; undefined: it does not. */
  readonly pausedUntil?: number | undefined
  readonly groups: readonly GroupView[]
  readonly trays: readonly Tray[]
  readonly dual: boolean
  /** The tray that the nozzle is loaded from; undefined when unknown. */
  readonly loadedTray: number | undefined
  /** Seconds that the queue has printed on it. */
  readonly used: number
}

export interface GroupView {
  readonly name: string
  readonly isPaused: boolean
  readonly hours: Hours | undefined
  readonly spacingMs: number
  /** ms since the epoch; 0 never. */
  readonly startedAt: number
}

/** A job with waiting copies. */
export interface WaitingJob {
  readonly job: Job
  readonly attempts: readonly Attempt[]
}

export interface View {
  readonly now: number
  readonly isPaused: boolean
  /** When the pause ends by itself, ms since the epoch; undefined: it does not. */
  readonly pausedUntil?: number | undefined
  readonly printers: readonly PrinterView[]
  readonly jobs: readonly WaitingJob[]
  readonly files: ReadonlyMap<string, SlicedFile>
  /** What is warmed before jobs that say nothing of it. */
  readonly warming: Warming
  /** Files whose content is available. */
  readonly present: ReadonlySet<string>
  /** First wait before a printer tries the same job again, ms; doubled with each failed start. */
  readonly retryMs: number
}

/** A copy that can be started. */
export interface Start {
  readonly job: Job
  readonly printer: PrinterView
  readonly file: SlicedFile
  readonly plate: number
  readonly seconds: number
  readonly mapping: readonly number[]
  /** What is warmed before. */
  readonly soak: Soak | undefined
  /** Spools that run out during the print. */
  readonly low: readonly Low[]
}

/** Why a job waits. */
export interface Waiting {
  /** Undefined: only the printers keep it waiting. */
  readonly reason: Why | undefined
  readonly printers: readonly Reason[]
  /** No printer, as currently loaded, can print it: a person must act. */
  readonly isBlocked: boolean
}

/** A printer that can print a job as it is equipped and loaded now, and with which plate. */
export interface Suitable {
  readonly printer: PrinterView
  readonly plate: PlateFacts
  /** How long it is expected to be warmed before, s. */
  readonly warmingS: number
}

export interface Decision {
  readonly starts: readonly Start[]
  explain (job: WaitingJob): Waiting
  /** Printers that suit a job as they are equipped and loaded now, whether or not they are free. */
  suitable (job: WaitingJob): readonly Suitable[]
  /** Equal for jobs with the same files and requirements. */
  requirementsKey (job: Job): string
}
