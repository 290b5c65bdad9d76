import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { bootProjects } from './boot.js'

const PRINT = { filename: '/desk-organiser.gcode.3mf', platenum: 2, use_ams: false, accept_mismatch: true }
const SIGNATURE = { result: 'failed', reason: 'mqtt message verify failed', err_code: 84033543 }
const REFUSED = { status: 409, body: { error: 'signature_required', reason: /Switch on LAN-only mode and Developer mode on the printer's screen, then try again/ } }

t.test('after a refusal for want of a signature the next try is sent', async t => {
  const { http, printer, kernel, name } = await bootProjects(t, { model: 'P1S' })
  const sent = () => printer.requests.filter(({ command }) => command === 'project_file').length
  const session = kernel.printers.resolve(name)
  const lift = printer.faults.refuse('project_file', SIGNATURE)
  t.match(await http('POST', '/api/print_3mf', PRINT), REFUSED)
  t.equal(session.state?.device.developerMode, 'off', 'the status says why')
  t.match(await http('POST', '/api/print_3mf', PRINT), REFUSED)
  t.equal(sent(), 2, 'each try asks the printer')
  lift()
  t.match(await http('POST', '/api/print_3mf', PRINT), { status: 200 })
  t.equal(session.state?.device.developerMode, 'unknown')
})

t.test('a new connection knows nothing of the refusals of the one before', async t => {
  const { http, printer, kernel, name } = await bootProjects(t, { model: 'P1S' })
  const session = kernel.printers.resolve(name)
  printer.faults.refuse('project_file', { ...SIGNATURE, times: 1 })
  t.match(await http('POST', '/api/print_3mf', PRINT), REFUSED)
  printer.faults.drop()
  await eventually(() => !session.live)
  await eventually(() => session.live)
  t.equal(session.state?.device.developerMode, 'unknown')
})

t.test('what the printer itself reports is believed beforehand', async t => {
  const { http, printer, kernel, name } = await bootProjects(t, { model: 'P1S' })
  const session = kernel.printers.resolve(name)
  printer.patch({ hms: [{ attr: 0x05000500, code: 0x00010007 }] })
  await eventually(() => session.state?.device.signedOnly === true)
  t.match(await http('POST', '/api/print_3mf', PRINT), REFUSED)
  t.equal(printer.requests.filter(({ command }) => command === 'project_file').length, 0)
})
