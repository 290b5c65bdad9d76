/** Features of a model, where its reports do not state them. */
export interface ModelInfo {
  /** Enumeration name: `X1C`, `A1_MINI`, … or `UNKNOWN`. */
  readonly model: string
  readonly name: string
  /** Model codes as discovery and the version report spell them. */
  readonly codes: readonly string[]
  readonly serialPrefixes: readonly string[]
  readonly series: string
  readonly extruders: number
  readonly enclosed: boolean
  /** `rtsps` on port 322, `tcp_tls` JPEG stream on port 6000, `probe`: as reported. */
  readonly camera: 'rtsps' | 'tcp_tls' | 'probe'
  readonly lidar: boolean
  readonly chamberSensor: boolean
  /** How the chamber is heated; null without a heater. */
  readonly chamberHeater: 'set_ctt' | 'M141' | null
  /** °C; 0 without a heater. */
  readonly chamberMaxC: number
  readonly nozzleMaxC: number
  readonly bedMaxC: number
  /** The report field with the door bit. */
  readonly doorSource: 'home_flag' | 'stat' | null
  readonly auxFan: boolean
  readonly chamberFan: boolean
  readonly lights: readonly string[]
  readonly amsKinds: readonly string[]
  /** Ids of the external holders: 254 the only or left one, 255 the right one of a dual printer. */
  readonly externalHolders: readonly number[]
  /** Print volume X, Y, Z in mm. */
  readonly bedMm: readonly [x: number, y: number, z: number]
  /** A single toolhead picks its nozzle from a rack. */
  readonly nozzleRack?: boolean
  /** Firmware accepts the remote command to dry but ignores it. */
  readonly dryingAtScreen?: boolean
  readonly printUrl: 'ftp' | 'file_sdcard'
  /** False: reports are incremental after the first. */
  readonly fullReports: boolean
  readonly refreshNozzle: boolean
  readonly bedLevelingTristate: boolean
  readonly detectors: readonly string[]
  /** First firmware with the named behaviour. */
  readonly firmware: Readonly<Record<string, string>>
}
