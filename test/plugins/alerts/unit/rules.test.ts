import t from 'tap'
import { desk, ERROR, fault, HMS, OTHER_HMS, REFUSAL } from './desk.js'

const STATES = ['', 'IDLE', 'PREPARE', 'RUNNING', 'PAUSE', 'FINISH', 'FAILED', 'SLICING', 'INIT']

/** Every change of the job's state that alerts; all others are silent. */
const ALERTING: Readonly<Record<string, string>> = {
  ' RUNNING': 'job_started',
  'IDLE RUNNING': 'job_started',
  'FINISH RUNNING': 'job_started',
  'FAILED RUNNING': 'job_started',
  'RUNNING FINISH': 'job_finished',
  'PAUSE FINISH': 'job_finished',
  ...Object.fromEntries(STATES.filter(state => state !== 'PAUSE').map(state => [`${state} PAUSE`, 'job_paused'])),
  'PAUSE RUNNING': 'job_resumed'
}

t.test('job states: every change, in both directions', async t => {
  for (const before of STATES) {
    for (const after of STATES) {
      const { job, types } = desk({ gcodeState: before })
      job({ gcodeState: after })
      const failed = after === 'FAILED' && before !== 'FAILED' ? ['job_failed'] : []
      const expected = ALERTING[`${before} ${after}`]
      t.same(types(), expected === undefined ? failed : [expected], `'${before}' to '${after}'`)
      job({ gcodeState: after, layer: 5 })
      t.same(types(), [], 'and it stays so')
    }
  }
})

t.test('an alert of a job says what is known of it', async t => {
  const { job, alerts, pass } = desk()
  job({ gcodeState: 'RUNNING' })
  t.same(alerts[0], {
    type: 'job_started', printer: 'x1c', timestamp: '2026-01-01T00:00:00+00:00', severity: 'high', payload: {}
  })
  const named = { subtaskName: 'cube', gcodeFile: '/data/Metadata/plate_3.gcode', plate: 3 }
  job({ ...named, startedAt: Date.UTC(2026, 0, 1), layer: 12 })
  pass(600)
  job({ gcodeState: 'PAUSE', stage: { id: 16, name: 'Paused by user' } })
  job({ gcodeState: 'RUNNING', stage: { id: 0, name: '' } })
  job({ gcodeState: 'PAUSE' })
  job({ gcodeState: 'FINISH' })
  job({ gcodeState: 'FAILED' })
  const known = { subtask_name: 'cube', gcode_file: '/data/Metadata/plate_3.gcode', plate_num: 3 }
  t.same(alerts.slice(1).map(({ type, severity, payload }) => [type, severity, payload]), [
    ['job_paused', 'medium', { stage_id: 16, stage_name: 'Paused by user' }],
    ['stage_change', 'medium', { stage_id: 16, stage_name: 'Paused by user', prev_stage_id: -1, prev_stage_name: 'unknown' }],
    ['job_resumed', 'low', known],
    ['job_paused', 'medium', { stage_id: null, stage_name: 'unknown' }],
    ['job_finished', 'high', { ...known, elapsed_min: 10, layer_num: 12 }],
    ['job_failed', 'high', known]
  ])
  t.equal(alerts.at(-1)?.timestamp, '2026-01-01T00:10:00+00:00')
})

t.test('minutes are those of the job record: whole ones that have passed', async t => {
  const { job, alerts, pass } = desk()
  job({ gcodeState: 'RUNNING', startedAt: Date.UTC(2026, 0, 1) })
  pass(119.9)
  job({ gcodeState: 'FINISH' })
  t.equal(alerts.at(-1)?.payload.elapsed_min, 1)
})

t.test('a job that a person ended says so', async t => {
  const { job, alerts } = desk({ gcodeState: 'RUNNING' })
  job({ gcodeState: 'FAILED', cancelled: true })
  t.match(alerts.at(-1), { type: 'job_failed', payload: { cancelled: true } })
  job({ gcodeState: 'RUNNING', cancelled: false })
  job({ gcodeState: 'FAILED' })
  t.notOk('cancelled' in (alerts.at(-1)?.payload ?? {}))
})

