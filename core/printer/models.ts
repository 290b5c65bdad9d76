import { MODELS } from './models.data.js'
import type { ModelInfo } from './model-info.js'

export type { ModelInfo } from './model-info.js'

/** Defaults for an undescribed model: nothing is ruled out, its reports decide. */
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

type Limits = Pick<ModelInfo, 'nozzleMaxC' | 'bedMaxC' | 'chamberMaxC'>

const highest = (limit: 'bedMaxC' | 'nozzleMaxC'): number => Math.max(...MODELS.map(model => model[limit]))
const [HOTTEST_BED_C, HOTTEST_NOZZLE_C] = [highest('bedMaxC'), highest('nozzleMaxC')]

/**
 * The highest targets that may be sent, °C. For an unknown model they are what any model reaches: more than that is a
 * slip, such as a target in °F.
 */
export const heatLimitsOf = ({ nozzleMaxC, bedMaxC, chamberMaxC }: Limits): Limits =>
  ({ nozzleMaxC: Math.min(nozzleMaxC, HOTTEST_NOZZLE_C), bedMaxC: Math.min(bedMaxC, HOTTEST_BED_C), chamberMaxC })

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
 * The model as configured, else by the first three characters of the serial number, else by the product name in the
 * version report. Unknown printers get {@link UNKNOWN_MODEL}.
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
