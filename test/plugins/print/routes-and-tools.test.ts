import t, { type Test } from 'tap'
import { boot } from '../../helpers/boot-features.js'
import { eventually } from '../../helpers/eventually.js'
import { bootProjects } from '../projects/boot.js'

const ACTS = [['pause_printing', 'pause_print'], ['resume_printing', 'resume_print'], ['stop_printing', 'stop_print']] as const

t.test('without a job there is nothing to pause, resume, stop or skip', async t => {
  const { http, tool, printer, name } = await boot(t)
  const before = printer.requests.length
  for (const [path, tool_] of ACTS) {
    t.match(await http('POST', `/api/${path}`),
      { status: 409, body: { status: 'error', error: 'no_job', reason: `'${name}' has no job: it is IDLE` } }, path)
    const answer = await tool(tool_, { name, user_permission: true })
    t.equal(answer.text, `Error: '${name}' has no job: it is IDLE`)
  }
  t.equal((await http('POST', '/api/skip_objects', { objects: '1' })).status, 409)
  t.equal(printer.requests.length, before, 'nothing was sent')
})

t.test('a state that is not live is no reason not to stop', async t => {
  const { http, printer, kernel, name } = await boot(t)
  await http('PATCH', '/api/toggle_session')
  t.equal(kernel.printers.get(name)?.service, 'PAUSED')
  t.equal((await http('POST', '/api/stop_printing')).status, 200)
  t.match(printer.requests.at(-1)?.body, { command: 'stop' })
})

async function bootJob (t: Test, plate: number) {
  const booted = await bootProjects(t, { speed: 100 })
  const { http, kernel, name } = booted
  const job = { filename: '/desk-organiser.gcode.3mf', platenum: plate, use_ams: true, ams_mapping: [1, 0], accept_mismatch: true }
  t.equal((await http('POST', '/api/print_3mf', job)).status, 200)
  const session = kernel.printers.get(name)
  if (session === undefined) throw new Error('there is no session')
  await eventually(() => kernel.services.projects.ofJob(session).info?.plate_num === plate && session.state?.job.gcodeState === 'RUNNING')
  const boxes = kernel.services.projects.ofJob(session).info?.metadata.map.bbox_objects ?? []
  return { ...booted, http, name, printer: booted.printer, tool: booted.tool, boxes }
}

t.test('objects that the plate does not have are refused with those it has', async t => {
  const { http, tool, printer, name, boxes } = await bootJob(t, 2)
  const skips = () => printer.requests.filter(({ body }) => body.command === 'skip_objects')
  const tower = boxes.find(box => box.name === 'wipe_tower')
  const [cup, ...others] = boxes.filter(box => box !== tower)
  t.ok(tower && cup && others.length === 2)
  const unknown = await http('POST', '/api/skip_objects', { objects: `${cup?.id},7` })
  t.equal(unknown.status, 400)
  t.match(unknown.body, { error: 'bad_input', objects: [cup, ...others].map(box => ({ id: box?.id, name: box?.name })) })
  t.equal(unknown.body.reason, `The plate has no object 7; its objects: ${[cup, ...others].map(box => `${box?.id} (${box?.name})`).join(', ')}`)
  t.notMatch(unknown.text, /wipe_tower/)
  const refused = await http('POST', '/api/skip_objects', { objects: String(tower?.id) })
  t.match(refused, { status: 400, body: { reason: new RegExp(`^${tower?.id} is the wipe tower, which cannot be skipped; its objects: `) } })
  const answer = await tool('skip_objects', { name, object_list: [tower?.id], user_permission: true })
  t.match(answer.text, /^Error: \d+ is the wipe tower/)
  t.equal(skips().length, 0)
  t.equal((await http('POST', '/api/skip_objects', { objects: String(cup?.id) })).status, 200)
  t.match(skips()[0]?.body, { obj_list: [cup?.id] })
})

t.test('while the project of a job is not known its objects are taken as they are given', async t => {
  const { http, printer, kernel, name } = await boot(t, { models: [{ model: 'P1S', speed: 100 }] })
  printer.startJob({ name: 'from elsewhere', objects: [12, 13], minutes: 600 })
  await eventually(() => kernel.printers.get(name)?.state?.job.gcodeState === 'RUNNING')
  t.equal((await http('POST', '/api/skip_objects', { objects: '12' })).status, 200)
})
