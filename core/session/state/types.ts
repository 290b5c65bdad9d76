/**
 * The decoded state of one printer. Every object is frozen; a part whose report fields did not change is the
 * same object as in the state before, so `now.ams === before.ams` means that nothing happened there.
 */
export interface PrinterState {
  /** When the report arrived, ms since the epoch. */
  readonly receivedAt: number
  readonly job: Job
  readonly heat: Heat
  readonly fans: Fans
  readonly airDuct: AirDuct
  readonly lights: Lights
  readonly doors: Doors
  readonly ams: Ams
  /** Every slot the printer reports, empty ones included, then the external holders. */
  readonly spools: readonly Spool[]
  readonly extruders: readonly Extruder[]
  readonly activeTray: ActiveTray
  readonly extensionTool: ExtensionTool
  readonly errors: Errors
  readonly options: PrintOptions
  readonly detectors: Detectors
  readonly device: Device
  readonly firmware: Firmware
  readonly capabilities: Capabilities
}

export type GcodeState = 'IDLE' | 'PREPARE' | 'RUNNING' | 'PAUSE' | 'FINISH' | 'FAILED' | 'SLICING' | 'INIT' | (string & {})

export interface Job {
  /** Upper case; empty right after the printer's start. */
  readonly gcodeState: GcodeState
  readonly subtaskName: string
  /** Path inside the printer, or the project's file name, by family. */
  readonly gcodeFile: string
  /** 1-based; -1 unknown. */
  readonly plate: number
  readonly stage: { readonly id: number, readonly name: string }
  readonly plannedStages: readonly number[]
  readonly layer: number
  readonly totalLayers: number
  /** 0 to 100. */
  readonly percent: number
  readonly remainingMinutes: number
  /** Download and preparation progress, 0 to 100. */
  readonly preparePercent: number
  /** ms since the epoch; undefined while no job was seen to start. */
  readonly startedAt: number | undefined
  /** ms since the epoch; set once the job has ended. */
  readonly endedAt: number | undefined
  /** `local`, `cloud`, `system`, `idle` or empty. */
  readonly printType: string
  readonly subtaskId: string
  readonly taskId: string
  readonly jobId: string
  /** 1 quiet, 2 standard, 3 sport, 4 ludicrous; 0 before any report. */
  readonly speedLevel: number
  /** Percent of the standard speed. */
  readonly speedPercent: number
  /** identify_ids that the job leaves out. */
  readonly skippedObjects: readonly number[]
  /** Per filament of the project (index = id - 1) where it comes from; undefined entries are unused. */
  readonly mapping: readonly (TrayPlace | undefined)[]
}

/** A unit and the slot in it; units 254 and 255 are the external holders. */
export interface TrayPlace { readonly amsId: number, readonly slot: number }

/** Temperatures in °C. */
export interface Temperature { readonly actual: number, readonly target: number }

export interface Heat {
  readonly bed: Temperature
  /** `sensor` false: the printer measures no chamber temperature; `actual` is then 0. */
  readonly chamber: Temperature & { readonly sensor: boolean }
  /** The active nozzle. */
  readonly nozzle: Temperature
}

/** Percent, 0 to 100. */
export interface Fans {
  readonly part: number
  readonly partTarget: number
  readonly aux: number
  readonly exhaust: number
  readonly heatbreak: number
  /** Last commanded in this session: the printer does not report it. */
  readonly enhancedTarget: number
}

export interface AirDuct {
  /** -1 none, 0 cooling, 1 heating, 2 exhaust, 3 full cooling. */
  readonly mode: number
  readonly subMode: number
  /** Percent per part id: 16 part, 32 auxiliary, 48 exhaust, 96 intake, 160 left auxiliary. */
  readonly parts: Readonly<Record<number, number>>
}

export type LightMode = 'on' | 'off' | 'flashing' | (string & {})
export interface Lights {
  readonly nodes: readonly { readonly node: string, readonly mode: LightMode }[]
  /** Mode of the first node; empty before any report. */
  readonly mode: LightMode
}

export interface Doors {
  readonly sensor: boolean
  readonly doorOpen: boolean
  readonly lidOpen: boolean
}

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
  /** Why a dry cannot start; empty: it can; exactly [6]: one is running. */
  readonly refusals: readonly number[]
  /** Decoded reply to the last refused drying command; empty after an accepted one. */
  readonly failCode: string
  readonly failErrorNumber: number
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
  readonly temperatureC: number
  /** 1 wet to 5 dry; 0 no sensor. */
  readonly humidityIndex: number
  /** Percent relative humidity; 0 unreported. */
  readonly humidityPercent: number
  readonly info: number
  /** Undefined on a unit that cannot dry. */
  readonly dryer: Dryer | undefined
  readonly trayExists: readonly boolean[]
  /** 0 right, 1 left, undefined when the printer does not say. */
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
  /** Percent; -1 unreported. */
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
  /** Where its filament comes from; undefined when none is loaded. */
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

