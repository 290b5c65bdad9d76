import t from 'tap'
import type { PrinterState } from '../../../../core/index.js'
import {
  effectsOf, NOTHING_SEEN, see, type Chosen, type Effect, type Seen
} from '../../../../plugins/automation/effects.js'

interface Told {
  readonly job?: string
  readonly light?: string
  readonly door?: boolean
  readonly sensor?: boolean
  readonly chamber?: number
}

const ALL: Chosen =
  { heaterOffAtEnd: true, lightOffAtEnd: true, jobBegins: true, lightOnAtStart: true, doorLight: true }

const state = ({ job = 'IDLE', light = 'off', door = false, sensor = true, chamber = 0 }: Told) => ({
  job: { gcodeState: job },
  lights: { mode: light },
  doors: { sensor, doorOpen: door, lidOpen: false },
  heat: { chamber: { target: chamber } }
}) as unknown as PrinterState

/** Tells one state after the other. @returns what followed each */
function tell (told: readonly Told[], chosen = ALL, heater = false): (readonly Effect[])[] {
  let seen: Seen = NOTHING_SEEN
  return told.map(each => {
    const before = seen
    seen = see(before, state(each))
    return effectsOf(before, seen, state(each), chosen, heater)
  })
}

t.test('an external heater goes off with every end of a job', async t => {
  for (const before of ['PREPARE', 'RUNNING', 'PAUSE']) {
    for (const job of ['FINISH', 'FAILED', 'IDLE']) {
      const [, effects] = tell([{ job: before, chamber: 60 }, { job, chamber: 60 }], ALL, true)
      t.same(effects, ['chamber-off'], `${before} to ${job}`)
    }
    t.same(tell([{ job: before, chamber: 60 }, { job: 'FAILED', chamber: 60 }], { ...ALL, heaterOffAtEnd: false }, true)[1], [])
  }
  t.same(tell([{ job: 'IDLE', chamber: 60 }, { job: 'FAILED', chamber: 60 }], ALL, true)[1], [], 'no job ended')
})

t.test('nothing follows from the first state, whatever it is', async t => {
  for (const job of ['IDLE', 'PREPARE', 'RUNNING', 'PAUSE', 'FINISH', 'FAILED']) {
    t.same(tell([{ job, light: 'on', door: true, chamber: 60 }], ALL, true), [[]], job)
  }
})

t.test('the end of a job', async t => {
  t.same(tell([{ job: 'RUNNING', light: 'on' }, { job: 'FINISH', light: 'on' }, { job: 'FINISH', light: 'on' }]),
    [[], ['light-off'], []], 'once')
  t.same(tell([{ job: 'RUNNING' }, { job: 'FINISH' }]), [[], []], 'a light that is off stays off')
  t.same(tell([{ job: 'RUNNING', light: 'on' }, { job: 'FAILED', light: 'on' }]), [[], []], 'not of a failed one')
  const heated = [{ job: 'RUNNING', chamber: 50 }, { job: 'FINISH', chamber: 50 }]
  t.same(tell(heated, ALL, true), [[], ['chamber-off']])
  t.same(tell(heated), [[], []], 'without an external heater')
  t.same(tell([{ job: 'RUNNING' }, { job: 'FINISH' }], ALL, true), [[], []], 'which is off')
})

t.test('the beginning of a job', async t => {
  t.same(tell([{ job: 'IDLE' }, { job: 'PREPARE' }, { job: 'RUNNING' }]), [[], ['job-begins'], ['job-begins', 'light-on']])
  t.same(tell([{ job: 'FINISH' }, { job: 'RUNNING', light: 'on' }]), [[], ['job-begins']])
  t.same(tell([{ job: 'PAUSE' }, { job: 'RUNNING' }]), [[], ['light-on']], 'going on is no beginning')
  t.same(tell([{ job: 'RUNNING' }, { job: 'PAUSE' }, { job: 'PAUSE' }]), [[], [], []])
})

t.test('the door', async t => {
  t.same(tell([{}, { door: true }, { door: true, light: 'on' }, { light: 'on' }]), [[], ['light-on'], [], ['light-off']])
  for (const job of ['RUNNING', 'PREPARE', 'PAUSE']) {
    t.same(tell([{ job, door: true, light: 'on' }, { job, light: 'on' }]), [[], []], `stays on at the end while ${job}`)
  }
  t.same(tell([{ sensor: false }, { sensor: false, door: true }]), [[], []], 'without a sensor')
  t.same(tell([{ sensor: false }, { door: true }]), [[], []], 'the first word of a sensor is no change')
  t.same(tell([{ door: true, light: 'on' }, { sensor: false, light: 'on' }, { door: true, light: 'on' }]), [[], [], []],
    'a sensor that was silent for a while')
})

t.test('a reconnect that changed nothing, and a printer that just started', async t => {
  t.same(tell([{ job: 'RUNNING', light: 'on' }, { job: '', light: 'on' }, { job: 'RUNNING', light: 'on' }]), [[], [], []])
  t.same(tell([{ job: '' }, { job: 'FINISH', light: 'on' }]), [[], []])
})

t.test('one command for one light', async t => {
  t.same(tell([{ job: 'PREPARE' }, { job: 'RUNNING', door: true }]), [[], ['job-begins', 'light-on']])
})

t.test('each can be switched off', async t => {
  const told = [{ job: 'RUNNING', light: 'on', chamber: 40 }, { job: 'FINISH', light: 'on', chamber: 40 }]
  t.same(tell(told, { ...ALL, lightOffAtEnd: false }, true)[1], ['chamber-off'])
  t.same(tell(told, { ...ALL, heaterOffAtEnd: false }, true)[1], ['light-off'])
  t.same(tell([{}, { job: 'RUNNING' }], { ...ALL, jobBegins: false })[1], ['light-on'])
  t.same(tell([{}, { job: 'RUNNING' }], { ...ALL, lightOnAtStart: false })[1], ['job-begins'])
  t.same(tell([{}, { door: true }], { ...ALL, doorLight: false })[1], [])
})
