// Units, spools, extruders, and the tray in use.

/** Temperatures in °C. */
export interface Temperature { readonly actual: number, readonly target: number }

/** A unit and the slot in it; units 254 and 255 are the external holders. */
export interface TrayPlace { readonly amsId: number, readonly slot: number }

export const AMS_MODELS = ['UNKNOWN', 'AMS_1', 'AMS_LITE', 'AMS_2_PRO', 'AMS_HT'] as const
export type AmsModel = (typeof AMS_MODELS)[number]

export const DRYER_STATES = ['OFF', 'CHECKING', 'DRYING', 'COOLING', 'STOPPING', 'ERROR',
  'CANNOT_STOP_HEAT_OOC', 'PRODUCT_TEST'] as const
export type DryerState = (typeof DRYER_STATES)[number]

export interface Dryer {
  readonly state: DryerState
  readonly subStatus: 'OFF' | 'HEATING' | 'DEHUMIDIFY'
  readonly fan1: boolean
  readonly fan2: boolean
  readonly remainingMinutes: number
  /** °C; -1 idle. */
  readonly targetC: number
  /** Hours; -1 idle. */
  readonly durationHours: number
  /** Empty when idle. */
  readonly filament: string
  /** Why drying cannot start; empty if it can; exactly [6] while it is running. */
  readonly refusals: readonly number[]
  /** Decoded reply to the last refused drying command; empty after an accepted one. */
  readonly failCode: string
  readonly failErrorNumber: number
  /** The printer's own text in that reply; empty if there is only a number. */
  readonly failReason: string
  /** Refused replies so far; only grows. */
  readonly failCount: number
}

export interface AmsUnit {
  /** As the printer reports it: 0 first four-slot unit, 128 first AMS HT. */
  readonly id: number
  /** Hardware serial; empty until the version report. */
  readonly chipId: string
  readonly model: AmsModel
  readonly slots: number
  /** 0 without a sensor, or for a value that no sensor can measure. */
  readonly temperatureC: number
  /** 1 wet to 5 dry; 0 no sensor. */
  readonly humidityIndex: number
  /** Percent relative humidity; 0 unreported. */
  readonly humidityPercent: number
  readonly info: number
  /** Undefined on a unit that cannot dry. */
  readonly dryer: Dryer | undefined
  readonly trayExists: readonly boolean[]
  /** 0 right, 1 left, undefined if the printer does not report it. */
  readonly extruder: number | undefined
  readonly firmware: string
}

export interface Ams {
  /** True once an `ams` object was seen. */
  readonly present: boolean
  readonly units: readonly AmsUnit[]
  readonly existBits: number
  /** Raw `ams_status`: main state in bits 8 to 15, step in bits 0 to 7. */
  readonly statusRaw: number
  readonly statusText: string
  readonly rfidStatus: number
  /** Read a tag when a spool is inserted. */
  readonly readOnInsert: boolean
  /** Read the tags at power-on. */
  readonly readAtPowerOn: boolean
  /** Estimate how much filament is left. */
  readonly estimateRemaining: boolean
}

export interface Spool {
  /** unit*4+slot; 16 to 23 AMS HT; 254 and 255 external holders. */
  readonly id: number
  /** -1 for an external holder. */
  readonly amsId: number
  readonly slot: number
  readonly present: boolean
  /** Vendor's colour label, such as `A01-K1`; empty for other vendors. */
  readonly name: string
  readonly type: string
  readonly subBrand: string
  /** RRGGBBAA; `00000000` when unset. */
  readonly rgba: string
  /** All colours of a multi-colour spool, RRGGBBAA. */
  readonly colors: readonly string[]
  /** Catalogue id; empty when unset. */
  readonly filamentId: string
  readonly k: number
  readonly bedC: number
  readonly nozzleMinC: number
  readonly nozzleMaxC: number
  readonly dryingC: number
  readonly dryingHours: number
  /** Percent; -1 unknown: unreported, or 0 for a spool that the printer cannot measure. */
  readonly remainingPercent: number
  readonly state: number
  /** mm. */
  readonly lengthMm: number
  readonly weightG: number
  readonly tagUid: string
  readonly trayUuid: string
  /** Pressure-advance profile; -1 default. */
  readonly caliIdx: number
}

export type TrayState = 'UNLOADED' | 'LOADED' | 'LOADING' | 'UNLOADING'

export interface Nozzle {
  readonly material: 'UNKNOWN' | 'STAINLESS_STEEL' | 'HARDENED_STEEL' | 'TUNGSTEN_CARBIDE' | 'BRASS' | 'E3D'
  readonly diameterMm: number
  readonly flow: 'UNKNOWN' | 'STANDARD' | 'HIGH_FLOW' | 'TPU_HIGH_FLOW'
  /** `HS01-0.4`; empty when unknown. */
  readonly encodedId: string
  readonly rawType: string
}

export interface Extruder {
  /** -1 the only one, 0 right, 1 left. */
  readonly id: number
  readonly temperature: Temperature
  readonly infoBits: number
  readonly state: 'NO_NOZZLE' | 'EMPTY' | 'BUFFER_LOADED' | 'LOADED' | 'NOT_AVAILABLE'
  readonly status: 'IDLE' | 'HEATING' | 'ACTIVE' | 'SUCCESS' | 'NOT_AVAILABLE'
  readonly nozzle: Nozzle
  /** The source of its filament; undefined if none is loaded. */
  readonly tray: TrayPlace | undefined
  readonly targetTray: TrayPlace | undefined
  readonly trayState: TrayState
  /** First AMS unit that feeds it; -1 none known. */
  readonly amsId: number
}

export interface ActiveTray {
  /** -1 none. Dual: slot within the unit; single: absolute tray id; 254 and 255 external holders. */
  readonly id: number
  /** -1 none. */
  readonly amsId: number
  readonly slot: number
  readonly targetId: number
  readonly state: TrayState
  /** -1 single extruder, 0 right, 1 left, 15 switching. */
  readonly tool: number
  readonly external: boolean
}
