import t from 'tap'
import { nozzleOfCode, nozzleOfWords } from '../../../../core/printer/state/nozzle.js'

t.test('nozzle codes', async t => {
  const nozzle = (code: string) => {
    const { material, flow, encodedId, rawType } = nozzleOfCode(code, 0.4)
    return [material, flow, encodedId, rawType]
  }
  t.strictSame(nozzle('HS00'), ['STAINLESS_STEEL', 'STANDARD', 'HS00-0.4', 'HS00'])
  t.strictSame(nozzle('HS01'), ['HARDENED_STEEL', 'STANDARD', 'HS01-0.4', 'HS01'])
  t.strictSame(nozzle('HH01'), ['HARDENED_STEEL', 'HIGH_FLOW', 'HH01-0.4', 'HH01'])
  t.strictSame(nozzle('HH05'), ['TUNGSTEN_CARBIDE', 'HIGH_FLOW', 'HH05-0.4', 'HH05'])
  t.strictSame(nozzle('HU01'), ['HARDENED_STEEL', 'TPU_HIGH_FLOW', 'HU01-0.4', 'HU01'])
  t.strictSame(nozzle('HE00'), ['STAINLESS_STEEL', 'HIGH_FLOW', 'HE00-0.4', 'HE00'])
  t.strictSame(nozzle('HX01'), ['HARDENED_STEEL', 'STANDARD', 'HX01-0.4', 'HX01'])
  t.strictSame(nozzle('HA00'), ['STAINLESS_STEEL', 'STANDARD', 'HA00-0.4', 'HA00'])
  t.strictSame(nozzle('HS01-0.4'), ['HARDENED_STEEL', 'STANDARD', 'HS01-0.4', 'HS01-0.4'], 'with its diameter')
  for (const code of ['N/A', '', 'HS', 'XS01', 'HS011', 'HS01-']) t.strictSame(nozzle(code), ['UNKNOWN', 'UNKNOWN', '', code], `'${code}'`)
  t.equal(nozzleOfCode('HS01', 0).encodedId, '', 'without a diameter')
})

t.test('nozzle words of older printers', async t => {
  const words = ['stainless_steel', 'hardened_steel', 'tungsten_carbide', 'brass', 'E3D']
  t.strictSame(words.map(word => nozzleOfWords(word, 0.6).material),
    ['STAINLESS_STEEL', 'HARDENED_STEEL', 'TUNGSTEN_CARBIDE', 'BRASS', 'E3D'])
  t.strictSame(nozzleOfWords('hardened_steel', 0.6),
    { material: 'HARDENED_STEEL', diameterMm: 0.6, flow: 'STANDARD', encodedId: 'HS01-0.6', rawType: 'hardened_steel' })
  for (const word of ['constructor', '__proto__', 'toString']) t.equal(nozzleOfWords(word, 0.4).material, 'UNKNOWN', word)
  t.equal(nozzleOfWords('brass', 0.4).encodedId, '', 'there is no code for it')
  t.hasStrict(nozzleOfWords('HH05', 0.4), { material: 'TUNGSTEN_CARBIDE', flow: 'HIGH_FLOW' }, 'a code in the same field')
})
