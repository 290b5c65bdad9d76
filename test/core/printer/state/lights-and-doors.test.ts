import t from 'tap'
import { decode } from '../helpers/decode.js'
import type { Fields } from '../helpers/feed.js'

const HOME_DOOR = 1 << 23
const DOOR = (1n << 23n).toString(16)
const LID = (1n << 24n).toString(16)
const BOTH = ((1n << 23n) | (1n << 24n)).toString(16)
const SENSOR = (1n << 12n).toString(16)

const doors = (model: string, report: Fields, firmware?: string) => {
  const ota = { name: 'ota', product: '', version: firmware ?? '', hardware: '', serial: '' }
  return decode(report, { model, context: { modules: firmware === undefined ? [] : [ota] } }).doors
}

t.test('the X1 family shows its door in home_flag and has no lid', async t => {
  for (const model of ['X1C', 'X1', 'X1E']) {
    t.strictSame(doors(model, { fun: SENSOR, stat: BOTH, home_flag: 0 }),
      { sensor: true, doorOpen: false, lidOpen: false }, `${model}: its stat means something else`)
    t.strictSame(doors(model, { fun: SENSOR, stat: '0', home_flag: HOME_DOOR }), { sensor: true, doorOpen: true, lidOpen: false })
  }
})

t.test('home_flag is signed', async t => {
  t.equal(doors('X1C', { fun: SENSOR, home_flag: -1067070064 }).doorOpen, false)
  t.equal(doors('X1C', { fun: SENSOR, home_flag: -1058681456 }).doorOpen, true)
})

t.test('others show door and lid in stat', async t => {
  for (const model of ['H2D', 'H2S', 'H2C', 'P2S', 'X2D']) {
    const fun = { fun: SENSOR, home_flag: HOME_DOOR }
    t.strictSame(doors(model, { ...fun, stat: '640258000' }), { sensor: true, doorOpen: false, lidOpen: false }, model)
    t.strictSame(doors(model, { ...fun, stat: DOOR }), { sensor: true, doorOpen: true, lidOpen: false })
    t.strictSame(doors(model, { ...fun, stat: LID }), { sensor: true, doorOpen: false, lidOpen: true })
    t.strictSame(doors(model, { ...fun, stat: BOTH }), { sensor: true, doorOpen: true, lidOpen: true })
  }
})

t.test('without the capability bit the door bits mean nothing', async t => {
  const closed = { sensor: false, doorOpen: false, lidOpen: false }
  t.strictSame(doors('H2D', { fun: '0', stat: BOTH }), closed)
  t.strictSame(doors('H2D', { stat: BOTH }), closed)
  t.strictSame(doors('A2L', { fun: '100d122002fbd', stat: BOTH }), closed)
  t.strictSame(doors('P1S', { home_flag: HOME_DOOR }), closed)
  t.strictSame(doors('X1C', { fun: '0', home_flag: HOME_DOOR }, '01.09.00.00'), closed)
})

t.test('an X1 from before the capability word reports its door from a certain firmware on', async t => {
  const open = { home_flag: HOME_DOOR }
  t.equal(doors('X1C', open, '01.06.99.99').sensor, false)
  t.strictSame(doors('X1C', open, '01.07.00.00'), { sensor: true, doorOpen: true, lidOpen: false })
  t.equal(doors('X1E', open, '01.01.01.99').sensor, false)
  t.equal(doors('X1E', open, '01.01.02.00').doorOpen, true)
  t.equal(doors('X1C', open).sensor, false, 'unknown firmware')
})

t.test('lights: the mode is that of the first node', async t => {
  t.strictSame(decode({}).lights, { nodes: [], mode: '' })
  t.strictSame(decode({
    lights_report: [{ node: 'chamber_light', mode: 'off' }, { node: 'work_light', mode: 'flashing' }]
  }).lights, {
    nodes: [{ node: 'chamber_light', mode: 'off' }, { node: 'work_light', mode: 'flashing' }], mode: 'off'
  })
})
