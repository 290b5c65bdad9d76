import type { Json } from '../json-merge.js'

export const MODELS =
  ['A1_MINI', 'A1', 'P1P', 'P1S', 'X1', 'X1C', 'X1E', 'P2S', 'H2S', 'H2D', 'H2D_PRO', 'X2D'] as const
export type ModelName = typeof MODELS[number]

export const AMS_KINDS = ['AMS', 'AMS_LITE', 'AMS_2_PRO', 'AMS_HT'] as const
export type AmsKind = typeof AMS_KINDS[number]

/** Air-duct mode: fans that it allows and fans that it keeps off, by part id. */
export interface AirductMode {
  readonly modeId: number
  readonly ctrl: readonly number[]
  readonly off: readonly number[]
}

/** Bit words after power-on. */
export interface PowerOnWords {
  readonly homeFlag: number
  readonly flag3?: number
  readonly fun?: string
  readonly fun2?: string
  readonly cfg?: string
  readonly aux?: string
  readonly stat?: string
}

/** A board of the printer, for the version report. */
export interface Module { readonly name: string, readonly hw: string, readonly version?: string }

/** First firmware with a behaviour that older firmware lacks. */
export interface Gates {
  /** `print.ams_get_rfid`; before it G-code `M620 R`. */
  readonly rfid?: string
  /** AMS units report humidity in percent, temperature and dryer. */
  readonly amsClimate?: string
  /** `nozzle_type` is a code such as `HH01`; before it a word such as `hardened_steel`. */
  readonly nozzleCode?: string
}

/** Differences between the models on the wire. */
export interface Traits {
  readonly model: ModelName
  /** Name in the version report. */
  readonly product: string
  /** Model code, as discovery and older version reports spell it. */
  readonly code: string
  readonly serialPrefix: string
  readonly series: 'A1' | 'P1' | 'X1' | 'P2' | 'H2' | 'X2'
  /** Reports `fun`, `cfg`, `aux`, `stat` and `device`. */
  readonly modern: boolean
  /** After a full report only changes are sent. */
  readonly incremental: boolean
  /** Printed with four spaces per level. */
  readonly indent: boolean
  /** Constant id of its reports; a counter without. */
  readonly sequence?: string
  /** One of so many periodic reports has only a few keys; 0 for never. */
  readonly partialEvery: number
  readonly idleEveryMs: number
  readonly firmware: string
  readonly gates: Gates
  readonly extruders: 1 | 2
  /** °C */
  readonly limits: { readonly nozzle: number, readonly bed: number, readonly chamber: number }
  /** No sensor, a sensor only, or a heater with the command that sets it. */
  readonly chamber: 'none' | 'sensor' | 'set_ctt' | 'M141'
  /** P numbers of the fans that are fitted. */
  readonly fans: readonly number[]
  readonly airduct: readonly AirductMode[]
  /** Extension tool on the head: `F000` is the enhanced cooling fan, empty none. */
  readonly extTool: '' | 'F000'
  readonly ams: readonly AmsKind[]
  /** `stg_cur` at rest: since power-on, and after a job. */
  readonly restStage: { readonly fresh: number, readonly after: number }
  /** The total of layers reads 0 once a job has ended. */
  readonly forgetsLayers: boolean
  readonly refreshesNozzle: boolean
  /** Text of `nozzle_type` and code per extruder, right one first. */
  readonly nozzleType: string
  readonly nozzleCodes: readonly string[]
  readonly words: PowerOnWords
  /** Report fields without behaviour. */
  readonly fields: Readonly<Json>
  readonly modules: readonly Module[]
}
