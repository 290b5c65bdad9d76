import { Unsupported, type Capabilities, type PrinterSession, type PrinterState } from '../../core/index.js'
import type { DetectorName, PrintOption } from './schemas.js'

// Printers accept settings for features they lack, without effect. A feature that both the report and the model table
// deny is refused; a printer without a report yet is assumed to have everything.

type Watcher = DetectorName | 'buildplate_marker' | 'first_layer'

/** How reports and the model table tell whether a detector is supported. */
const WATCHERS: Readonly<Record<Watcher, {
  readonly label: string
  readonly models: readonly string[]
  readonly reported: (state: PrinterState) => boolean
}>> = {
  spaghetti: {
    label: 'spaghetti detector', models: ['spaghetti', 'spaghetti_legacy'], reported: ({ detectors }) => detectors.spaghetti.supported
  },
  airprinting: { label: 'air-printing detector', models: ['airprint'], reported: ({ detectors }) => detectors.airPrinting.supported },
  purgechutepileup: {
    label: 'purge-chute pile-up detector', models: ['pileup'], reported: ({ detectors }) => detectors.purgeChutePileUp.supported
  },
  nozzleclumping: {
    label: 'nozzle-clumping detector', models: ['clumping'], reported: ({ detectors }) => detectors.nozzleClumping.supported
  },
  buildplate_marker: {
    label: 'build-plate marker detector',
    models: ['buildplate_marker'],
    reported: ({ capabilities }) => capabilities.hasBuildplateMarkerDetectorSupport
  },
  first_layer: {
    label: 'first layer inspection', models: ['first_layer'], reported: ({ detectors }) => detectors.firstLayer.supported
  }
}

/** @throws PRN_ERR_UNSUPPORTED */
export function requireSupportedDetector ({ name, model, state }: PrinterSession, watcher: Watcher): void {
  const { label, models, reported } = WATCHERS[watcher]
  if (state === undefined || reported(state) || models.some(known => model.detectors.includes(known))) return
  throw new Unsupported(`'${name}' has no ${label}`)
}

/** Options with a reported capability; every printer has the others. */
const CAPABILITIES: Readonly<Partial<Record<PrintOption, keyof Capabilities>>> = {
  filament_tangle_detect: 'hasFilamentTangleDetectSupport',
  sound_enable: 'hasSoundEnableSupport',
  auto_switch_filament: 'hasAutoSwitchFilamentSupport',
  nozzle_blob_detect: 'hasNozzleBlobDetectSupport',
  air_print_detect: 'hasAirPrintDetectSupport'
}

/** Whether the report contains the fields with the capabilities. */
const reportsOptions = ({ raw }: PrinterSession): boolean => raw.home_flag !== undefined || raw.fun !== undefined

/** @throws PRN_ERR_UNSUPPORTED */
export function requireSupportedOption (session: PrinterSession, option: PrintOption): void {
  const { name, state } = session
  const capability = CAPABILITIES[option]
  if (capability === undefined || state === undefined || !reportsOptions(session)) return
  if (state.capabilities[capability]) return
  throw new Unsupported(`'${name}' has no option ${option}`)
}
