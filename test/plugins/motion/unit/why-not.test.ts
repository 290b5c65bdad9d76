import t from 'tap'
import type { PrinterSession } from '../../../../core/index.js'
import {
  activeNozzleOf, homedOf, whyNot, whyNotExtrude, whyNotHome, whyNotMove, type MotionFacts
} from '../../../../plugins/motion/why-not.js'

const NOW = 1_000_000_000
const FACTS: MotionFacts = { now: NOW, plate: undefined, movesUntil: NOW }
const ALL_HOMED = 7
const HOMED_AND_CLEAR = { homed: { x: true, y: true, z: true }, isClear: true }

const extruder = (actual: number, more: object = {}) =>
  ({ id: -1, temperature: { actual, target: 0 }, state: 'LOADED', trayState: 'LOADED', tray: { amsId: 0, slot: 1 }, ...more })

/** A printer at rest that is homed, and what differs from that. */
function session (state: object = {}, other: object = {}): PrinterSession {
  return {
    name: 'x1c',
    service: 'CONNECTED',
    live: true,
    context: { start: undefined },
    raw: { home_flag: ALL_HOMED },
    model: { model: 'X1C', series: 'X1', nozzleMaxC: 300 },
    state: {
      job: { gcodeState: 'IDLE' },
      activeTray: { tool: -1, state: 'LOADED' },
      ams: { statusRaw: 0, units: [] },
      extruders: [extruder(25)],
      spools: [{ id: 1, amsId: 0, slot: 1, type: 'PETG', nozzleMinC: 220 }],
      heat: { nozzle: { actual: 25, target: 0 } },
      extensionTool: { mounted: false, type: 'NONE' },
      capabilities: { hasDualExtruder: false },
      ...state
    },
    ...other
  } as unknown as PrinterSession
}

const why = (one: PrinterSession, facts: Partial<MotionFacts> = {}) => whyNot(one, { ...FACTS, ...facts })?.code

t.test('nothing is moved unless the printer is known to be at rest', async t => {
  t.equal(why(session()), undefined)
  t.equal(why(session({}, { live: false })), 'not_current')
  t.equal(why(session({}, { service: 'PAUSED' })), 'not_current')
  t.equal(why(session({}, { state: undefined })), 'not_current')
  for (const gcodeState of ['RUNNING', 'PREPARE', 'PAUSE', 'SLICING', 'INIT', '', 'SOMETHING_NEW']) {
    t.equal(why(session({ job: { gcodeState } })), 'prints', `state '${gcodeState}'`)
  }
  for (const gcodeState of ['IDLE', 'FINISH', 'FAILED']) t.equal(why(session({ job: { gcodeState } })), undefined, gcodeState)
  const start = { taskId: '1', subtaskName: 'next', at: NOW - 1_000, accepted: true, before: undefined, outcome: undefined, printError: 0 }
  t.equal(why(session({}, { context: { start } })), 'starts')
  for (const status of ['DOWNLOADING', 'FLASHING', 'anything']) {
    t.equal(why(session({}, { raw: { upgrade_state: { status } } })), 'updates', status)
  }
})

t.test('nor while filament, nozzle or plate are seen to', async t => {
  t.equal(why(session({ activeTray: { tool: 15, state: 'LOADED' } })), 'tool_changes')
  for (const main of [1, 2, 4, 16, 32]) t.equal(why(session({ ams: { statusRaw: main << 8 | 3, units: [] } })), 'feeds', `AMS ${main}`)
  for (const main of [0, 3, 255]) t.equal(why(session({ ams: { statusRaw: main << 8, units: [] } })), undefined, `AMS ${main}`)
  t.equal(why(session({ extruders: [extruder(25), extruder(25, { trayState: 'UNLOADING' })] })), 'feeds', 'the other nozzle')
  for (const plate of ['cooling', 'checking'] as const) t.equal(why(session(), { plate }), 'plate_checked')
  t.equal(why(session(), { plate: 'unknown' }), 'plate_unknown', 'before it was read')
  t.equal(why(session({ extensionTool: { mounted: true, type: 'LASER_MODULE' } })), 'other_tool')
  t.equal(why(session({ extensionTool: { mounted: true, type: 'ENHANCED_COOLING_FAN' } })), undefined)
  t.match(whyNot(session(), { ...FACTS, movesUntil: NOW + 1_400 }), { code: 'moves', message: /in 2 s/ })
})

