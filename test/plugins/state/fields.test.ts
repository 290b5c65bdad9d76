import t from 'tap'
import { checkHealth, readDocument } from '../../../plugins/state/operations.js'
import { boot } from '../../helpers/boot-features.js'

t.test('parts of the state', async t => {
  const { http, name } = await boot(t)
  const ask = (fields: string) => http('GET', '/api/printer', { printer: name, fields })
  const whole = (await http('GET', '/api/printer', { printer: name })).body

  t.same(Object.keys((await ask('_service_state')).body), ['_service_state'])
  const some = (await ask(' _printer_state.gcode_state ,_printer_state.climate.bed_temp, _active_job_info')).body
  t.same(Object.keys(some).sort(), ['_active_job_info', '_printer_state'])
  t.same(Object.keys(some._printer_state).sort(), ['climate', 'gcode_state'])
  t.same(Object.keys(some._printer_state.climate), ['bed_temp'])
  t.same(some._active_job_info, whole._active_job_info)
  const both = (await ask('_config.capabilities.has_ams,_config.capabilities,_config.serial_number')).body
  t.same(both, { _config: { capabilities: whole._config.capabilities, serial_number: whole._config.serial_number } },
    'the whole of a part and a part of it')
  t.same(Object.keys((await ask('')).body), Object.keys(whole), 'nothing named: everything')
  t.same((await ask('_config')).body._config.access_code, '********')
})

t.test('what the state does not have is refused, with what was probably meant', async t => {
  const { http, name } = await boot(t)
  for (const [fields, reason] of [
    ['_printer_stat', /did you mean '_printer_state'\?/],
    ['_printer_state.climate.bed_tmp', /did you mean 'bed_temp'\?/],
    ['xyz', /no 'xyz'; it has _config, /],
    ['__proto__', /no '__proto__'/],
    ['_config,constructor', /no 'constructor'/]
  ] as const) {
    const { status, body } = await http('GET', '/api/printer', { printer: name, fields })
    t.equal(status, 400, fields)
    t.match(body, { error: 'bad_input', reason }, fields)
  }
  const { body } = await http('GET', '/api/printer', { printer: name, fields: '_active_job_info.project_info.metadata' })
  t.same(body, { _active_job_info: { project_info: null } }, 'inside of what is not known yet')
})

t.test('a printer without live data: 304, whatever is asked for', async t => {
  const { http, kernel, printer, name } = await boot(t)
  printer.faults.rejectAccessCode()
  await kernel.printers.connect(name)
  t.equal((await http('GET', '/api/printer', { printer: name, fields: '_service_state' })).status, 304)
})

t.test('a paused session goes on answering with what it has, however old', async t => {
  const document = { _recent_update: false }
  const answers = async (session: object) => {
    const context = { session: { live: false, ...session }, services: { state: { document: () => document } } } as never
    const health = async () => await checkHealth.run(context, {})
    return [await readDocument.run(context, {}), await health().catch(({ code }) => code)]
  }
  t.same(await answers({ service: 'PAUSED', state: {} }), [document, { status: 'success', printer: document }])
  for (const session of [{ service: 'PAUSED', state: undefined }, { service: 'CONNECTED', state: {} }, { service: 'DISCONNECTED', state: {} }]) {
    t.same(await answers(session), [undefined, 'PRN_ERR_NO_DATA'], JSON.stringify(session))
  }
})
