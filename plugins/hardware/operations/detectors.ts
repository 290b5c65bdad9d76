import { Type } from 'typebox'
import { operation, Unsupported, type Detector, type PrinterState } from '../../../core/index.js'
import { detector, firstLayer, plateMarker } from '../commands.js'
import { Confirmation, DETECTORS, DetectorSettings, Sensitivity, type DetectorName } from '../schemas.js'
import { requireSupportedDetector } from '../supported.js'

const NONE: Detector = { enabled: false, supported: false, sensitivity: 'medium' }

/** A detector as the printer reports it. */
function reported (state: PrinterState | undefined, name: DetectorName): Detector {
  switch (name) {
    case 'spaghetti': return state?.detectors.spaghetti ?? NONE
    case 'airprinting': return state?.detectors.airPrinting ?? NONE
    case 'purgechutepileup': return state?.detectors.purgeChutePileUp ?? NONE
    case 'nozzleclumping': return state?.detectors.nozzleClumping ?? NONE
  }
}

export const readDetectors = operation({
  name: 'hardware.readDetectors',
  summary: 'Detector settings, and which are supported',
  effect: 'read',
  input: Type.Object({}),
  output: DetectorSettings,
  run ({ session, services }) {
    const { state } = session
    const { detectorSettings } = services.hardware
    const entry = (name: DetectorName) => {
      const { enabled, sensitivity, supported } = detectorSettings[name].over(session, reported(state, name))
      return { enabled, sensitivity, supported }
    }
    const plate = detectorSettings.buildplate_marker.over(session, state?.detectors.buildPlateMarker ?? NONE)
    return {
      spaghetti_detector: entry('spaghetti'),
      airprinting_detector: entry('airprinting'),
      purgechutepileup_detector: entry('purgechutepileup'),
      nozzleclumping_detector: entry('nozzleclumping'),
      buildplate_marker_detector: { enabled: plate.enabled, supported: plate.supported },
      nozzle_blob_detect: {
        enabled: state?.options.nozzleBlobDetect ?? false,
        supported: state?.capabilities.hasNozzleBlobDetectSupport ?? false
      },
      air_print_detect: {
        enabled: state?.options.airPrintDetect ?? false,
        supported: state?.capabilities.hasAirPrintDetectSupport ?? false
      }
    }
  }
})

const WATCHES = 'Switched off, a failing print continues; switched on, it may halt a print.'

/** Each command carries a sensitivity: the requested one when switching on, otherwise the present one. */
export const setDetector = operation({
  name: 'hardware.setDetector',
  summary: 'Switch a detector that watches the print',
  effect: 'write',
  consequence: WATCHES,
  sendsOnly: true,
  input: Type.Object({
    detector: Type.Enum(DETECTORS),
    enabled: Type.Boolean(),
    sensitivity: Type.Optional(Sensitivity)
  }),
  output: Type.Object({ ...Confirmation.properties, sensitivity: Sensitivity }),
  errors: [Unsupported],
  async run ({ session, services }, { detector: name, enabled, sensitivity: chosen }) {
    requireSupportedDetector(session, name)
    const settings = services.hardware.detectorSettings[name]
    const present = settings.over(session, reported(session.state, name)).sensitivity
    const sensitivity = enabled ? chosen ?? present : present
    const outcome = await session.perform(`to switch the ${name} detector`, detector(name, enabled, sensitivity))
    settings.set(session, { enabled, sensitivity })
    return { ...outcome, sensitivity }
  }
})

export const setPlateMarker = operation({
  name: 'hardware.setPlateMarker',
  summary: 'Switch the check of the build-plate marker',
  effect: 'write',
  consequence: 'A check that the printer does before a print is switched.',
  sendsOnly: true,
  input: Type.Object({ enabled: Type.Boolean() }),
  output: Confirmation,
  errors: [Unsupported],
  async run ({ session, services }, { enabled }) {
    requireSupportedDetector(session, 'buildplate_marker')
    const outcome = await session.perform('to switch the build-plate marker detector', plateMarker(enabled))
    services.hardware.detectorSettings.buildplate_marker.set(session, { enabled })
    return outcome
  }
})

export const setFirstLayer = operation({
  name: 'hardware.setFirstLayer',
  summary: 'Switch the inspection of the first layer',
  effect: 'write',
  consequence: 'A check that the printer does after the first layer is switched.',
  sendsOnly: true,
  input: Type.Object({ enabled: Type.Boolean() }),
  output: Confirmation,
  errors: [Unsupported],
  run ({ session }, { enabled }) {
    requireSupportedDetector(session, 'first_layer')
    return session.perform('to switch the first layer inspection', firstLayer(enabled))
  }
})
