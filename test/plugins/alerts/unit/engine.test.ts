import t from 'tap'
import type { PrinterState } from '../../../../core/index.js'
import { createAlertQueue, QUEUE_LENGTH } from '../../../../plugins/alerts/queue.js'
import { hmsErrors } from '../../../../plugins/alerts/rules/hms.js'
import { rules } from '../../../../plugins/alerts/rules/index.js'
import { stageChange } from '../../../../plugins/alerts/rules/stage.js'
import { defineAlert, defineAlertRule, type Alert, type AnyAlertRule } from '../../../../plugins/alerts/index.js'
import { desk, ERROR, fault } from './desk.js'

const failing = {
  receivedAt: 0,
  job: { gcodeState: 'FAILED', stage: { id: 4, name: 'Changing filament' } },
  errors: { printError: 1, faults: [ERROR] }
} as unknown as PrinterState

t.test('the first state after a start alerts nothing, whatever it says', async t => {
  const { engine, alerts, types, stage, faults } = desk({ gcodeState: 'FAILED', stage: { id: 6, name: 'Filament runout' } })
  t.same(types(), [])
  stage(6)
  t.same(types(), [], 'the stage it began with does not alert later')
  engine.see('new', failing)
  t.same(alerts, [])
  faults()
  t.same(types(), [], 'nor are errors cleared that nobody was told of')
})

t.test('a full report that changes nothing alerts nothing, though every part of it is new', async t => {
  const { engine, types, job, faults } = desk({ gcodeState: 'RUNNING' })
  faults(ERROR)
  job({ stage: { id: 4, name: 'Changing filament' } })
  t.same(types(), ['hms_error_new', 'stage_change'])
  for (let time = 0; time < 3; time++) {
    engine.see('x1c', structuredClone({ ...failing, job: { ...failing.job, gcodeState: 'RUNNING' } }))
  }
  t.same(types(), [])
})

t.test('what happened while nothing came is told with the next state', async t => {
  const { job, types, pass } = desk({ gcodeState: 'RUNNING' })
  pass(86_400)
  job({ gcodeState: 'FINISH' })
  t.same(types(), ['job_finished'])
})

t.test('a clock that is set neither loses nor repeats alerts', async t => {
  for (const seconds of [3_600, -3_600, 86_400, -86_400, 86_400 * 365, -86_400 * 365]) {
    const { stage, faults, judge, types, jump, pass, alerts, again } = desk({ gcodeState: 'RUNNING' })
    judge('clean')
    stage(4)
    faults(ERROR)
    judge('warning')
    t.same(types(), ['stage_change', 'hms_error_new', 'health_escalated'])
    jump(seconds)
    again()
    stage(0)
    stage(4)
    faults()
    faults(ERROR)
    judge('critical')
    t.same(types(), ['hms_error_cleared'], `by ${seconds} s: the times are not over`)
    pass(60)
    faults()
    stage(0)
    stage(4)
    faults(ERROR)
    again()
    t.same(types(), ['health_escalated', 'stage_change', 'hms_error_new'], 'and now they are')
    t.ok(alerts.every(({ timestamp }) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/.test(timestamp)))
  }
})

const always = (name: string, detect: () => unknown): AnyAlertRule =>
  defineAlertRule({ name, initial: 0, detect: detect as never })

t.test('a rule that fails is left out and named once; the others go on', async t => {
  const broken: AnyAlertRule[] = [
    always('throws', () => { throw new Error('no luck') }),
    always('promises', async () => undefined),
    always('finds nonsense', () => ({ findings: [{ type: 'x', severity: 'loud', payload: {} }], memory: 0 })),
    always('finds no payload', () => ({ findings: [{ type: 'x', severity: 'low' }], memory: 0 })),
    always('finds a number', () => 5)
  ]
  const { job, types, logged } = desk({}, [...broken, ...rules])
  job({ gcodeState: 'RUNNING' })
  job({ gcodeState: 'PAUSE' })
  t.same(types(), ['job_started', 'job_paused'])
  t.same(logged.map(({ rule }) => rule), broken.map(({ name }) => name), 'each once')
  t.match(logged[0], { plugin: 'outside', err: { message: 'no luck' }, msg: "alert rule 'throws' of plugin 'outside' failed and is disabled" })
})