export interface ExtensionTool {
  readonly type: 'NONE' | 'CUTTING_MODULE' | 'LASER_MODULE' | 'ENHANCED_COOLING_FAN' | 'UNKNOWN'
  readonly mount: 'UNKNOWN' | 'NOT_MOUNTED' | 'MOUNTED' | 'NO_MODULE' | 'NO_CABLE'
  readonly calibration: number
  readonly rawType: string
  /** The enhanced cooling fan is mounted. */
  readonly mounted: boolean
}

export type Severity = 'Fatal' | 'Error' | 'Warning' | 'Info'

/** A fault as the printer reports it; texts are looked up by whoever shows it. */
export interface Fault {
  readonly type: 'device_hms' | 'device_error' | 'command_error'
  /** `HMS_0300-0100-0001-0007` or `HMS_0300-400C`; empty for a refusal without a number. */
  readonly code: string
  /** The code's hexadecimal digits, 16 or 8; empty without a number. */
  readonly digits: string
  readonly module: string
  readonly severity: Severity
  readonly critical: boolean
  /** Only `command_error`. */
  readonly command?: { readonly name: string, readonly amsId: number, readonly at: number, readonly reason: string }
}

export interface Errors {
  /** 0 none. */
  readonly printError: number
  /** device_error first, then device_hms as received, then command_error. */
  readonly faults: readonly Fault[]
}

export interface PrintOptions {
  readonly autoRecovery: boolean
  readonly filamentTangleDetect: boolean
  readonly sound: boolean
  readonly autoSwitchFilament: boolean
  readonly nozzleBlobDetect: boolean
  readonly airPrintDetect: boolean
}

export type Sensitivity = 'low' | 'medium' | 'high'
export interface Detector { readonly enabled: boolean, readonly supported: boolean, readonly sensitivity: Sensitivity }
export interface Detectors {
  readonly spaghetti: Detector
  readonly purgeChutePileUp: Detector
  readonly nozzleClumping: Detector
  readonly airPrinting: Detector
  readonly buildPlateMarker: Detector
  readonly firstLayer: Detector
}

export interface Device {
  /** As reported, such as `-45dBm`. */
  readonly wifiSignal: string
  /** Undefined when the printer does not say. */
  readonly storage: boolean | undefined
  readonly ipAddresses: readonly string[]
  readonly nozzleType: string
  readonly nozzleDiameterMm: number
  /** `off`: the printer accepts commands only with a signature; `unknown` until it says or refuses. */
  readonly developerMode: 'on' | 'off' | 'unknown'
  /** Address of the live stream as reported; empty when live view is off or the model has none. */
  readonly rtspUrl: string
  readonly timelapse: boolean
  readonly recording: boolean
  /** Raw hexadecimal words. */
  readonly fun: string
  readonly stat: string
}

export interface Firmware {
  readonly printer: string
  /** Of the AMS named last; empty without one. */
  readonly ams: string
  readonly modules: readonly Module[]
  readonly newVersion: string
}

export interface Module {
  readonly name: string
  readonly product: string
  readonly version: string
  readonly hardware: string
  readonly serial: string
}

export interface Capabilities {
  readonly hasAms: boolean
  readonly hasLidar: boolean
  readonly hasCamera: boolean
  readonly hasDualExtruder: boolean
  readonly hasAirFiltration: boolean
  readonly hasChamberTemp: boolean
  readonly hasChamberDoorSensor: boolean
  readonly hasSoundEnableSupport: boolean
  readonly hasFilamentTangleDetectSupport: boolean
  readonly hasNozzleBlobDetectSupport: boolean
  readonly hasAirPrintDetectSupport: boolean
  readonly hasAutoRecoverySupport: boolean
  readonly hasAutoSwitchFilamentSupport: boolean
  readonly hasBuildplateMarkerDetectorSupport: boolean
  readonly hasSpaghettiDetectorSupport: boolean
  readonly hasPurgechutepileupDetectorSupport: boolean
  readonly hasNozzleclumpingDetectorSupport: boolean
  readonly hasAirprintingDetectorSupport: boolean
}
