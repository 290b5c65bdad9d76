import t from 'tap'
import { decode } from '../helpers/decode.js'
import type { Fields } from '../helpers/feed.js'

const options = (report: Fields) => decode(report).options
const detectors = (report: Fields) => decode(report, { model: 'H2D' }).detectors
/** A hexadecimal word with these bits. */
const word = (...bits: number[]) => bits.reduce((sum, at) => sum | 1n << BigInt(at), 0n).toString(16)

const ALL_OFF = {
  autoRecovery: false,
  filamentTangleDetect: false,
  sound: false,
  autoSwitchFilament: false,
  nozzleBlobDetect: false,
  airPrintDetect: false
}

t.test('each option by its bit of home_flag', async t => {
  t.strictSame(options({ home_flag: 0 }), ALL_OFF)
  t.strictSame(options({ home_flag: 1 << 4 }), { ...ALL_OFF, autoRecovery: true })
  t.strictSame(options({ home_flag: 1 << 10 }), { ...ALL_OFF, autoSwitchFilament: true })
  t.strictSame(options({ home_flag: 1 << 17 }), { ...ALL_OFF, sound: true })
  t.strictSame(options({ home_flag: 1 << 20 }), { ...ALL_OFF, filamentTangleDetect: true })
  t.strictSame(options({ home_flag: 1 << 24 }), { ...ALL_OFF, nozzleBlobDetect: true })
  t.strictSame(options({ home_flag: 1 << 28 }), { ...ALL_OFF, airPrintDetect: true })
  t.strictSame(options({ home_flag: ~0 ^ (1 << 4 | 1 << 10 | 1 << 17 | 1 << 20 | 1 << 24 | 1 << 28) }), ALL_OFF, 'no other bit')
})

t.test('samples of home_flag, signed ones too', async t => {
  t.strictSame(options({ home_flag: 863847839 }), { ...ALL_OFF, autoRecovery: true, filamentTangleDetect: true, autoSwitchFilament: true, nozzleBlobDetect: true, airPrintDetect: true }, 'A1')
  t.strictSame(options({ home_flag: 224478464 }), { ...ALL_OFF, autoSwitchFilament: true, nozzleBlobDetect: true }, 'P1P')
  t.strictSame(options({ home_flag: -1067070064 }), { ...ALL_OFF, autoRecovery: true, autoSwitchFilament: true }, 'X1C')
  t.strictSame(options({ home_flag: -1066969712 }), { ...ALL_OFF, autoRecovery: true, autoSwitchFilament: true, sound: true }, 'H2D')
})

t.test('by the bits of cfg, where there is no home_flag', async t => {
  t.strictSame(options({ cfg: word(16) }), { ...ALL_OFF, autoRecovery: true })
  t.strictSame(options({ cfg: word(18) }), { ...ALL_OFF, autoSwitchFilament: true })
  t.strictSame(options({ cfg: word(22) }), { ...ALL_OFF, sound: true })
  t.strictSame(options({ cfg: word(23) }), { ...ALL_OFF, filamentTangleDetect: true })
  t.strictSame(options({ cfg: word(24) }), { ...ALL_OFF, nozzleBlobDetect: true })
  t.strictSame(options({ home_flag: 0, cfg: word(16, 18, 22, 23, 24) }), ALL_OFF, 'home_flag comes first')
  t.strictSame(options({}), ALL_OFF)
})

const four = (cfg: number) => {
  const found = detectors({ xcam: { cfg }, fun: word(42, 43, 44, 45) })
  return [found.spaghetti, found.purgeChutePileUp, found.nozzleClumping, found.airPrinting]
    .map(({ enabled, sensitivity }) => [enabled, sensitivity])
}

t.test('the worked words of the detectors', async t => {
  t.strictSame(four(224695), [[true, 'medium'], [true, 'medium'], [true, 'medium'], [true, 'medium']])
  t.strictSame(four(374487), [[true, 'high'], [true, 'high'], [true, 'high'], [true, 'high']])
  t.strictSame(four(1797271), [[true, 'low'], [true, 'medium'], [true, 'medium'], [true, 'medium']])
  t.strictSame(four(8089015), [[true, 'medium'], [true, 'medium'], [true, 'medium'], [true, 'medium']])
})

