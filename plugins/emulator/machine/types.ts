import type { Json } from '../json-merge.js'
import type { AmsKind, Traits } from '../models/traits.js'

export type GcodeState = 'IDLE' | 'PREPARE' | 'RUNNING' | 'PAUSE' | 'FINISH' | 'FAILED'

/** Source of filament: a unit's slot, or a holder (`ams` 254 or 255, `slot` 0). */
export interface Slot { readonly ams: number, readonly slot: number }

/** A spool in wire format. Never changed in place. */
export type Tray = Readonly<Json>

export interface Heater { actual: number, target: number }

export interface Extruder {
  /** 0 right or only, 1 left. */
  readonly id: number
  readonly heater: Heater
  diameter: number
  /** Four-character code; empty on models that do not report it. */
  code: string
  loaded: Slot | undefined
  previous: Slot | undefined
  /** How long it has held a target without a job, ms. */
  idleHotMs: number
}

/** Dryer states, numbered as on the wire. */
export const DRY = { OFF: 0, CHECKING: 1, DRYING: 2, COOLING: 3, STOPPING: 4 } as const

export interface Dryer {
  state: number
  /** Until the next state, ms. */
  leftMs: number
  /** Remaining drying time, ms. */
  dryMs: number
  hours: number
  temp: number
  filament: string
}

export interface Unit {
  readonly id: number
  readonly kind: AmsKind
  readonly serial: string
  /** The extruder that it feeds. */
  readonly extruder: number
  humidityPct: number
  temp: number
  trays: readonly Tray[]
  readonly dryer: Dryer
}

/** One step of a filament change. */
export interface ChangeStep { readonly sub: number, readonly ms: number }

export interface Change {
  readonly kind: 'load' | 'unload'
  readonly extruder: number
  readonly to: Slot | undefined
  readonly temp: number
  /** `stg_cur` while it lasts. */
  readonly stage: number
  readonly steps: readonly ChangeStep[]
  at: number
  leftMs: number
  paused: boolean
  /** Target to restore. */
  readonly targetBefore: number
}

/** A tag being read. */
export interface Scan { readonly slot: Slot, leftMs: number }

export interface Ams {
  readonly units: Unit[]
  /** External spools by holder id. */
  holders: readonly Tray[]
  readsOnInsert: boolean
  readsAtPowerOn: boolean
  version: number
  scan: Scan | undefined
  change: Change | undefined
  /** Commands for it are ignored after a sequence id beyond 31 bits. */
  hung: boolean
}

export interface HmsEntry extends Json { readonly attr: number, readonly code: number }

/** Bit words of the report. The modern ones are 0 on models without them. */
export interface Words {
  homeFlag: number
  flag3: number
  fun: bigint
  fun2: bigint
  cfg: bigint
  aux: bigint
  stat: bigint
}

/** A step before the first layer. */
export interface Stage { readonly code: number, readonly ms: number }

export interface Job {
  /** Counts the jobs since power-on. */
  number: number
  state: GcodeState
  /** State after `resume`. */
  resumeTo: 'PREPARE' | 'RUNNING'
  name: string
  file: string
  plate: number
  subtaskId: string
  taskId: string
  projectId: string
  profileId: string
  prepareMs: number
  stages: readonly Stage[]
  stageAt: number
  stageMs: number
  /** `stg_cur` as far as the job decides it. */
  stage: number
  layers: number
  durationMs: number
  elapsedMs: number
  speed: number
  objects: readonly number[]
  skipped: readonly number[]
  /** Source of each filament that the job uses; undefined unused. */
  mapping: readonly (Slot | undefined)[]
  end: 'finish' | 'fail'
  runoutAtPct: number
  /** The spool that ran out, put back when the user resumes. */
  spent: { readonly slot: Slot, readonly tray: Tray } | undefined
  /** Number to report when preparation is over, 0 none. */
  failure: number
  bedC: number
}

/** Pressure-advance profile in wire format. */
export type Profile = Readonly<Json>

/** Facts about a job, read from its file. */
export interface JobPlan {
  readonly layers?: number
  readonly minutes?: number
  /** Numbers of the objects that may be skipped. */
  readonly objects?: readonly number[]
  /** Bed temperature, °C. */
  readonly bed?: number
  /** How the job ends by itself. @default finish */
  readonly end?: Job['end']
  /** Error number of a file that cannot be printed, with which the job ends before it begins. */
  readonly failure?: number
}

export type ResolveJob = (projectFile: Readonly<Json>) => JobPlan | undefined | Promise<JobPlan | undefined>

/** Where head and bed are, and how the next G-code moves them. Not reported. */
export interface MotionState {
  /** mm; what it says of an axis that is not homed means nothing. */
  readonly at: Record<'X' | 'Y' | 'Z', number>
  isRelative: boolean
  isFeedRelative: boolean
  /** Moves end at the borders of the volume. */
  hasLimits: boolean
  savedLimits: boolean
  readonly savedModes: boolean[]
  /** Filament that was fed since power-on, mm; less what was pulled back. */
  fedMm: number
  /** Where the filament is by absolute lengths. */
  feedAt: number
}

/** The state of the printer. Plain data; changed by the step and command functions. */
export interface Machine {
  readonly traits: Traits
  readonly serial: string
  readonly accessCode: string
  readonly firmware: string
  readonly developerMode: boolean
  readonly resolveJob: ResolveJob | undefined
  name: string
  /** Report fields without behaviour. Replaced as a whole, never changed in place at any depth. */
  fields: Json
  readonly words: Words
  readonly extruders: Extruder[]
  readonly bed: Heater
  readonly chamber: Heater
  /** Percent by P number; the enhanced fan (9) is not reported. */
  readonly fans: Record<number, number>
  airductMode: number
  airductSubMode: number
  /** Dual printers: the active tool, the next one, and the remaining time of the change. */
  readonly tool: { current: number, target: number, leftMs: number }
  /** Remaining time of a nozzle check, ms. */
  nozzleReadMs: number
  readonly motion: MotionState
  readonly ams: Ams
  readonly job: Job
  printError: number
  hms: readonly HmsEntry[]
  profiles: readonly Profile[]
  /** Pseudo-random, the same sequence for the same serial. */
  readonly random: () => number
  noiseMs: number
}
