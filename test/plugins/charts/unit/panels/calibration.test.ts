import t from 'tap'
import calibration from '../../../../../plugins/charts/panels/calibration.js'
import { progressOf, STEPS } from '../../../../../plugins/charts/panels/steps.js'
import { descOf, readSvg, texts } from '../../read-svg.js'
import { modelOf, stateOf, viewOf } from '../../view.js'

const draw = (raw: Record<string, unknown>, model = 'X1C') =>
  readSvg(calibration.render(viewOf({ state: stateOf(raw, model), model })))
const step = (name: string) => {
  const found = STEPS.find(step => step.name === name)
  if (!found) throw new Error(name)
  return found
}
const jobOf = (raw: Record<string, unknown>) => stateOf(raw).job

t.test('before the first report there is a placeholder', t => {
  const svg = readSvg(calibration.render(viewOf()))
  t.ok(texts(svg).includes('no calibration data yet'))
  t.end()
})

t.test('steps of a running job: done, running, planned, not planned', t => {
  const svg = draw({ gcode_state: 'RUNNING', stg: [2, 1, 8, 3], stg_cur: 8 })
  t.match(descOf(svg), 'In this job: Bed levelling: done, Vibration: planned, Flow: running now, Build plate: not planned')
  t.ok(texts(svg).includes('Calibration: in this job'))
  t.end()
})

t.test('once layers are laid the plan is through', t => {
  const job = jobOf({ gcode_state: 'RUNNING', stg: [2, 1, 8], stg_cur: 0, layer_num: 3 })
  t.equal(progressOf(step('Flow'), job), 'done')
  t.equal(progressOf(step('Vibration'), job), 'none')
  t.end()
})

t.test('a calibration in the middle of a job is told as running', t => {
  const job = jobOf({ gcode_state: 'RUNNING', stg: [2, 1, 8], stg_cur: 8, layer_num: 3 })
  t.equal(progressOf(step('Flow'), job), 'running')
  t.end()
})

t.test('after the job: done when it finished, planned when it did not', t => {
  t.equal(progressOf(step('Flow'), jobOf({ gcode_state: 'FINISH', stg: [1, 8], stg_cur: -1 })), 'done')
  t.equal(progressOf(step('Flow'), jobOf({ gcode_state: 'FAILED', stg: [1, 8], stg_cur: -1 })), 'planned')
  t.match(texts(draw({ gcode_state: 'FINISH', stg: [1, 8], stg_cur: -1 })).join(), 'Calibration: in the last job')
  t.end()
})

t.test('a printer that names no plan claims nothing', t => {
  const svg = draw({ gcode_state: 'IDLE', stg: [] })
  t.match(descOf(svg), 'No job yet: Bed levelling: not known')
  t.end()
})

t.test('only what a printer has', t => {
  const raw = { gcode_state: 'IDLE', stg: [1] }
  t.match(descOf(draw(raw, 'X1C')), 'Lidar')
  const small = descOf(draw(raw, 'A1_MINI'))
  t.notMatch(small, 'Nozzle offset')
  t.match(small, 'Lidar: none')
  t.match(small, 'Stream: JPEG frames')
  const dual = { ...raw, device: { extruder: { state: 0, info: [{ id: 0 }, { id: 1 }] } } }
  t.match(descOf(draw(dual, 'H2D')), 'Nozzle offset')
  t.end()
})

t.test('the camera as it is reported', t => {
  const ipcam = { rtsp_url: 'rtsps://192.0.2.1/streaming/live/1', timelapse: 'enable', ipcam_record: 'disable' }
  const text = descOf(draw({ gcode_state: 'IDLE', ipcam }))
  t.match(text, 'Camera: Stream: RTSPS, Live view: on, Recording: off, Timelapse: on')
  t.match(descOf(draw({ ipcam: { ...ipcam, rtsp_url: 'disable' } })), 'Live view: off')
  t.end()
})

t.test('a model nobody has described', t => {
  const state = stateOf({ gcode_state: 'RUNNING', stg: ['x', null, 8], stg_cur: 'y' }, 'unheard of')
  const svg = readSvg(calibration.render({ ...viewOf({ state }), model: modelOf('unheard of') }))
  t.match(descOf(svg), 'Stream: not known')
  t.end()
})