t.test('a rule of two states, and one with a memory', async t => {
  const layers = defineAlert({
    type: 'layer_done',
    severity: 'low',
    detect: (now, before) => now.job.layer > before.job.layer ? { layer: now.job.layer } : undefined
  })
  const third = defineAlertRule<number>({
    name: 'third',
    initial: 0,
    detect: (_now, _before, count) => ({
      findings: count % 3 === 2 ? [{ type: 'third', severity: 'low', payload: { count } }] : [],
      memory: count + 1
    })
  })
  const { job, alerts } = desk({}, [layers, third])
  for (const layer of [1, 1, 2]) job({ layer })
  t.same(alerts.map(({ type, payload }) => [type, payload]), [
    ['layer_done', { layer: 1 }], ['layer_done', { layer: 2 }], ['third', { count: 2 }]
  ])
  t.ok(Object.isFrozen(alerts[0]))
})

t.test('printers do not mix, and one that is gone for good begins anew', async t => {
  const { engine, alerts, job } = desk({ gcodeState: 'RUNNING' })
  const state = (gcodeState: string): PrinterState => ({ ...failing, job: { ...failing.job, gcodeState } })
  engine.see('other', state('FINISH'))
  engine.see('other', state('FAILED'))
  t.same(alerts.map(({ printer, type }) => [printer, type]), [['other', 'job_failed']])
  engine.forget('other')
  engine.see('other', state('RUNNING'))
  job({ gcodeState: 'PAUSE' })
  t.same(alerts.map(({ printer, type }) => [printer, type]), [['other', 'job_failed'], ['x1c', 'job_paused']])
})

t.test('a verdict while the session is paused is compared with the next report', async t => {
  const { judge, types, again } = desk({ gcodeState: 'RUNNING' })
  judge('clean')
  judge('critical', 0.5, true)
  t.same(types(), [])
  again()
  t.same(types(), ['health_escalated'])
  const fresh = desk()
  fresh.engine.judge('unseen', { verdict: 'critical', score: 1 })
  t.same(fresh.alerts, [], 'a printer without a report has no alerts')
})

const alert = (printer: string, type: string): Alert => ({ type, printer, timestamp: '', severity: 'low', payload: {} })

t.test('the queue keeps the last fifty of each printer', async t => {
  const taken: string[] = []
  const queue = createAlertQueue(printer => taken.push(printer))
  for (let at = 0; at < QUEUE_LENGTH + 5; at++) queue.push(alert('a', String(at)))
  queue.push(alert('b', 'one'))
  const peeked = queue.peek('a')
  t.equal(peeked.length, 50)
  t.same([peeked[0]?.type, peeked.at(-1)?.type], ['5', '54'], 'the oldest have gone')
  queue.push(alert('a', 'new'))
  t.equal(peeked.at(-1)?.type, '54', 'what was read does not change')
  t.same(Object.keys(queue.drainAll()), ['a', 'b'])
  t.same([queue.peek('a'), queue.drain('a'), queue.drainAll()], [[], [], {}])
  t.same(taken, ['a', 'b'], 'taking nothing is no event')
})

t.test('names that objects have anyway are names of printers too', async t => {
  const queue = createAlertQueue()
  for (const name of ['__proto__', 'constructor', 'toString']) queue.push(alert(name, 'x'))
  t.same(Object.keys(queue.drainAll()), ['__proto__', 'constructor', 'toString'])
})

t.test('a printer that makes up ever new stages and codes does not fill the memory', async t => {
  let most = 0
  const sizeOf = (memory: unknown): number =>
    memory instanceof Map ? memory.size : sizeOf((memory as { alerted: unknown }).alerted)
  const watched = [stageChange, hmsErrors].map((rule: AnyAlertRule): AnyAlertRule => ({
    ...rule,
    detect (...given) {
      const outcome = rule.detect(...given)
      if (outcome) most = Math.max(most, sizeOf(outcome.memory))
      return outcome
    }
  }))
  const { stage, faults, alerts } = desk({}, watched)
  for (let at = 0; at < 300; at++) {
    stage(300 + at)
    faults(fault(`HMS_${at}`, 'device_error'))
  }
  t.equal(alerts.length, 600)
  t.equal(most, 64)
})
