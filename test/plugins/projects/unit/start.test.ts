import t from 'tap'
import {
  createEmitter, modelByName, type Command, type Guard, type ModelInfo, type PrinterSession, type PrinterState,
  type SessionEvents
} from '../../../../core/index.js'
import { wireMapping } from '../../../../plugins/projects/mapping/mqtt-mapping.js'
import { hasStorage, readyForJob, takesCommands } from '../../../../plugins/projects/operations/print.js'
import { jobName, projectFile, type PrintJob } from '../../../../plugins/projects/print/project-file.js'
import { start } from '../../../../plugins/projects/print/start.js'

const job: PrintJob = {
  path: '/jobs/a b.gcode.3mf',
  plateNumber: 3,
  plateType: 'auto',
  wire: wireMapping([0, -1], [], false),
  leveling: true,
  flow: false,
  timelapse: false
}
const model = (name: string): ModelInfo => modelByName(name) as ModelInfo

t.test('what is sent, by model', async t => {
  t.match(projectFile(job, model('X1C'), '77'), {
    section: 'print',
    command: 'project_file',
    param: 'Metadata/plate_3.gcode',
    url: 'ftp:///jobs/a b.gcode.3mf',
    subtask_name: 'a b',
    task_id: '77',
    subtask_id: '77',
    bed_leveling: true,
    vibration_cali: true,
    layer_inspect: true,
    use_ams: true,
    ams_mapping: [0, -1]
  })
  for (const name of ['A1', 'A1_MINI', 'P1P', 'P1S']) {
    t.match(projectFile(job, model(name)), { url: 'file:///sdcard/jobs/a b.gcode.3mf', layer_inspect: false }, name)
  }
  t.match(projectFile(job, model('P2S')), { url: 'ftp:///jobs/a b.gcode.3mf', vibration_cali: false, auto_bed_leveling: 1 })
  t.equal(projectFile(job, model('X1C')).auto_bed_leveling, undefined)
})

t.test('every job has a number of its own', async t => {
  const ids = Array.from({ length: 50 }, () => projectFile(job, model('X1C')).task_id)
  t.equal(new Set(ids).size, 50)
  t.ok(ids.every(id => Number(id) > 0 && Number(id) < 2 ** 31))
})

t.test('names of jobs', async t => {
  t.same(['/a.3mf', '/b/c.gcode.3mf', '/d.3mf.gcode.3mf', '/E.GCODE.3MF'].map(jobName), ['a', 'c', 'd.3mf', 'E'])
})

const SENT = projectFile(job, model('X1C'), '77')
const BEFORE = { taskId: '11', subtaskId: '12', subtaskName: 'earlier' }
const OURS = { taskId: '77', subtaskId: '77', subtaskName: 'a b' }
const COLON = { ...SENT, subtask_name: 'a:b' }
const THEIRS = { taskId: '99', subtaskId: '99', subtaskName: 'vase' }

const FILE_GONE = '05004002'
const BUSY = '05004004'
const MAPPING = '07FF8012'
const SEVERITIES: Readonly<Record<string, string>> = { 4: 'Error', 8: 'Warning', C: 'Info' }

const at = (gcodeState: string, job: object = BEFORE, digits = '') => ({
  job: { gcodeState, ...job },
  errors: { faults: digits === '' ? [] : [{ type: 'device_error', digits, severity: SEVERITIES[digits[4] ?? ''] }] }
}) as unknown as PrinterState

interface Answer { readonly confirmed?: boolean, readonly taken?: object }

/** A session whose reports follow the command one after the other. */
function sessionOf (states: readonly PrinterState[], { confirmed = true, taken }: Answer): PrinterSession {
  let [state] = states
  const rest = states.slice(1)
  const events = createEmitter<SessionEvents>(error => { throw error })
  const context: { projectFile?: object } = {}
  return {
    name: 'x',
    events,
    context,
    get state () { return state },
    async perform () {
      if (taken) context.projectFile = taken
      return { confirmed }
    },
    async until (test: (state: PrinterState) => boolean) {
      while (state && !test(state) && rest.length > 0) {
        const before = state
        state = rest.shift() as PrinterState
        events.emit('state', state, before)
      }
      return state !== undefined && test(state)
    }
  } as unknown as PrinterSession
}

