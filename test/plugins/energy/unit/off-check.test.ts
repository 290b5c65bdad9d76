import t from 'tap'
import type { PrinterSession } from '../../../../core/index.js'
import { FAN_MS, isCool, whyStaysOn, type OffFacts } from '../../../../plugins/energy/off-check.js'

const cool = { actual: 25, target: 0 }
const NOW = 1_000_000_000

/** A printer that is idle and cool, and what differs from that. */
function session (state: object = {}, other: object = {}): PrinterSession {
  return {
    service: 'CONNECTED',
    live: true,
    context: { start: undefined },
    raw: { upgrade_state: { status: 'IDLE' } },
    state: {
      job: { gcodeState: 'FINISH', subtaskName: 'cube' },
      heat: { bed: cool, nozzle: cool, chamber: { ...cool, sensor: true } },
      extruders: [{ temperature: cool }, { temperature: cool }],
      ams: { units: [{ dryer: { state: 'OFF' } }, { dryer: undefined }] },
      ...state
    },
    ...other
  } as unknown as PrinterSession
}

const FACTS: OffFacts = { now: NOW, coolSince: NOW - FAN_MS, hasRun: false, isTransferring: false, heldBack: [] }
const why = (one: PrinterSession | undefined, facts: Partial<OffFacts> = {}) =>
  whyStaysOn(one, { ...FACTS, ...facts })?.code

t.test('only a printer that is known to be idle and cool may lose its power', async t => {
  t.equal(why(session()), undefined)
  t.equal(why(undefined), 'unknown')
  t.equal(why(session({}, { live: false })), 'unknown')
  t.equal(why(session({}, { service: 'PAUSED' })), 'unknown')
  t.equal(why(session({}, { state: undefined })), 'unknown')
  t.equal(why(session({}, { remote: { name: 'elsewhere' } })), 'unknown')
  for (const gcodeState of ['RUNNING', 'PREPARE', 'PAUSE', 'SLICING', 'INIT', '', 'SOMETHING_NEW']) {
    t.equal(why(session({ job: { gcodeState, subtaskName: 'cube' } })), 'prints', `state '${gcodeState}'`)
  }
  for (const gcodeState of ['IDLE', 'FINISH', 'FAILED']) t.equal(why(session({ job: { gcodeState } })), undefined, gcodeState)
  const start = { taskId: '1', subtaskName: 'next', at: NOW - 1_000, accepted: true, before: undefined, outcome: undefined, printError: 0 }
  t.equal(why(session({}, { context: { start } })), 'starts')
  t.equal(why(session(), { hasRun: true }), 'queue')
  t.equal(why(session(), { hasRun: undefined }), 'queue_unknown')
  t.equal(why(session(), { isTransferring: true }), 'transfers')
  for (const status of ['DOWNLOADING', 'FLASHING', 'upgrade_request', 'anything']) {
    t.equal(why(session({}, { raw: { upgrade_state: { status } } })), 'updates', status)
  }
  t.equal(why(session({}, { raw: {} })), undefined, 'a model that does not report updates')
})

t.test('a printer that is moved by hand keeps its power, and one of which that is not known', async t => {
  const moved = { code: 'moved_by_hand', values: { minutes: 5 } } as const
  t.match(whyStaysOn(session(), { ...FACTS, heldBack: [{ code: 'maintenance_due', values: {} }, moved] }), { code: 'moved', values: { minutes: 5 } })
  t.equal(why(session(), { heldBack: [{ code: 'check_failed', values: {} }] }), 'hold_unknown')
  t.equal(why(session(), { heldBack: [{ code: 'powered_off', values: {} }] }), undefined, 'other reasons of the queue say nothing of hands')
})

t.test('heat of any part keeps the power on', async t => {
  const heat = (part: object) => session({ heat: { bed: cool, nozzle: cool, chamber: cool, ...part } })
  t.equal(why(heat({ nozzle: { actual: 50, target: 0 } })), 'nozzle_hot')
  t.equal(why(heat({ nozzle: { actual: 49.9, target: 0 } })), undefined)
  t.equal(why(heat({ nozzle: { actual: NaN, target: 0 } })), 'nozzle_hot', 'a value that is none')
  t.equal(why(heat({ nozzle: { actual: 20, target: 1 } })), 'nozzle_heats')
  t.equal(why(session({ extruders: [{ temperature: cool }, { temperature: { actual: 180, target: 0 } }] })), 'nozzle_hot', 'the other nozzle')
  t.equal(why(heat({ bed: { actual: 90, target: 0 } })), undefined, 'a bed cools without power')
  t.equal(why(heat({ bed: { actual: 20, target: 45 } })), 'bed_heats')
  t.equal(why(heat({ chamber: { actual: 20, target: 45 } })), 'chamber_heats')
  for (const state of ['DRYING', 'CHECKING', 'COOLING', 'STOPPING', 'ERROR', 'CANNOT_STOP_HEAT_OOC']) {
    t.equal(why(session({ ams: { units: [{ dryer: undefined }, { dryer: { state } }] } })), 'dries', state)
  }
})

t.test('fans run on for five minutes as this service has seen them', async t => {
  t.equal(why(session(), { coolSince: undefined }), 'fans')
  t.match(whyStaysOn(session(), { ...FACTS, coolSince: NOW - FAN_MS + 1 }), { code: 'fans', values: { seconds: 1 } })
  t.equal(why(session(), { coolSince: NOW + 99 }), 'fans', 'a clock that was set back')
  const { state } = session()
  t.equal(state && isCool(state), true)
})

t.test('a unit that is not known, or whose state has no name, may dry', async t => {
  const unit = (one: object) => why(session({ ams: { units: [one] } }))
  t.equal(unit({ id: 128, model: 'UNKNOWN', info: 0, dryer: undefined }), 'dryer_unknown')
  t.equal(unit({ id: 0, model: 'UNKNOWN', info: 0, dryer: undefined }), 'dryer_unknown')
  t.equal(unit({ id: 0, model: 'AMS_1', info: 0, dryer: undefined }), undefined, 'one without a heater')
  t.equal(unit({ id: 128, model: 'AMS_HT', info: 9 << 4, dryer: { state: 'OFF' } }), 'dryer_unknown', 'an unknown code')
  t.equal(unit({ id: 128, model: 'AMS_HT', info: 4, dryer: { state: 'OFF' } }), undefined)
})
