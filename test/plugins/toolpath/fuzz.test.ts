import t from 'tap'
import { modelByName, UNKNOWN_MODEL } from '../../../core/printer/models.js'
import { createFinder } from '../../../plugins/toolpath/findings/finder.js'
import { MOST_LAYERS } from '../../../plugins/toolpath/layers.js'
import { Pass } from '../../../plugins/toolpath/pass.js'
import { readText } from './files/read-text.js'
import { vendorPlate } from './files/vendor-plate.js'

const X1C = modelByName('X1C') ?? UNKNOWN_MODEL
/** More of them for a longer run, with another seed. */
const INPUTS = Number(process.env.PRND_FUZZ_INPUTS ?? 10_000)
const SEED = Number(process.env.PRND_FUZZ_SEED ?? 7)

let state = SEED
const random = (below: number): number => {
  state = (state * 48_271) % 2_147_483_647
  return state % below
}

const PLATE = vendorPlate({ model: X1C, layers: 3, filaments: 2, with: ['tower', 'arcs', 'timelapse'] }, () => 100)
const begin = PLATE.findIndex(line => line === '; CHANGE_LAYER')
/** Its config is long and only read as a whole, so that a part of the rest is enough for each input. */
const SOURCE = PLATE.slice(begin - 40, begin + 50)

const NASTY = [
  'G1 X1e300 Y-1e300 E1e300', 'G1 XNaN YNaN ENaN F0', 'G1 XInfinity', `G1 X${'9'.repeat(500)}`, 'G2 X10 Y10 I0 J0 E1',
  'G3 R0 X5', 'G2 X50 Y50 R0.0001 E1', 'G2 I1e30 J1e30 E1', 'G3 I0.000001 E5', 'M622 J1', 'M623', 'M622 J0', 'G92 X1e29 E-1e29',
  'M220 S0', 'M221 S-100', 'M220 S1e9', 'G20', 'G91', 'M82', 'T31', 'T4294967296', 'T-1', 'M620 S-1A', 'M621', 'M204 S0',
  'M204 S-1', 'M205 X-5 Y0 Z0 E0', 'M104 S1e30', 'G4 S1e30', 'G4 P-5', '; CHANGE_LAYER', '; LAYER:-5', '; Z_HEIGHT: NaN',
  '; FEATURE: ', '; OBJECT_ID: 99999999999', '; total layer number: -1', '; printable_area = 0x0,1x1', '; filament_map = 0,-5,9',
  '; filament_max_volumetric_speed = 0.0001', '; extruder_printable_area = #,#', '; filament_diameter = 0', ';VG1 E', ';VG1 E1e9',
  'G1 X1 Y1 E1 F1e9', 'G1 E1e9 F1', 'N1 G1 X1*99', 'G', 'M', ';', '(((((', '\u0000', '\uFEFFG28', '\u2028', 'G1 X- Y+ E.'
]

/** A file that was spoiled in one to eight places, as bytes. */
function spoiled (): Buffer {
  const lines = [...SOURCE]
  for (let times = 1 + random(4); times > 0; times--) {
    const at = random(lines.length)
    const kind = random(4)
    if (kind === 0) lines.splice(at, 0, NASTY[random(NASTY.length)]!)
    else if (kind === 1) lines[at] = NASTY[random(NASTY.length)]!
    else if (kind === 2) lines.splice(at, 1 + random(20))
    else lines.splice(at, 0, ...lines.slice(random(lines.length)).slice(0, random(12)))
    if (lines.length === 0) lines.push('G28')
  }
  const bytes = Buffer.from(lines.join(random(5) === 0 ? '\r\n' : '\n'), random(40) === 0 ? 'utf16le' : 'utf8')
  for (let times = random(5); times > 0; times--) bytes[random(bytes.length)] = random(256)
  return bytes.subarray(0, bytes.length - (random(6) === 0 ? random(bytes.length) : 0))
}

/** @returns what is wrong with a reading, if anything */
function complaint (bytes: Uint8Array): string | undefined {
  const { findings, seconds, plate: { layers } } = readText(bytes, { model: X1C })
  if (!Number.isFinite(seconds) || seconds < 0) return `${seconds} seconds`
  for (const { z, seconds: own, extruded } of layers) {
    if (!Number.isFinite(z) || !Number.isFinite(own)) return `a layer at ${z}, ${own} s`
    for (const { part, prime, flush } of extruded.values()) {
      if (!Number.isFinite(part + prime + flush)) return `${part}, ${prime}, ${flush} mm of filament`
    }
  }
  for (const { message, line, times, figures } of findings) {
    if (/NaN|undefined|Infinity/.test(message)) return message
    if (!Number.isInteger(line) || !(times >= 1)) return `line ${line}, ${times} times`
    if (Object.values(figures).some(value => typeof value === 'number' && !Number.isFinite(value))) return JSON.stringify(figures)
  }
  return undefined
}

t.test(`${INPUTS} spoiled files are read to their end, and every figure is one`, async t => {
  let wrong = 0
  for (let input = 0; input < INPUTS && wrong < 5; input++) {
    const bytes = spoiled()
    const found = complaint(bytes)
    if (found !== undefined) {
      wrong++
      t.fail(`input ${input} of seed ${SEED}: ${found}`, { text: bytes.toString('latin1').slice(0, 20_000) })
    }
  }
  t.equal(wrong, 0)
})

t.test('layers and lines without an end take no more memory', async t => {
  const pass = new Pass({ finder: get => createFinder({ model: X1C }, get), writeTrack () {}, mostTrackBytes: 0 })
  pass.write(Buffer.from('G28\nM104 S220\nM83\n'))
  const many = Buffer.from('; CHANGE_LAYER\n'.repeat(10_000))
  for (let times = 0; times < 1_000; times++) pass.write(many)
  pass.write(Buffer.from('\n; '))
  const long = Buffer.alloc(1_048_576, 'x')
  for (let times = 0; times < 256; times++) pass.write(long)
  pass.write(Buffer.from('\nM104 S0\n'))
  const { findings, plate } = pass.end(false)
  t.equal(plate.layers.length, MOST_LAYERS + 1, 'of ten million')
  t.match(findings.map(({ code }) => code).sort(), ['not_gcode', 'too_many_layers'])
})
