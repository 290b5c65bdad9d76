import t from 'tap'
import { levelPercent } from '../../../../core/printer/state/heat.js'
import { packed } from '../../../../core/printer/state/raw.js'
import { decode, dual, type DecodeOptions } from '../helpers/decode.js'
import { START, type Fields } from '../helpers/feed.js'

const heat = (report: Fields, options?: DecodeOptions) => decode(report, options).heat

t.test('packed temperatures', async t => {
  t.strictSame(packed(4587590), { actual: 70, target: 70 })
  t.strictSame(packed(16056565), { actual: 245, target: 245 })
  t.strictSame(packed(2621480), { actual: 40, target: 40 })
  t.strictSame(packed(46), { actual: 46, target: 0 })
  t.strictSame(packed('14418056'), { actual: 136, target: 220 })
  t.strictSame(packed(undefined), { actual: 0, target: 0 })
})

t.test('the bed: plain fields, else the packed ones', async t => {
  t.strictSame(heat({ bed_temper: 59.8, bed_target_temper: 60.0, device: { bed: { info: { temp: 1 } } } }).bed,
    { actual: 59.8, target: 60 })
  t.strictSame(heat({ device: { bed: { info: { temp: 4587590 } } } }).bed, { actual: 70, target: 70 })
  t.strictSame(heat({ device: { bed_temp: 46 } }).bed, { actual: 46, target: 0 })
})

t.test('the nozzle of single printers', async t => {
  t.strictSame(heat({ nozzle_temper: '219.5', nozzle_target_temper: 220 }).nozzle, { actual: 219.5, target: 220 })
})

t.test('the nozzle of dual printers is that of the active extruder, whatever the plain fields say', async t => {
  const flat = { nozzle_temper: 99, nozzle_target_temper: 99 }
  const words: [Fields, Fields] = [{ temp: 16056565 }, { temp: 28 }]
  t.strictSame(heat({ ...flat, ...dual(...words, 2) }, { model: 'H2D' }).nozzle, { actual: 245, target: 245 })
  t.strictSame(heat({ ...flat, ...dual(...words, 274) }, { model: 'H2D' }).nozzle, { actual: 28, target: 0 })
})

t.test('the chamber: packed word, plain value of early firmware, flat field', async t => {
  const chamber = (report: Fields, model: string) => heat(report, { model }).chamber
  t.strictSame(chamber({ device: { ctc: { info: { temp: 2949160 } } }, chamber_temper: 5 }, 'H2D'),
    { actual: 40, target: 45, sensor: true })
  t.strictSame(chamber({ device: { cham_temp: 33 }, ctt: 50 }, 'H2D'), { actual: 33, target: 50, sensor: true })
  t.strictSame(chamber({ device: { cham_temp: 45 << 16 | 38 } }, 'H2D'), { actual: 38, target: 45, sensor: true },
    'packed while it heats')
  t.strictSame(chamber({ chamber_temper: 38.5 }, 'X1C'), { actual: 38.5, target: 0, sensor: true })
})

t.test('5 °C means no sensor, except where there is one', async t => {
  for (const model of ['P1S', 'P1P', 'A1', 'A1_MINI', 'A2L']) {
    t.strictSame(heat({ chamber_temper: 5 }, { model }).chamber, { actual: 0, target: 0, sensor: false }, model)
  }
  t.strictSame(heat({ chamber_temper: 5 }, { model: 'X1C' }).chamber, { actual: 5, target: 0, sensor: true })
  t.strictSame(heat({}, { model: 'X1C' }).chamber, { actual: 0, target: 0, sensor: false }, 'not reported')
})

t.test('the chamber target of a printer that heats', async t => {
  const chamber = { targetC: 50, at: START }
  const at = (seconds: number, modeCur: number, target = 0) => heat(
    { device: { ctc: { info: { temp: target * 65536 + 30 } }, airduct: { modeCur } } },
    { model: 'H2D', context: { chamber }, at: START + seconds * 1000 }).chamber.target
  t.equal(at(60, 1, 45), 45, 'what it reports counts')
  t.equal(at(60, 2), 50, 'in another mode without one the last commanded stays')
  t.equal(at(60, 0), 0, 'the cooling mode ends it')
  t.equal(at(60, 1), 0, 'heating without a target has none')
  t.equal(at(2, 0), 50, 'right after the command it has not reported yet')
  t.equal(at(2, 1), 50)
})

t.test('the chamber target of a printer without heater is what was set here', async t => {
  const context = { chamber: { targetC: 35, at: START - 3_600_000 } }
  const cooling = { device: { ctc: { info: { temp: 30 } }, airduct: { modeCur: 0 } } }
  t.equal(heat(cooling, { model: 'P2S', context }).chamber.target, 35)
  t.equal(heat({ chamber_temper: 5 }, { model: 'P1S', context }).chamber.target, 35)
})

t.test('all fifteen fan levels', async t => {
  const percents = [0, 7, 13, 20, 27, 33, 40, 47, 53, 60, 67, 73, 80, 87, 93, 100]
  for (const [level, percent] of percents.entries()) {
    t.equal(levelPercent(String(level)), percent, `level ${level}`)
    t.equal(levelPercent(level), percent)
  }
})

t.test('larger fan levels are bytes', async t => {
  t.equal(levelPercent(16), 6)
  t.equal(levelPercent(128), 50)
  t.equal(levelPercent('255'), 100)
  t.equal(levelPercent(900), 100)
  t.equal(levelPercent(-4), 0)
  t.equal(levelPercent('x'), 0)
})

t.test('fans by their level, each in its own field', async t => {
  const levels = { cooling_fan_speed: '15', big_fan1_speed: '8', big_fan2_speed: '5', heatbreak_fan_speed: '3' }
  t.strictSame(decode(levels).fans,
    { part: 100, partTarget: 0, aux: 53, exhaust: 33, heatbreak: 20, enhancedTarget: 0 })
})

t.test('fans by the parts of the air duct, where there are any', async t => {
  const levels = { cooling_fan_speed: '15', big_fan1_speed: '15', big_fan2_speed: '15', heatbreak_fan_speed: '15' }
  const parts = [{ id: 16, state: 30 }, { id: 32, state: 0x164 }, { id: 48, state: 0 }, { id: 96, state: 100 }]
  const { fans, airDuct } = decode({ ...levels, device: { airduct: { modeCur: 1, subMode: 0, parts } } }, { model: 'H2D' })
  t.strictSame(fans, { part: 30, partTarget: 0, aux: 100, exhaust: 0, heatbreak: 100, enhancedTarget: 0 })
  t.strictSame(airDuct, { mode: 1, subMode: 0, parts: { 16: 30, 32: 100, 48: 0, 96: 100 } })
  const sensor = { device: { ctc: { info: { temp: 25 } } } }
  t.hasStrict(decode({ ...levels, ...sensor }).fans, { part: 100, aux: 100 }, 'a sensor alone is no duct')
})

t.test('modes of the air duct', async t => {
  const mode = (modeCur: unknown) => decode({ device: { airduct: { modeCur } } }).airDuct.mode
  for (const number of [0, 1, 2, 3]) t.equal(mode(number), number)
  t.equal(mode(-1), -1)
  t.equal(mode(255), -1, 'unsupported')
  t.strictSame(decode({}).airDuct, { mode: -1, subMode: -1, parts: {} })
})

t.test('targets of fans that are not reported come from memory', async t => {
  const context = { fanTargets: { part: 40, enhanced: 70 } }
  t.hasStrict(decode({}, { context }).fans, { partTarget: 40, enhancedTarget: 70 })
})