t.test('an axis moves only when all are homed by the report', async t => {
  const homed = (flag: unknown) =>
    whyNotMove(session(), 'left', { homed: homedOf(session({}, { raw: { home_flag: flag } })), isClear: true })?.code
  t.equal(homed(ALL_HOMED), undefined)
  t.equal(homed(-1_066_934_785), undefined, 'a signed word of a printer that is homed')
  for (const flag of [0, 1, 3, 5, 6, -1_066_969_712]) t.equal(homed(flag), 'not_homed', `${flag}`)
  for (const flag of [undefined, 'zz', 1.5, null]) t.equal(homed(flag), 'homing_unknown', String(flag))
  t.same(homedOf(session({}, { raw: { home_flag: 5 } })), { x: true, y: false, z: true })
  t.equal(whyNotMove(session({}, { model: { model: 'UNKNOWN', series: '' } }), 'left', HOMED_AND_CLEAR)?.code, 'model_unknown')
})

t.test('what brings nozzle and plate together wants somebody who has looked', async t => {
  t.equal(whyNotHome(false)?.code, 'look')
  t.equal(whyNotHome(true), undefined)
  const closer = (model: string, series: string, state = {}) => (['left', 'right', 'back', 'front', 'up', 'down'] as const)
    .filter(direction => whyNotMove(session(state, { model: { model, series } }), direction, { ...HOMED_AND_CLEAR, isClear: false })?.code === 'look')
  t.same(closer('X1C', 'X1'), ['up'], 'the bed rises')
  t.same(closer('H2D', 'H2'), ['up'])
  t.same(closer('A1_MINI', 'A1'), ['down'], 'the head sinks')
  t.same(closer('A2L', 'A2'), ['down'])
  const failed = { job: { gcodeState: 'FAILED' } }
  t.same(closer('X1C', 'X1', failed), ['left', 'right', 'back', 'front', 'up'], 'the nozzle may still be in the part')
  t.same(closer('A2L', 'A2', failed), ['left', 'right', 'back', 'front', 'down'])
  t.equal(whyNotMove(session(failed), 'left', HOMED_AND_CLEAR), undefined)
})

t.test('filament moves only in a nozzle that is hot enough for it', async t => {
  const at = (actual: number, spools?: object[]) =>
    whyNotExtrude(session({ extruders: [extruder(actual)], ...spools && { spools } }))
  t.match(at(219.9), { code: 'cold', message: 'its nozzle has 219 °C and needs 220 °C for PETG. Heat it first' })
  t.equal(at(220), undefined)
  t.equal(at(169, [])?.code, 'cold', 'of a filament that is not known')
  t.equal(at(170, []), undefined)
  t.equal(at(169, [{ id: 1, amsId: 0, slot: 1, type: 'TPU', nozzleMinC: 0 }])?.code, 'cold')
  t.equal(at(NaN)?.code, 'cold', 'a value that is none')
  t.equal(at(299, [{ id: 1, amsId: 0, slot: 1, type: 'PC', nozzleMinC: 999 }])?.code, 'cold')
  t.equal(at(300, [{ id: 1, amsId: 0, slot: 1, type: 'PC', nozzleMinC: 999 }]), undefined, 'more than the model reaches is not wanted')
  t.equal(whyNotExtrude(session({ extruders: [extruder(250, { state: 'NO_NOZZLE' })] }))?.code, 'no_nozzle')
  const dries = { statusRaw: 0, units: [{ dryer: undefined }, { dryer: { state: 'DRYING' } }] }
  t.equal(whyNotExtrude(session({ extruders: [extruder(250)], ams: dries }))?.code, 'dries')
})

t.test('of two nozzles the active one is meant, with the filament in it', async t => {
  const two = (tool: number) => session({
    activeTray: { tool, state: 'LOADED' },
    capabilities: { hasDualExtruder: true },
    extruders: [extruder(250, { id: 0 }), extruder(25, { id: 1, tray: { amsId: 254, slot: 0 } })],
    spools: [{ id: 1, amsId: 0, slot: 1, type: 'PETG', nozzleMinC: 220 }, { id: 254, amsId: -1, slot: 254, type: 'PLA', nozzleMinC: 190 }]
  })
  t.match(activeNozzleOf(two(0)), { name: 'right', actualC: 250, leastC: 220, material: 'PETG' })
  t.match(activeNozzleOf(two(1)), { name: 'left', actualC: 25, leastC: 190, material: 'PLA' })
  t.equal(whyNotExtrude(two(0), 'right'), undefined)
  t.equal(whyNotExtrude(two(0), 'left')?.code, 'other_nozzle')
  t.equal(whyNotExtrude(two(1))?.code, 'cold')
  t.equal(whyNotExtrude(two(15))?.code, 'tool_changes', 'none is active')
  t.equal(whyNotExtrude(session({ extruders: [extruder(250)] }), 'right')?.code, 'other_nozzle', 'a printer with one')
})
