import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { bootProjects } from './boot.js'

const FILE = '/desk-organiser.gcode.3mf'
const PRINT = { filename: FILE, platenum: 2, use_ams: true }

async function begin (...[test, options]: Parameters<typeof bootProjects>) {
  const booted = await bootProjects(test, options)
  const { printer, kernel, http, tool, name } = booted
  return {
    kernel,
    printer,
    session: kernel.printers.resolve(name),
    sent: () => printer.requests.filter(({ command }) => command === 'project_file'),
    print: () => http('POST', '/api/print_3mf', PRINT),
    http,
    tool,
    name
  }
}

t.test('of several starts at the same time one is sent and started, and all are told so', async t => {
  const { print, tool, name, sent, session } = await begin(t)
  const ask = { name, file_path: FILE, plate_num: 1, user_permission: true }
  const [one, two, three] = await Promise.all([print(), print(), tool('print_file', ask)])
  t.equal(sent().length, 1)
  const outcomes = [one.body.error ?? one.body.status, two.body.error ?? two.body.status,
    three.value.error ?? (three.value.success === true ? 'success' : 'none')]
  const claimed = "Blocked: the start of '/desk-organiser.gcode.3mf' on 'x1c' is in progress. Try again when it has finished."
  t.equal(outcomes.filter(outcome => outcome === 'success').length, 1, outcomes.join('; '))
  t.equal(outcomes.filter(outcome => outcome === claimed || outcome === 'printer_claimed').length, 2, outcomes.join('; '))
  t.ok(['PREPARE', 'RUNNING'].includes(session.state?.job.gcodeState ?? ''))
})

t.test('a start that was refused leaves the printer to the next one', async t => {
  const { print, http, printer } = await begin(t)
  t.match(await http('POST', '/api/print_3mf', { ...PRINT, platenum: 9 }), { status: 400 })
  const lift = printer.faults.refuse('project_file', { reason: 'not today' })
  t.match(await print(), { status: 409, body: { reason: /not today/ } })
  lift()
  t.match(await print(), { status: 200 })
})

t.test('an outside program that holds the printer keeps starts away, and may start itself', async t => {
  const { print, session, kernel, sent, name } = await begin(t)
  const { printFile } = await import('../../../plugins/projects/operations/print.js')
  const job = {
    file: FILE, plate: 2, plateType: 'auto' as const, useAms: true, leveling: false, flow: false, timelapse: false
  }
  let goOn = (): void => {}
  const ready = new Promise<void>(resolve => { goOn = resolve })
  const queued = session.exclusively("the queue's next job", async () => {
    await ready
    return await kernel.call(printFile, job, { printer: name })
  })
  t.match(await print(), { status: 409, body: { reason: /the queue's next job/ } })
  t.equal(sent().length, 0)
  goOn()
  const outcome = await queued
  t.match(outcome, { outcome: 'started' })
  t.equal(sent().length, 1)
})

t.test("another client's error during our start is not our refusal", async t => {
  const { print, tool, name, sent } = await begin(t, { sdCard: { samples: true } })
  // Another program's start is published as soon as ours was: the printer turns it away and shows that it is busy.
  const foreign = { print: { command: 'project_file', sequence_id: '7', param: 'Metadata/plate_1.gcode', url: `ftp://${FILE}`, task_id: '5', subtask_id: '5' } }
  const ours = print()
  await eventually(() => sent().length === 1)
  await tool('send_mqtt_command', { name, command_json: JSON.stringify(foreign), user_permission: true })
  t.match(await ours, { status: 200, body: { status: 'success' } })
})

t.test('a job that somebody else started in place of ours is no success', async t => {
  const { print, printer, sent } = await begin(t)
  printer.faults.ignore('project_file', { acts: false })
  const ours = print()
  await eventually(() => sent().length === 1)
  printer.startJob({ name: 'vase' })
  t.match(await ours, { status: 409, body: { error: 'other_job', reason: /'vase'/ } })
})

t.test('a second start is refused while the printer has taken a job and does not report it yet', async t => {
  const { print, printer, tool, name, session, sent } = await begin(t)
  // The printer says yes and does nothing, as it looks in the first seconds of a start.
  const lift = printer.faults.refuse('project_file', { result: 'success' })
  const foreign = { print: { command: 'project_file', sequence_id: '7', param: 'Metadata/plate_1.gcode', url: `ftp://${FILE}`, task_id: '5' } }
  await tool('send_mqtt_command', { name, command_json: JSON.stringify(foreign), user_permission: true })
  await eventually(() => session.context.projectFile?.taskId === '5')
  lift()
  t.match(await print(), { status: 409, body: { error: 'job_starting', reason: /has accepted a job/ } })
  t.equal(sent().length, 1, 'only the one of the other program')
  printer.startJob({ name: 'quick' })
  await eventually(() => session.state?.job.gcodeState === 'RUNNING' || session.state?.job.gcodeState === 'PREPARE')
  await tool('stop_print', { name, user_permission: true })
  await eventually(() => session.state?.job.gcodeState === 'FAILED')
  t.match(await print(), { status: 200 }, 'what became of that job was shown')
})