t.test('a stage alerts when it is entered, unless it is a quiet one', async t => {
  const { stage, types, alerts, again } = desk()
  for (const id of [0, 100, 255, -1]) stage(id)
  t.same(types(), [])
  stage(2, 'Heatbed preheating')
  again()
  stage(2, 'Heatbed preheating')
  t.same(types(), ['stage_change'], 'once')
  t.same(alerts[0]?.payload, { stage_id: 2, stage_name: 'Heatbed preheating', prev_stage_id: -1, prev_stage_name: 'Stage [-1]' })
  stage(100, 'Printing')
  stage(4, 'Changing filament')
  t.match(alerts[1]?.payload, { stage_id: 4, prev_stage_id: 100, prev_stage_name: 'Printing' }, 'the quiet stage is remembered')
})

t.test('a stage entered again within 30 s is silent, and that does not prolong the time', async t => {
  const { stage, types, pass } = desk()
  stage(4)
  pass(20)
  stage(0)
  stage(4)
  t.same(types(), ['stage_change'])
  pass(9.999)
  stage(0)
  stage(4)
  t.same(types(), [])
  stage(0)
  pass(0.001)
  stage(4)
  t.same(types(), ['stage_change'], '30 s after the alert')
  stage(7)
  t.same(types(), ['stage_change'], 'another stage has a time of its own')
})

t.test('errors alert while they are active: the device error and the first message', async t => {
  const { faults, types, alerts } = desk()
  faults(HMS, OTHER_HMS)
  faults(HMS, OTHER_HMS, REFUSAL)
  faults(REFUSAL)
  t.same(types(), [], 'without a device error all is history; a refused command is none of it')
  faults(ERROR, HMS, OTHER_HMS)
  t.same(types(), ['hms_error_new'], 'all new codes in one')
  t.match(alerts[0], {
    severity: 'high', payload: { errors: [{ code: ERROR.code, description: String }, { code: HMS.code, description: String }] }
  })
  t.equal((alerts[0]?.payload.errors as unknown[]).length, 2)
  faults(ERROR)
  t.same(types(), [], 'a part that clears is silent')
  faults(ERROR, OTHER_HMS)
  t.match(alerts.at(-1)?.payload, { errors: [{ code: OTHER_HMS.code }] }, 'only the new one')
})

t.test('errors are cleared when all are, and only after they were told', async t => {
  const { faults, types, alerts, pass } = desk()
  faults(ERROR, HMS)
  faults(HMS)
  t.same(types(), ['hms_error_new', 'hms_error_cleared'], 'what becomes history is cleared')
  t.same(alerts[1]?.payload, { prev_error_count: 2 })
  t.equal(alerts[1]?.severity, 'medium')
  faults()
  t.same(types(), [])
  faults(ERROR)
  faults()
  t.same(types(), [], 'within 30 s neither its return nor its end')
  pass(30)
  faults(ERROR)
  faults()
  t.same(types(), ['hms_error_new', 'hms_error_cleared'])
})

t.test('a code that flaps alerts once in 30 s, and again if it then lasts', async t => {
  const { faults, types, pass, again } = desk()
  for (let second = 0; second < 29; second++) {
    faults(ERROR)
    faults()
    pass(1)
  }
  t.same(types(), ['hms_error_new', 'hms_error_cleared'])
  faults(ERROR)
  pass(0.999)
  again()
  t.same(types(), [])
  pass(0.001)
  again()
  again()
  t.same(types(), ['hms_error_new'], 'once, with the first report after that time')
  faults(ERROR, HMS)
  t.same(types(), ['hms_error_new'], 'the code beside it is new, the one that stayed is not')
  faults()
  t.same(types(), ['hms_error_cleared'])
  faults(ERROR)
  faults()
  pass(60)
  again()
  t.same(types(), [], 'what went again is not told later')
})

t.test('a job that failed, ended or began while the printer could not be heard is told', async t => {
  const first = { gcodeState: 'FAILED', taskId: '1', subtaskId: '1', subtaskName: 'cube' } as const
  const { job, types, pass, jump, alerts, engine } = desk(first)
  const next = { taskId: '2', subtaskId: '2', subtaskName: 'vase' }
  job(next)
  t.same(types(), [], 'printers show the names of the next job before its state')
  pass(600)
  job({ ...next, taskId: '3', subtaskId: '3' })
  t.same(types(), ['job_failed'])
  t.match(alerts.at(-1)?.payload, { subtask_name: 'vase' })
  job({ gcodeState: 'FINISH' })
  pass(600)
  job({})
  t.same(types(), [], 'the same job')
  jump(600)
  job({ taskId: '4', subtaskId: '4' })
  t.same(types(), [], 'a clock that is set is no gap')
  pass(600)
  jump(-600)
  job({ taskId: '5', subtaskId: '5' })
  t.same(types(), ['job_finished'])
  job({ gcodeState: 'RUNNING' })
  types()
  pass(600)
  job({ taskId: '6', subtaskId: '6' })
  t.same(types(), ['job_started'])
  job({ gcodeState: 'FAILED' })
  types()
  pass(600)
  engine.see('x1c', { receivedAt: Date.UTC(2027, 0), job: { ...first, taskId: '7', stage: { id: -1, name: '' } }, errors: { printError: 0, faults: [] } } as never, true)
  t.same(types(), [], 'a start that is still awaited shows the names of the new job, and the state of the last one')
})

