import type { ModelInfo } from '../models.js'
import { reportedUnits, UNIT_FIELDS } from './ams.js'
import { hasDoorSensor } from './lights-and-doors.js'
import { NO_SENSOR_C } from './heat.js'
import { flag, list, num, part, type Raw } from './raw.js'
import { detectors, FUN, funBit, HOME, homeBit } from './options.js'
import type { DecodeInput, Section } from './section.js'
import type { Capabilities } from './types.js'

export const capabilities: Section<Capabilities> = {
  fields: [...UNIT_FIELDS, 'xcam', 'fun', 'home_flag', 'device.airduct', 'device.ctc', 'chamber_temper', 'ipcam'],
  context: ['seen', 'modules'],
  read: readCapabilities
}

function readCapabilities (raw: Raw, input: DecodeInput): Capabilities {
  const { context: { seen } } = input
  const xcam = part(raw, 'xcam')
  const found = detectors.read(raw, input)
  return {
    ...sticky(raw, input),
    hasLidar: flag(xcam.first_layer_inspector),
    hasChamberDoorSensor: hasDoorSensor(raw, input),
    hasBuildplateMarkerDetectorSupport: seen.hasBuildplateMarkerDetectorSupport === true ||
      found.buildPlateMarker.supported,
    hasSpaghettiDetectorSupport: found.spaghetti.supported,
    hasPurgechutepileupDetectorSupport: found.purgeChutePileUp.supported,
    hasNozzleclumpingDetectorSupport: found.nozzleClumping.supported,
    hasAirprintingDetectorSupport: found.airPrinting.supported
  }
}

type Sticky = Omit<Capabilities, 'hasLidar' | 'hasChamberDoorSensor' | 'hasBuildplateMarkerDetectorSupport' |
  'hasSpaghettiDetectorSupport' | 'hasPurgechutepileupDetectorSupport' | 'hasNozzleclumpingDetectorSupport' |
  'hasAirprintingDetectorSupport'>

/** Capabilities stay once they were seen: partial reports must not remove them. */
function sticky (raw: Raw, { context: { seen }, model, dual }: DecodeInput): Sticky {
  const hasAms = seen.hasAms === true || reportedUnits(raw).length > 0
  return {
    hasAms,
    hasCamera: seen.hasCamera === true || model.camera !== 'probe' || reportsCamera(raw),
    hasDualExtruder: seen.hasDualExtruder === true || dual,
    hasAirFiltration: seen.hasAirFiltration === true || part(raw, 'device').airduct !== undefined,
    hasChamberTemp: seen.hasChamberTemp === true || hasChamberSensor(raw, model),
    hasSoundEnableSupport: seen.hasSoundEnableSupport === true ||
      homeBit(raw, HOME.soundSupported) || funBit(raw, FUN.sound),
    hasFilamentTangleDetectSupport: seen.hasFilamentTangleDetectSupport === true ||
      homeBit(raw, HOME.tangleSupported) || funBit(raw, FUN.tangle),
    hasNozzleBlobDetectSupport: seen.hasNozzleBlobDetectSupport === true ||
      homeBit(raw, HOME.blobSupported) || funBit(raw, FUN.blob),
    hasAirPrintDetectSupport: seen.hasAirPrintDetectSupport === true || homeBit(raw, HOME.airPrintSupported),
    hasAutoRecoverySupport: seen.hasAutoRecoverySupport === true || raw.home_flag !== undefined,
    hasAutoSwitchFilamentSupport: seen.hasAutoSwitchFilamentSupport === true || hasAms
  }
}

/** Older firmware of models with a sensor reports its temperature in a field that other models fill with a constant. */
const hasChamberSensor = (raw: Raw, { chamberSensor }: ModelInfo): boolean =>
  part(raw, 'device').ctc !== undefined ||
  (chamberSensor && num(raw.chamber_temper, NO_SENSOR_C) !== NO_SENSOR_C)

/** What an unknown model says of its camera. */
function reportsCamera (raw: Raw): boolean {
  const { rtsp_url: url, ipcam_dev: device } = part(raw, 'ipcam')
  return typeof url === 'string' || device === '1'
}

/** True if the report lists a second extruder. */
export const isDual = (raw: Raw): boolean => list(part(raw, 'device', 'extruder').info).length >= 2
