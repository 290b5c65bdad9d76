import { MASK, silenceLimitMs, type Capabilities, type Detectors, type PrinterSession } from '../../../core/index.js'

/** Seconds. */
const CONNECT_TIMEOUT_S = 10

/** `hasAirPrintDetectSupport` becomes `has_air_print_detect_support`. */
export const snake = (name: string) => name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

export const CAPABILITY_NAMES = ['hasAms', 'hasLidar', 'hasCamera', 'hasDualExtruder', 'hasAirFiltration', 'hasChamberTemp',
  'hasChamberDoorSensor', 'hasSoundEnableSupport', 'hasFilamentTangleDetectSupport', 'hasNozzleBlobDetectSupport',
  'hasAirPrintDetectSupport', 'hasAutoRecoverySupport', 'hasAutoSwitchFilamentSupport',
  'hasBuildplateMarkerDetectorSupport', 'hasSpaghettiDetectorSupport', 'hasPurgechutepileupDetectorSupport',
  'hasNozzleclumpingDetectorSupport', 'hasAirprintingDetectorSupport'] as const satisfies readonly (keyof Capabilities)[]

/** All capability flags; false before the first report. */
export const capabilitiesEntry = (capabilities: Capabilities | undefined): Record<string, boolean> =>
  Object.fromEntries(CAPABILITY_NAMES.map(name => [snake(name), capabilities?.[name] ?? false]))

/** Detectors with a sensitivity. */
export const DETECTOR_NAMES = ['spaghetti_detector', 'purgechutepileup_detector', 'nozzleclumping_detector',
  'airprinting_detector'] as const

const detectorEntries = (detectors: Detectors | undefined) => {
  const named: Record<(typeof DETECTOR_NAMES)[number], Detectors['spaghetti'] | undefined> = {
    spaghetti_detector: detectors?.spaghetti,
    purgechutepileup_detector: detectors?.purgeChutePileUp,
    nozzleclumping_detector: detectors?.nozzleClumping,
    airprinting_detector: detectors?.airPrinting
  }
  return Object.fromEntries(Object.entries(named).flatMap(([name, detector]) => [
    [name, detector?.enabled ?? false],
    [`${name}_sensitivity`, detector?.sensitivity ?? 'medium']
  ]))
}

/** The `_config` part of the document. The access code is never in it. */
export function configEntry ({ config, model, state, verbose }: PrinterSession) {
  return {
    hostname: config.host,
    access_code: MASK,
    serial_number: config.serial,
    mqtt_port: config.ports.mqtt,
    mqtt_client_id: 'prnd',
    mqtt_username: 'bblp',
    mqtt_connection_timeout: CONNECT_TIMEOUT_S,
    watchdog_timeout: silenceLimitMs(model) / 1000,
    external_chamber: false,
    bpm_cache_path: null,
    printer_model: model.model,
    firmware_version: state?.firmware.printer ?? '',
    ams_firmware_version: state?.firmware.ams ?? '',
    auto_recovery: state?.options.autoRecovery ?? false,
    filament_tangle_detect: state?.options.filamentTangleDetect ?? false,
    sound_enable: state?.options.sound ?? false,
    auto_switch_filament: state?.options.autoSwitchFilament ?? false,
    nozzle_blob_detect: state?.options.nozzleBlobDetect ?? false,
    air_print_detect: state?.options.airPrintDetect ?? false,
    startup_read_option: state?.ams.readAtPowerOn ?? false,
    tray_read_option: state?.ams.readOnInsert ?? false,
    calibrate_remain_flag: state?.ams.estimateRemaining ?? false,
    buildplate_marker_detector: state?.detectors.buildPlateMarker.enabled ?? false,
    ...detectorEntries(state?.detectors),
    verbose,
    capabilities: capabilitiesEntry(state?.capabilities)
  }
}