t.test('each detector by its own bits', async t => {
  const off = [false, 'low']
  t.strictSame(four(0), [off, off, off, off])
  t.strictSame(four(1 << 7), [[true, 'low'], off, off, off])
  t.strictSame(four(1 << 10), [off, [true, 'low'], off, off])
  t.strictSame(four(1 << 13), [off, off, [true, 'low'], off])
  t.strictSame(four(1 << 16), [off, off, off, [true, 'low']])
  t.strictSame(four(2 << 8), [[false, 'high'], off, off, off], 'a sensitivity stays while it is off')
  t.strictSame(four(2 << 17), [off, off, off, [false, 'high']])
})

t.test('support by the capability word', async t => {
  const supported = (fun: string) => {
    const found = detectors({ fun, xcam: { cfg: 224695, printing_monitor: true } })
    return [found.spaghetti, found.purgeChutePileUp, found.nozzleClumping, found.airPrinting]
      .map(({ supported }) => supported)
  }
  t.strictSame(supported('4027FF18FFF9CB3'), [true, true, true, true], 'H2D')
  t.strictSame(supported('60029FD1A3FF9CB7'), [true, true, true, false], 'P2S')
  t.strictSame(supported('21FF1AFFF9CB7'), [true, true, true, false], 'H2S')
  t.strictSame(supported('40029FD1B30F9CB7'), [true, true, true, false], 'X2D')
  t.strictSame(supported('100d122002fbd'), [false, false, false, false], 'A2L')
  t.strictSame(supported('1AFFF9CFF'), [false, false, false, false], 'H2D of early firmware')
})

t.test('without a capability word: what is reported is there', async t => {
  const found = detectors({ xcam: { spaghetti_detector: true, pileup_detector: false } })
  t.strictSame(found.spaghetti, { enabled: true, supported: true, sensitivity: 'medium' })
  t.strictSame(found.purgeChutePileUp, { enabled: false, supported: true, sensitivity: 'medium' })
  t.strictSame(found.nozzleClumping, { enabled: false, supported: false, sensitivity: 'medium' })
  t.ok(detectors({ xcam: { cfg: 0 } }).airPrinting.supported, 'the word has bits for all')
})

t.test('the legacy booleans', async t => {
  const found = detectors({
    xcam: { spaghetti_detector: true, pileup_detector: true, clump_detector: true, airprint_detector: true }
  })
  for (const name of ['spaghetti', 'purgeChutePileUp', 'nozzleClumping', 'airPrinting'] as const) {
    t.strictSame(found[name], { enabled: true, supported: true, sensitivity: 'medium' }, name)
  }
  const sensitivity = (more: Fields) => detectors({ xcam: { spaghetti_detector: true, ...more } }).spaghetti.sensitivity
  t.equal(sensitivity({ print_halt: true }), 'medium')
  t.equal(sensitivity({ halt_print_sensitivity: 'low' }), 'low')
  t.equal(sensitivity({ halt_print_sensitivity: 'never_halt' }), 'medium')
})

t.test('an X1 with a capability word from before the detector bits', async t => {
  const found = detectors({ fun: '11A30F9CFB', xcam: { spaghetti_detector: true } })
  t.ok(found.spaghetti.supported, 'its boolean still works')
  t.notOk(found.purgeChutePileUp.supported)
})

t.test('plate marker and first layer: supported where the key is', async t => {
  t.strictSame(detectors({ xcam: { buildplate_marker_detector: true } }).buildPlateMarker,
    { enabled: true, supported: true, sensitivity: 'medium' })
  t.strictSame(detectors({ xcam: { buildplate_marker_detector: false } }).buildPlateMarker,
    { enabled: false, supported: true, sensitivity: 'medium' })
  t.strictSame(detectors({ xcam: {} }).buildPlateMarker, { enabled: false, supported: false, sensitivity: 'medium' })
  t.strictSame(detectors({ xcam: { first_layer_inspector: true } }).firstLayer,
    { enabled: true, supported: true, sensitivity: 'medium' })
  t.notOk(detectors({}).firstLayer.supported)
})