t.test('the words for an error: known, unknown, listed without words', async t => {
  const { faults, alerts, faultTexts } = desk()
  faultTexts.addTexts({ '0F0F4001': 'The lid is warm', '0F0F4002': '' })
  faults(fault('HMS_0F0F-4001', 'device_error'))
  faults(fault('HMS_0F0F-4002', 'device_error'))
  faults(fault('HMS_0F0F-4003', 'device_error'))
  t.same(alerts.map(({ payload }) => payload.errors), [
    [{ code: 'HMS_0F0F-4001', description: 'The lid is warm' }],
    [{ code: 'HMS_0F0F-4002', description: 'No description in the HMS catalogue' }],
    [{ code: 'HMS_0F0F-4003', description: 'Unknown HMS Error' }]
  ])
})

t.test('health: worse escalates, better recovers', async t => {
  const { judge, types, alerts, pass } = desk({ gcodeState: 'RUNNING' })
  judge(undefined, 0.5)
  judge('warning', 0.1)
  t.same(types(), [], 'never the first verdict')
  judge('critical', 0.234_567)
  pass(60)
  judge('warning', 0.05)
  pass(60)
  judge(undefined, 0.9)
  judge('clean', 0.01)
  t.same(alerts.map(({ type, severity, payload }) => [type, severity, payload]), [
    ['health_escalated', 'high', { from_verdict: 'warning', to_verdict: 'critical', score: 0.2346 }],
    ['health_recovered', 'medium', { from_verdict: 'critical', to_verdict: 'warning', score: 0.05 }],
    ['health_recovered', 'medium', { from_verdict: 'warning', to_verdict: 'clean', score: 0.01 }]
  ])
})

t.test('health: one alert in 60 s; a change that lasts is told when they are over', async t => {
  const { judge, types, pass, again, alerts } = desk({ gcodeState: 'RUNNING' })
  judge('clean')
  judge('warning', 0.1)
  t.same(types(), ['health_escalated'])
  pass(30)
  judge('critical', 0.3)
  judge('warning', 0.1)
  judge('critical', 0.4)
  t.same(types(), [])
  pass(29.999)
  again()
  t.same(types(), [])
  pass(0.001)
  again()
  t.same(types(), ['health_escalated'], 'with the next report, without another verdict')
  t.same(alerts.at(-1)?.payload, { from_verdict: 'warning', to_verdict: 'critical', score: 0.4 })
})

t.test('health: another job begins without a verdict, whatever was said of the last one', async t => {
  for (const before of ['IDLE', 'FINISH', 'FAILED', 'SLICING', 'INIT', 'PREPARE']) {
    const { judge, job, types, again, pass } = desk({ gcodeState: 'RUNNING' })
    judge('critical')
    job({ gcodeState: before })
    job({ gcodeState: 'RUNNING' })
    pass(100)
    again()
    types()
    judge('clean')
    again()
    t.same(types(), [], `from ${before}`)
    judge('warning')
    t.same(types(), ['health_escalated'], 'the verdicts of one job are compared')
  }
  const { judge, job, types } = desk({ gcodeState: 'RUNNING' })
  judge('critical')
  job({ gcodeState: 'PAUSE' })
  job({ gcodeState: 'RUNNING' })
  types()
  judge('clean')
  t.same(types(), ['health_recovered'], 'a pause begins nothing')
})

t.test('one report, several alerts: job, stage, errors, health', async t => {
  const { engine, alerts, judge, pass } = desk({ gcodeState: 'RUNNING' })
  judge('clean')
  pass(1)
  judge('warning')
  pass(10)
  judge('critical')
  pass(60)
  engine.see('x1c', {
    receivedAt: 0,
    job: { gcodeState: 'PAUSE', stage: { id: 6, name: 'Filament runout' }, layer: 1 },
    errors: { printError: 1, faults: [ERROR] }
  } as never)
  t.same(alerts.slice(1).map(({ type }) => type), ['job_paused', 'stage_change', 'hms_error_new', 'health_escalated'])
})
