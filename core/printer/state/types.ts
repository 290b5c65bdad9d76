import type { ActiveTray, Ams, Extruder, Spool, Temperature, TrayPlace } from './filament-types.js'

export * from './filament-types.js'

/**
 * The decoded state of one printer. Every object is frozen; a part whose report fields did not change is the same
 * object as in the previous state, so `now.ams === before.ams` means that nothing changed there.
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
  /** Every slot that the printer reports, including empty ones, then the external holders. */
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
  /** A person cancelled the job; `gcodeState` is then `FAILED` as for a failed one, or `IDLE`. */
  readonly cancelled: boolean
  readonly subtaskName: string
  /** Path on the printer, or the project's file name, depending on the family. */
  readonly gcodeFile: string
  /** 1-based; -1 unknown. */
  readonly plate: number
  readonly stage: { readonly id: number, readonly name: string }
  readonly plannedStages: readonly number[]
  readonly layer: number
  readonly totalLayers: number
  /** 0 to 100; for a failed or cancelled job, how far it got. */
  readonly percent: number
  readonly remainingMinutes: number
  /** Download and preparation progress, 0 to 100. */
  readonly preparePercent: number
  /** ms since the epoch; undefined if no job was seen to start. */
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
  /** identify_ids that the job skips. */
  readonly skippedObjects: readonly number[]
  /** Source of each filament of the project (index = id - 1); undefined entries are unused. */
  readonly mapping: readonly (TrayPlace | undefined)[]
}

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

export interface ExtensionTool {
  readonly type: 'NONE' | 'CUTTING_MODULE' | 'LASER_MODULE' | 'ENHANCED_COOLING_FAN' | 'UNKNOWN'
  readonly mount: 'UNKNOWN' | 'NOT_MOUNTED' | 'MOUNTED' | 'NO_MODULE' | 'NO_CABLE'
  readonly calibration: number
  readonly rawType: string
  /** Of any kind. */
  readonly mounted: boolean
}

export type Severity = 'Fatal' | 'Error' | 'Warning' | 'Info'

/** A fault as the printer reports it; its text is looked up for display. */
export interface Fault {
  readonly type: 'device_hms' | 'device_error' | 'command_error'
  /** `HMS_0300-0100-0001-0007` or `HMS_0300-400C`; empty for a refusal without a number. */
  readonly code: string
  /** The code's hexadecimal digits, 16 or 8; empty without a number. */
  readonly digits: string
  readonly module: string
  readonly severity: Severity
  readonly critical: boolean
  /** A person chose to ignore it on this printer. */
  readonly ignored?: true
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
  /** Undefined if the printer does not report it. */
  readonly storage: boolean | undefined
  readonly ipAddresses: readonly string[]
  readonly nozzleType: string
  readonly nozzleDiameterMm: number
  /** `off`: the printer accepts commands only with a signature; `unknown` until it reports or refuses. */
  readonly developerMode: 'on' | 'off' | 'unknown'
  /** The printer itself reports that it accepts only signed commands; an earlier refusal may be out of date. */
  readonly signedOnly: boolean
  /** URL of the live stream as reported; empty if live view is off or the model has none. */
  readonly rtspUrl: string
  readonly timelapse: boolean
  readonly recording: boolean
  /** Raw hexadecimal words. */
  readonly fun: string
  readonly stat: string
}

export interface Firmware {
  readonly printer: string
  /** Of the AMS that was listed last; empty without one. */
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