const outcome = (states: readonly PrinterState[], answer: Answer = {}, command: Command = SENT) =>
  start(sessionOf(states, answer), command, { explain: ({ digits }) => `error ${digits}`, watchMs: 10 })

t.test('what becomes of a job', async t => {
  t.equal(await outcome([at('IDLE'), at('IDLE'), at('PREPARE', OURS), at('RUNNING', OURS)]), 'started')
  t.equal(await outcome([at('FINISH'), at('RUNNING', OURS)]), 'started')
  t.equal(await outcome([at('FINISH'), at('PAUSE', OURS)]), 'started', 'paused by somebody at once')
  t.equal(await outcome([at('IDLE'), at('IDLE')]), 'unconfirmed')
  t.equal(await outcome([at('FAILED', BEFORE, FILE_GONE), at('FAILED', BEFORE, FILE_GONE)]), 'unconfirmed',
    'an error of before says nothing')
  t.equal(await outcome([at('FAILED', BEFORE, FILE_GONE), at('PREPARE', OURS)]), 'started')
  const refused = (digits: string) => ({ code: 'PRN_ERR_REFUSED', message: `'x' refused to start the print: error ${digits}` })
  await t.rejects(outcome([at('IDLE'), at('IDLE', BEFORE, FILE_GONE)]), refused(FILE_GONE))
  await t.rejects(outcome([at('IDLE'), at('PREPARE', OURS), at('FAILED', OURS, FILE_GONE)]), refused(FILE_GONE),
    'found out after it was taken')
  await t.rejects(outcome([at('IDLE'), at('PREPARE', OURS), at('PAUSE', OURS, MAPPING)]), refused(MAPPING))
  const again = [at('FAILED', BEFORE, FILE_GONE), at('PREPARE', OURS), at('FAILED', OURS, FILE_GONE)]
  await t.rejects(outcome(again), refused(FILE_GONE), 'the same error as the time before')
})

t.test('an error that another start brought about is no refusal of ours', async t => {
  t.equal(await outcome([at('IDLE'), at('IDLE', BEFORE, BUSY), at('PREPARE', OURS, BUSY)]), 'started')
  t.equal(await outcome([at('IDLE'), at('RUNNING', OURS, BUSY)]), 'started')
  t.equal(await outcome([at('IDLE'), at('RUNNING', OURS, MAPPING)]), 'started', 'a warning that halts nothing')
  t.equal(await outcome([at('IDLE'), at('IDLE', BEFORE, BUSY)]), 'unconfirmed', 'ours was taken')
  await t.rejects(outcome([at('IDLE'), at('IDLE', BEFORE, BUSY)], { confirmed: false }), { code: 'PRN_ERR_REFUSED' })
  t.equal(await outcome([at('IDLE'), at('IDLE', BEFORE, FILE_GONE)], { confirmed: false, taken: { taskId: '99' } }),
    'unconfirmed', "somebody else's start was taken meanwhile")
})

