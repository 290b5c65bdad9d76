import { MODELS } from './models.data.js'

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
  /** `rtsps` on port 322, `tcp_tls` JPEG stream on port 6000, `probe` decide by what the reports say. */
  readonly camera: 'rtsps' | 'tcp_tls' | 'probe'
  readonly lidar: boolean
  readonly chamberSensor: boolean
  /** How the chamber is heated, null when it has no heater. */
  readonly chamberHeater: 'set_ctt' | 'M141' | null
  /** °C; 0 without a heater. */
  readonly chamberMaxC: number
  readonly nozzleMaxC: number
  readonly bedMaxC: number
  /** The report word with the door bit. */
  readonly doorSource: 'home_flag' | 'stat' | null
  readonly auxFan: boolean
  readonly chamberFan: boolean
  readonly lights: readonly string[]
  readonly amsKinds: readonly string[]
  /** Holder ids of the product: 254 the only or left one, 255 the right one of a dual printer. */
  readonly externalHolders: readonly number[]
  /** Print volume X, Y, Z in mm. */
  readonly bedMm: readonly number[]
  readonly printUrl: 'ftp' | 'file_sdcard'
  /** False: reports are incremental after the first. */
  readonly fullReports: boolean
  readonly refreshNozzle: boolean
  readonly bedLevelingTristate: boolean
  readonly detectors: readonly string[]
  /** First firmware that shows the named behaviour. */
  readonly firmware: Readonly<Record<string, string>>
}

/** What is assumed of a printer nobody has described: nothing is forbidden, its reports decide. */
export const UNKNOWN_MODEL: ModelInfo = {
  model: 'UNKNOWN',
  name: 'Unknown printer',
  codes: [],
  serialPrefixes: [],
  series: '',
  extruders: 1,
  enclosed: true,
  camera: 'probe',
  lidar: false,
  chamberSensor: true,
  chamberHeater: null,
  chamberMaxC: 0,
  nozzleMaxC: Infinity,
  bedMaxC: Infinity,
  doorSource: 'stat',
  auxFan: true,
  chamberFan: true,
  lights: ['chamber_light'],
  amsKinds: [],
  externalHolders: [254],
  bedMm: [256, 256, 256],
  printUrl: 'ftp',
  fullReports: true,
  refreshNozzle: false,
  bedLevelingTristate: false,
  detectors: [],
  firmware: {}
}

const wordsOf = (text: string) => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')

/** A model by its enumeration name, model code or display name, in any spelling. */
export const modelByName = (text: string): ModelInfo | undefined => {
  const wanted = wordsOf(text)
  return MODELS.find(info => wordsOf(info.model) === wanted ||
    info.codes.some(code => wordsOf(code) === wanted) ||
    [wordsOf(info.name), wordsOf(info.name).replace('BAMBULAB', '')].includes(wanted))
}

const modelBySerial = (serial: string) =>
  MODELS.find(info => info.serialPrefixes.includes(serial.slice(0, 3).toUpperCase()))

/**
 * The model as configured, else by the first three characters of the serial, else by what the printer
 * calls itself in its version report. Unknown printers get {@link UNKNOWN_MODEL}.
 */
export function resolveModel (serial: string, configured?: string, reported: readonly string[] = []): ModelInfo {
  const named = configured === undefined ? undefined : modelByName(configured)
  if (named) return named
  const bySerial = modelBySerial(serial)
  if (bySerial) return bySerial
  for (const name of reported) {
    const found = modelByName(name)
    if (found) return found
  }
  return UNKNOWN_MODEL
}
