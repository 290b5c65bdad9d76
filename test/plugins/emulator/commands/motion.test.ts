import t from 'tap'
import { gcodeLine } from '../../../../plugins/emulator/commands/gcode.js'
import { createMachine } from '../../../../plugins/emulator/machine/create.js'
import type { Machine } from '../../../../plugins/emulator/machine/types.js'
import { resolve } from '../../../../plugins/emulator/options.js'

const machineOf = (model: 'X1C' | 'A1_MINI'): Machine => createMachine({ ...resolve({ model }), resolveJob: undefined })
const tell = (m: Machine, ...lines: string[]) => gcodeLine(m, { param: lines.map(line => `${line}\n`).join('') })
const jog = (move: string) => ['M211 S', 'M211 X1 Y1 Z1', 'M1002 push_ref_mode', 'G91', move, 'M1002 pop_ref_mode', 'M211 R']

t.test('axes move from where they are once they are homed, and end at the borders', async t => {
  const m = machineOf('A1_MINI')
  m.words.homeFlag -= m.words.homeFlag & 7
  tell(m, ...jog('G1 X10 F3000'))
  t.equal(m.motion.at.X, 0, 'not homed: ignored')
  t.match(tell(m, 'G28'), { result: 'success' })
  t.equal(m.words.homeFlag & 7, 7)
  t.same(m.motion.at, { X: 90, Y: 90, Z: 10 })
  tell(m, ...jog('G1 X10 F3000'))
  tell(m, ...jog('G1 Z-50 F900'))
  t.same(m.motion.at, { X: 100, Y: 90, Z: 0 })
  t.notOk(m.motion.isRelative, 'the mode is as before')
  tell(m, 'G1 X500')
  t.equal(m.motion.at.X, 180)
  tell(m, 'M211 S', 'M211 Z0', 'G91', 'G1 Z-2', 'M211 R', 'G1 Z-2')
  t.equal(m.motion.at.Z, 0, 'beyond them only without limits')
  tell(m, 'M18')
  t.equal(m.words.homeFlag & 7, 0)
})

t.test('filament moves only in a hot nozzle, and nothing while a job runs', async t => {
  const m = machineOf('X1C')
  const heater = m.extruders[0]?.heater ?? t.fail('no nozzle')
  t.match(tell(m, 'M83', 'G0 E10 F180'), { result: 'SUCCESS' }, 'it is taken, and ignored')
  t.equal(m.motion.fedMm, 0)
  Object.assign(heater, { actual: 220 })
  tell(m, 'M83', 'G0 E10 F180', 'G0 E-4 F180')
  t.equal(m.motion.fedMm, 6)
  m.job.state = 'RUNNING'
  tell(m, 'G0 E10')
  t.equal(m.motion.fedMm, 6)
})
