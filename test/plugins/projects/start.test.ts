import t from 'tap'
import {
  modelByName, type Guard, type ModelInfo, type PrinterSession, type PrinterState
} from '../../../core/index.js'
import { wireMapping } from '../../../plugins/projects/mapping/wire.js'
import { hasStorage, readyForJob, takesCommands } from '../../../plugins/projects/print/checks.js'
import { jobName, projectFile, type PrintJob } from '../../../plugins/projects/print/command.js'
import { start } from '../../../plugins/projects/print/start.js'

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

const at = (gcodeState: string, printError = 0) =>
  ({ job: { gcodeState }, errors: { printError } }) as unknown as PrinterState

/** A session whose reports follow the command one after the other. */
function sessionOf (...states: PrinterState[]): PrinterSession {
  let [state] = states
  const rest = states.slice(1)
  return {
    name: 'x',
    get state () { return state },
    perform: async () => ({ confirmed: true }),
    async until (test: (state: PrinterState) => boolean) {
      while (state && !test(state) && rest.length > 0) state = rest.shift()
      return state !== undefined && test(state)
    }
  } as unknown as PrinterSession
}

const explain = (errorNumber: number) => `error ${errorNumber}`
const outcome = (...states: PrinterState[]) => start(sessionOf(...states), projectFile(job, model('X1C')), explain, 10)

t.test('what becomes of a job', async t => {
  t.equal(await outcome(at('IDLE'), at('IDLE'), at('PREPARE'), at('RUNNING')), 'started')
  t.equal(await outcome(at('FINISH'), at('RUNNING')), 'started')
  t.equal(await outcome(at('IDLE'), at('IDLE')), 'unconfirmed')
  t.equal(await outcome(at('FAILED', 5), at('FAILED', 5)), 'unconfirmed', 'an error of before says nothing')
  t.equal(await outcome(at('FAILED', 5), at('PREPARE')), 'started')
  const refused = { code: 'PRN_ERR_REFUSED', message: "'x' refused to start the print: error 7" }
  await t.rejects(outcome(at('IDLE'), at('IDLE', 7)), refused)
  await t.rejects(outcome(at('IDLE'), at('PREPARE'), at('FAILED', 7)), refused, 'found out after it was taken')
})

t.test('when nothing is sent at all', async t => {
  const check = (guard: Guard, gcodeState: string, device: object = {}) =>
    guard({ session: { name: 'x', state: { job: { gcodeState }, device } } } as never, {} as never)
  for (const state of ['RUNNING', 'PREPARE', 'SLICING']) {
    t.throws(() => check(readyForJob, state), { code: 'PRN_ERR_PRINTER_BUSY', statusCode: 409 }, state)
  }
  t.throws(() => check(readyForJob, 'PAUSE'), { code: 'PRN_ERR_JOB_WAITS', statusCode: 409 })
  for (const state of ['IDLE', 'FINISH', 'FAILED', '']) t.equal(check(readyForJob, state), undefined)
  t.throws(() => check(takesCommands, 'IDLE', { developerMode: 'off' }), { code: 'PRN_ERR_SIGNATURE_REQUIRED' })
  t.equal(check(takesCommands, 'IDLE', { developerMode: 'unknown' }), undefined)
  t.throws(() => check(hasStorage, 'IDLE', { storage: false }), { code: 'PRN_ERR_UNSUPPORTED' })
  t.equal(check(hasStorage, 'IDLE', { storage: undefined }), undefined)
})
