import { bit, bits, flag, hex, hexBit, int, part, text, type Raw } from './raw.js'
import type { Section } from './section.js'
import type { Detector, Detectors, PrintOptions, Sensitivity } from './types.js'

/** Bits of the signed word `home_flag`. */
export const HOME = {
  autoRecovery: 4,
  autoSwitchFilament: 10,
  sound: 17,
  soundSupported: 18,
  tangleSupported: 19,
  tangle: 20,
  blob: 24,
  blobSupported: 25,
  airPrint: 28,
  airPrintSupported: 29
} as const

/** Bits of the hexadecimal word `cfg`, for printers that send no `home_flag`. */
const CFG = { autoRecovery: 16, autoSwitchFilament: 18, sound: 22, tangle: 23, blob: 24, firstLayer: 12 } as const

/** Bits of the hexadecimal capability word `fun`. */
export const FUN = {
  sound: 8,
  tangle: 9,
  doorSensor: 12,
  blob: 13,
  signatureRequired: 29,
  spaghetti: 42,
  pileUp: 43,
  clumping: 44,
  airPrinting: 45
} as const

export const homeBit = (raw: Raw, at: number): boolean => bit(int(raw.home_flag), at)
export const funBit = (raw: Raw, at: number): boolean => hexBit(hex(raw.fun), at)

export const options: Section<PrintOptions> = {
  fields: ['home_flag', 'cfg'],
  read: raw => {
    const option = (home: number, cfg: number) =>
      raw.home_flag !== undefined ? homeBit(raw, home) : hexBit(hex(raw.cfg), cfg)
    return {
      autoRecovery: option(HOME.autoRecovery, CFG.autoRecovery),
      filamentTangleDetect: option(HOME.tangle, CFG.tangle),
      sound: option(HOME.sound, CFG.sound),
      autoSwitchFilament: option(HOME.autoSwitchFilament, CFG.autoSwitchFilament),
      nozzleBlobDetect: option(HOME.blob, CFG.blob),
      airPrintDetect: homeBit(raw, HOME.airPrint)
    }
  }
}

const SENSITIVITIES: readonly Sensitivity[] = ['low', 'medium', 'high']

/**
 * Locations of a detector's settings: its enable bit in `xcam.cfg` (sensitivity in the two above), legacy key, `fun`
 * bit.
 */
interface Place { readonly cfg: number, readonly key: string, readonly fun: number }
const SPAGHETTI: Place = { cfg: 7, key: 'spaghetti_detector', fun: FUN.spaghetti }
const PILE_UP: Place = { cfg: 10, key: 'pileup_detector', fun: FUN.pileUp }
const CLUMPING: Place = { cfg: 13, key: 'clump_detector', fun: FUN.clumping }
const AIR_PRINTING: Place = { cfg: 16, key: 'airprint_detector', fun: FUN.airPrinting }

export const detectors: Section<Detectors> = {
  fields: ['xcam', 'fun'],
  read: raw => ({
    spaghetti: readDetector(raw, SPAGHETTI),
    purgeChutePileUp: readDetector(raw, PILE_UP),
    nozzleClumping: readDetector(raw, CLUMPING),
    airPrinting: readDetector(raw, AIR_PRINTING),
    buildPlateMarker: readSwitch(raw, 'buildplate_marker_detector'),
    firstLayer: readSwitch(raw, 'first_layer_inspector')
  })
}

function readDetector (raw: Raw, { cfg, key, fun }: Place): Detector {
  const xcam = part(raw, 'xcam')
  const word = xcam.cfg === undefined ? undefined : int(xcam.cfg) >>> 0
  const known = word !== undefined || xcam[key] !== undefined
  return {
    enabled: word === undefined ? flag(xcam[key]) : bits(word, cfg, 1) === 1,
    // A legacy key next to a capability word without the bit still works on that firmware.
    supported: funBit(raw, fun) || (raw.fun === undefined ? known : word === undefined && known),
    sensitivity: word === undefined ? legacySensitivity(xcam, key) : SENSITIVITIES[bits(word, cfg + 1, 2)] ?? 'medium'
  }
}

/** Only spaghetti detection had a sensitivity on older firmware. */
function legacySensitivity (xcam: Raw, key: string): Sensitivity {
  const word = text(xcam.halt_print_sensitivity) as Sensitivity
  return key === SPAGHETTI.key && SENSITIVITIES.includes(word) ? word : 'medium'
}

function readSwitch (raw: Raw, key: string): Detector {
  const value = part(raw, 'xcam')[key]
  return { enabled: flag(value), supported: value !== undefined, sensitivity: 'medium' }
}
