import type { ModelInfo } from '../../core/printer/models.js'
import { table } from './markdown.js'

const NONE = '–'

const CAMERAS: Readonly<Record<ModelInfo['camera'], string>> = {
  rtsps: 'H.264 (RTSPS)', tcp_tls: 'JPEG', probe: 'as reported'
}
const AMS_NAMES: Readonly<Record<string, string>> = {
  AMS_1: 'AMS', AMS_LITE: 'lite', AMS_2_PRO: '2 Pro', AMS_HT: 'HT'
}
const DETECTOR_NAMES: Readonly<Record<string, string>> = {
  spaghetti: 'spaghetti',
  spaghetti_legacy: 'spaghetti',
  pileup: 'pile-up',
  clumping: 'clumping',
  airprint: 'air printing',
  buildplate_marker: 'plate marker',
  first_layer: 'first layer'
}
const DRYERS = ['AMS_2_PRO', 'AMS_HT']

const listed = (words: readonly string[], names: Readonly<Record<string, string>>): string =>
  words.length === 0 ? NONE : words.map(word => names[word] ?? word).join(', ')

/** A firmware version, or what holds for every one. */
const since = (version: string | undefined, without: string): string =>
  version === undefined ? without : version === 'always' ? 'any firmware' : `${version}`

function chamberOf ({ chamberHeater, chamberMaxC, chamberSensor }: ModelInfo): string {
  if (chamberHeater !== null) return `heated to ${chamberMaxC} °C`
  return chamberSensor ? 'sensor' : NONE
}

/** P1 firmware agrees to a remote start and does nothing: it dries when started at its own screen. */
function dryingOf ({ dryingAtScreen, firmware }: ModelInfo): string {
  const from = since(firmware.amsDrying, 'yes')
  return dryingAtScreen === true ? `shown; started at the printer (${from})` : from
}

/** What the program can do on one model, as a row of the table in the README. */
export const modelRow = (model: ModelInfo): readonly string[] => [
  model.name.replace('Bambu Lab ', ''),
  CAMERAS[model.camera],
  listed(model.amsKinds, AMS_NAMES),
  model.amsKinds.some(kind => DRYERS.includes(kind)) ? dryingOf(model) : NONE,
  String(model.extruders),
  chamberOf(model),
  model.doorSource === null ? NONE : since(model.firmware.doorSensor, 'yes'),
  listed(model.detectors, DETECTOR_NAMES),
  since(model.firmware.signatureRequired, NONE)
]

const HEADINGS = [
  'Model', 'Camera', 'AMS units', 'AMS drying', 'Nozzles', 'Chamber', 'Door sensor', 'Detectors', 'Developer mode needed'
]

/** The table of models in the README. */
export const modelTable = (models: readonly ModelInfo[]): string => table(HEADINGS, models.map(modelRow))
