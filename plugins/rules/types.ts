import type { Why } from './words/why.js'

/** Limits of what a rule may be. */
export const MOST = {
  rules: 1_000,
  triggers: 8,
  conditions: 12,
  steps: 20,
  printers: 300,
  text: 1_000,
  /** A week. */
  waitS: 604_800,
  forS: 86_400,
  proposals: 50,
  /** So that one program does not fill the list for all. */
  proposalsOfOne: 10,
  /** Runs in progress, most of which wait. */
  running: 200
} as const

export const TRIGGER_KINDS = ['event', 'state', 'time', 'sun', 'mqtt', 'webhook'] as const
export const COMPARISONS = ['below', 'above', 'equal', 'unequal', 'one_of'] as const
export const STEP_KINDS = ['call', 'wait', 'wait_until', 'message', 'stop_if'] as const
export const URGENCIES = ['info', 'warning', 'critical'] as const
/** `skipped`: it did not run, for the given reason; `unclear`: the service ended while a step acted. */
export const RUN_STATES = ['running', 'done', 'failed', 'stopped', 'skipped', 'unclear'] as const
export const STEP_STATES = ['acting', 'waiting', 'done', 'failed', 'stopped', 'unclear'] as const

export type Comparison = (typeof COMPARISONS)[number]
export type RunState = (typeof RUN_STATES)[number]
export type StepState = (typeof STEP_STATES)[number]
export type Plain = string | number | boolean | null

/** What a value is compared with. */
export interface Comparing { readonly is: Comparison, readonly than: unknown }

export type Trigger =
  | { readonly kind: 'event', readonly event: string, readonly fields?: Readonly<Record<string, unknown>> }
  | { readonly kind: 'state', readonly value: string, readonly is: Comparison, readonly than: unknown, readonly for_s?: number }
  | { readonly kind: 'time', readonly cron: string, readonly zone?: string }
  | { readonly kind: 'sun', readonly event: string, readonly offset_min?: number }
  | { readonly kind: 'mqtt', readonly topic: string, readonly path?: string, readonly is?: Comparison, readonly than?: unknown }
  | { readonly kind: 'webhook' }

export interface HoursOf {
  readonly from: string
  readonly to: string
  readonly days?: readonly number[]
  readonly zone?: string
}

export interface Condition {
  readonly value?: string
  readonly printer?: string
  readonly is?: Comparison
  readonly than?: unknown
  readonly hours?: HoursOf
  readonly any?: readonly Condition[]
  readonly not?: Condition
}

export type Step =
  | { readonly kind: 'call', readonly operation: string, readonly printer?: string, readonly input?: Readonly<Record<string, unknown>> }
  | { readonly kind: 'wait', readonly seconds: number }
  | { readonly kind: 'wait_until', readonly if: readonly Condition[], readonly most_s: number, readonly otherwise?: 'stop' | 'go_on' }
  | { readonly kind: 'message', readonly text: string, readonly urgency?: 'info' | 'warning' | 'critical' }
  | { readonly kind: 'stop_if', readonly if: readonly Condition[] }

/** What a person writes. */
export interface Draft {
  readonly name: string
  readonly printers: readonly string[] | null
  readonly when: readonly Trigger[]
  readonly if: readonly Condition[]
  readonly then: readonly Step[]
  readonly most_per_hour: number
}

/** As whom a rule acts: a user by their id, else the kind of the caller that saved it. */
export interface Author {
  readonly name: string
  readonly id?: string
  readonly kind: 'user' | 'local' | 'token' | 'network'
}

export interface Rule extends Draft {
  readonly id: string
  readonly enabled: boolean
  readonly author: Author
  readonly createdAt: number
  readonly changedAt: number
  /** Since when it counts what happens: it was added, changed or switched on. */
  readonly armedAt: number
  readonly pausedReason: Why | null
  /** SHA-256 of the secret of its webhook; empty without one. */
  readonly webhook: string
  /** Failed runs in a row. */
  readonly failures: number
}

/** Something that may make a rule run. Its key is the same for all services and over restarts. */
export interface Cause {
  readonly key: string
  readonly at: number
  readonly printer: string | undefined
  readonly fields: Readonly<Record<string, Plain>>
  /** Name of the event or value, for loops; such as `time` for what no act can bring about. */
  readonly source: string
  /** Other keys of the same occurrence: it is not acted on if one of them was. */
  readonly aliases?: readonly string[]
  /** It was not observed in time: it is only recorded, with this reason. */
  readonly missed?: Why
  /** When what it begins with came about, if before `at`: a rule may wait until it has held for long enough. */
  readonly cameAt?: number
}

export interface Run {
  readonly id: string
  readonly rule: string
  readonly ruleName: string
  /** `changedAt` of the rule with which it began. */
  readonly version: number
  readonly printer: string | undefined
  readonly key: string
  readonly at: number
  readonly beganAt: number
  readonly endedAt: number | undefined
  readonly state: RunState
  readonly reason: Why | undefined
  readonly fields: Readonly<Record<string, Plain>>
  readonly chain: readonly string[]
  /** Rules whose acts brought it about, one after the other, however slowly; the newest last. */
  readonly trail: readonly string[]
  readonly owner: string
  readonly leaseUntil: number
  /** Index of the step that comes next or is in progress. */
  readonly step: number
  readonly stepState: 'next' | 'acting' | 'waiting'
  readonly waitUntil: number | undefined
}

export interface StepRecord {
  readonly run: string
  readonly step: number
  readonly state: StepState
  readonly at: number
  readonly endedAt: number | undefined
  readonly what: string
  readonly reason: Why | undefined
  /** What an operation was called with. */
  readonly act?: Act | undefined
}

export interface Act {
  readonly operation: string
  readonly printer: string | undefined
  readonly input: Readonly<Record<string, unknown>>
}

/** A target that a run has set and not ended: the run owns the heat until it ends. */
export interface Heat {
  /** The same for the step that ends it. */
  readonly id: string
  readonly run: string
  readonly ruleName: string
  readonly printer: string
  readonly operation: string
  /** Undefined: the only nozzle, or the one in use. */
  readonly extruder: number | undefined
  readonly celsius: number
  readonly setAt: number
  /** When the rule would have ended it at the latest. */
  readonly until: number
  /** People were told that it may still be on. */
  readonly isTold: boolean
}
