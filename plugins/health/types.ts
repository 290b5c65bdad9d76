import type { Sensitivity } from '../../core/index.js'
import type { PrintSettings } from '../projects/index.js'

export const VERDICTS = ['clean', 'warning', 'critical'] as const
export type Verdict = (typeof VERDICTS)[number]

export const PROFILES = ['improved', 'reference'] as const
/** How pictures are judged. */
export type Profile = (typeof PROFILES)[number]

export const SERIES = ['X1', 'P1', 'P2', 'A1', 'H2'] as const
export type Series = (typeof SERIES)[number] | 'UNKNOWN'

/** Where the parts of a job lie on the plate. */
export interface PlateLayout {
  /** Bounding boxes of first layers in mm from the plate's lower left corner: smallest x and y, then largest. */
  readonly boxes: readonly (readonly [xMin: number, yMin: number, xMax: number, yMax: number])[]
  readonly bedMm: readonly [width: number, depth: number, ...rest: number[]]
}

/** Everything besides the pixels that an analysis takes into account. Plain data. */
export interface JobContext {
  readonly jobName: string
  readonly gcodeState: string
  readonly stageId: number
  readonly stageName: string
  readonly layer: number
  readonly totalLayers: number
  readonly progressPct: number
  readonly remainingMinutes: number
  readonly nozzleC: number
  readonly nozzleTargetC: number
  readonly bedC: number
  readonly bedTargetC: number
  /** 0 if not measured. */
  readonly chamberC: number
  readonly partFanPct: number
  readonly auxFanPct: number
  readonly exhaustFanPct: number
  /** 1 wet to 5 dry, 0 unknown. */
  readonly amsHumidity: number
  /** Active errors. */
  readonly errors: number
  readonly spaghetti: { readonly enabled: boolean, readonly sensitivity: Sensitivity }
  readonly clumping: { readonly enabled: boolean }
  readonly airPrinting: { readonly enabled: boolean }
  /** `color` is `#RRGGBB`; empty for a clear, multi-coloured or unknown spool. */
  readonly filament: { readonly type: string, readonly color: string } | null
  readonly series: Series
  readonly enclosed: boolean
  readonly bedMm: PlateLayout['bedMm']
  readonly nozzleMm: number
  readonly nozzleFlow: string
  readonly speed: 'QUIET' | 'STANDARD' | 'SPORT' | 'LUDICROUS'
  readonly lightOn: boolean
  readonly doorOpen: boolean
  readonly lidOpen: boolean
  readonly settings: PrintSettings
  /** Undefined when the layout of the plate is unknown. */
  readonly plate?: PlateLayout
}

/** One picture of a printer's camera. */
export interface Frame {
  readonly jpeg: Buffer
  /** ms since the epoch. */
  readonly capturedAt: number
}

/** How the job's plate is meant to look, and how it was sliced. */
export interface PlateReference {
  /** Picture of the plate, PNG or JPEG. */
  readonly thumbnail?: Buffer
  /** Plate from above with its objects, PNG or JPEG. */
  readonly layout?: Buffer
  readonly settings?: PrintSettings
  readonly plate?: PlateLayout
}

/** The finding of a detector in a frame. */
export interface Detection {
  /** From 0, nothing, to 1, certain; a warning from 0.38, critical from 0.78. */
  readonly score: number
  /** For the log, and for the label of the boxes. */
  readonly label?: string
  /**
   * Weight against the comparison of pictures: with 1 the comparison has no influence on the score, with 0.5 both
   * count half. Without it the worse of the two counts.
   */
  readonly trust?: number
  /** Found objects, drawn into the pictures. */
  readonly boxes?: readonly DetectedBox[]
}

/** A box in fractions of the picture. */
export interface DetectedBox {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
  readonly score: number
  readonly label: string
}

export interface DetectOptions {
  readonly signal: AbortSignal
  readonly printer: string
  /** Changes with every job. */
  readonly job: number
  /** False for an analysis on request: what is remembered of the printer is used but not changed. */
  readonly remember: boolean
}

/** A model that judges frames, such as a neural network; contributed by a plugin. */
export interface HealthDetector {
  readonly name: string
  /**
   * Must not block the daemon. One that fails or times out is left out of that analysis.
   * @returns undefined when it has nothing to say
   */
  detect (frame: Frame, context: JobContext, options: DetectOptions): Promise<Detection | undefined>
}

export const defineHealthDetector = (detector: HealthDetector): HealthDetector => Object.freeze(detector)

export const FACTORS = ['material', 'platform', 'progress', 'anomaly', 'thermal', 'humidity', 'stability',
  'settings'] as const
/** Each 0 to 1, where 1 is the highest risk. */
export type Factors = Readonly<Record<(typeof FACTORS)[number], number>>

export const QUALITIES = ['preview', 'standard', 'full'] as const
export type Quality = (typeof QUALITIES)[number]

/** Text of a badge. */
export const WORDS = ['clean', 'warning', 'critical', 'standby'] as const
export type Word = (typeof WORDS)[number]

/** Why the print is not judged. */
export const REASONS = ['idle', 'preparing', 'heating', 'busy', 'paused', 'unseen'] as const
export type Reason = (typeof REASONS)[number]

/** How well the camera shows the print. */
export const VISIBILITIES = ['clear', 'blurred', 'obstructed', 'dark', 'washed', 'covered', 'missing'] as const
export type Visibility = (typeof VISIBILITIES)[number]

/** The overall status of a job; badges, gauges, colours and sentences are derived from this alone. */
export interface Status {
  readonly word: Word
  readonly reason: Reason | null
  readonly sight: Visibility
  /** 0 to 1, within the bounds of the word. Null in standby. */
  readonly health: number | null
  /** One or two sentences. */
  readonly summary: string
}

/** The monitor's last result of a printer, without pictures. It survives the end of the job and a restart. */
export interface HealthResult {
  readonly verdict: Verdict
  readonly stable_verdict: Verdict | null
  readonly anomaly_score: number
  readonly hot_pct: number | null
  readonly strand_score: number | null
  readonly diff_score: number | null
  readonly reference_age_s?: number | null
  readonly quality?: Quality
  readonly stage: number
  readonly stage_name: string
  readonly stage_gated: boolean
  readonly success_probability: number | null
  readonly success_probability_trend?: 'building' | 'stable' | 'escalating' | 'improving'
  readonly success_probability_min?: number
  readonly decision_confidence: number | null
  readonly factor_contributions: Factors | null
  readonly layer: number
  readonly total_layers: number
  readonly progress_pct: number
  readonly remaining_min: number
  readonly gcode_state: string
  readonly ams_humidity: number
  /** The overall status. */
  readonly status: Status
  /** ISO 8601, UTC. */
  readonly timestamp: string
}