t.test("another job than ours is not ours' success", async t => {
  const other = { code: 'PRN_ERR_OTHER_JOB', statusCode: 409, message: /'vase'/ }
  await t.rejects(outcome([at('IDLE'), at('RUNNING', THEIRS)]), other)
  await t.rejects(outcome([at('IDLE'), at('PREPARE', { ...THEIRS, subtaskName: 'a b' })]), { code: 'PRN_ERR_OTHER_JOB' }, 'of the same name')
  const unnumbered = { taskId: '0', subtaskId: '' }
  await t.rejects(outcome([at('IDLE'), at('PREPARE', { ...unnumbered, subtaskName: 'vase' })]), other, 'by its name')
  t.equal(await outcome([at('IDLE'), at('PREPARE', { ...unnumbered, subtaskName: 'a_b' })], {}, COLON), 'started', 'a name as the printer writes it')
  t.equal(await outcome([at('IDLE'), at('PREPARE', { ...unnumbered, subtaskName: '' })]), 'started', 'a printer that tells neither')
  t.equal(await outcome([at('FINISH'), at('PREPARE'), at('PREPARE', OURS)]), 'started', 'numbers that come a report later')
  t.equal(await outcome([at('FINISH'), at('PREPARE', { ...THEIRS, subtaskName: 'a b' }), at('PREPARE', OURS)]), 'started')
  t.equal(await outcome([at('FINISH'), at('RUNNING')]), 'unconfirmed', 'the job of before runs')
})

t.test('when nothing is sent at all', async t => {
  const check = (guard: Guard, gcodeState: string, device: object = {}, rest: object = {}) =>
    guard({
      kernel: { now: () => 100_000 },
      session: { name: 'x', service: 'CONNECTED', live: true, context: {}, state: { job: { gcodeState }, device }, ...rest }
    } as never, {} as never)
  for (const state of ['RUNNING', 'PREPARE', 'SLICING']) {
    t.throws(() => check(readyForJob, state), { code: 'PRN_ERR_JOB_ACTIVE', statusCode: 409 }, state)
  }
  t.throws(() => check(readyForJob, 'PAUSE'), { code: 'PRN_ERR_JOB_WAITS', statusCode: 409 })
  for (const state of ['IDLE', 'FINISH', 'FAILED', '']) t.equal(check(readyForJob, state), undefined)
  const sentAt = (at: number, accepted: boolean, outcome?: string) =>
    ({ context: { start: { taskId: '7', subtaskName: 'cube', at, accepted, before: undefined, outcome, printError: 0 } } })
  const starting = { code: 'PRN_ERR_JOB_STARTING', statusCode: 409, message: /'cube'.*give_up_start/ }
  t.throws(() => check(readyForJob, 'IDLE', {}, sentAt(75_000, true)), starting)
  t.throws(() => check(readyForJob, 'IDLE', {}, sentAt(-9e9, true)), starting, 'however long ago it was accepted')
  t.throws(() => check(readyForJob, 'IDLE', {}, sentAt(75_000, false)), starting, 'without an answer it may have been')
  t.equal(check(readyForJob, 'IDLE', {}, sentAt(-600_000, false)), undefined, 'it never got that one')
  for (const outcome of ['began', 'other', 'ended', 'failed', 'refused', 'restarted', 'given_up']) {
    t.equal(check(readyForJob, 'IDLE', {}, sentAt(75_000, true, outcome)), undefined, outcome)
  }
  t.throws(() => check(readyForJob, 'IDLE', {}, { service: 'PAUSED' }), { code: 'PRN_ERR_STATE_NOT_CURRENT', statusCode: 409 })
  t.throws(() => check(readyForJob, 'RUNNING', {}, { live: false }), { code: 'PRN_ERR_STATE_NOT_CURRENT', statusCode: 409 })
  t.throws(() => check(readyForJob, 'IDLE', {}, { service: 'DISCONNECTED', live: false }), { code: 'PRN_ERR_NOT_CONNECTED' })
  t.throws(() => check(takesCommands, 'IDLE', { developerMode: 'off', signedOnly: true }), { code: 'PRN_ERR_SIGNATURE_REQUIRED' })
  t.equal(check(takesCommands, 'IDLE', { developerMode: 'off', signedOnly: false }), undefined, 'a refusal may be out of date')
  t.throws(() => check(hasStorage, 'IDLE', { storage: false }), { code: 'PRN_ERR_UNSUPPORTED' })
  t.equal(check(hasStorage, 'IDLE', { storage: undefined }), undefined)
})
