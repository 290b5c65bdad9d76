import t from 'tap'
import { boot } from '../../helpers/boot-features.js'

t.test('a write with a parameter that does not exist does nothing and names what was meant', async t => {
  const { http, printer, name } = await boot(t)
  const before = printer.requests.length
  for (const [method, path, reason] of [
    ['PATCH', `/api/set_bed_target_temp?printer=${name}&temp=60&extruderr=1`, /^unknown parameter 'extruderr'/],
    ['POST', `/api/print_3mf?printer=${name}&filename=/a.3mf&use_ams=false&plate_num=2`,
      /^unknown parameter 'plate_num'; did you mean 'platenum'\?$/],
    ['PATCH', `/api/set_bed_target_temp?pritner=${name}&temp=60`, /^unknown parameter 'pritner'; did you mean 'printer'\?$/],
    ['DELETE', `/api/alerts?printer=${name}&all=true`, /^unknown parameter 'all'; known parameters: printer$/]
  ] as const) {
    const { status, body } = await http(method, path)
    t.equal(status, 400, path)
    t.match(body, { status: 'error', error: 'bad_input', reason })
  }
  t.equal((await http('PATCH', '/api/set_bed_target_temp', { printer: name, temp: 60, temps: 70 })).status, 400, 'in a body')
  t.equal(printer.requests.length, before, 'nothing was sent')
})

t.test('a parameter may stand in query or body, and caches may be got past', async t => {
  const { http, name } = await boot(t)
  for (const path of [`/api/set_bed_target_temp?printer=${name}`, `/api/set_bed_target_temp?_=17&printer=${name}`]) {
    t.match(await http('PATCH', path, { temp: 60 }), { status: 200, body: { status: 'success' } })
  }
  t.equal((await http('DELETE', `/api/truncate_log?printer=${name}`)).status, 200, 'the printer is always taken')
  const factor = { printer: name, tray_id: 0, k_value: 0.02 }
  t.equal((await http('POST', '/api/set_spool_k_factor', factor)).status, 200, 'what does nothing takes everything')
})

t.test('a write for a printer without a name is no write for the default printer', async t => {
  const { http, printer } = await boot(t)
  const before = printer.requests.length
  for (const path of ['/api/set_bed_target_temp?printer=&temp=60', '/api/set_bed_target_temp?printer=%20&temp=60']) {
    const { status, body } = await http('PATCH', path)
    t.equal(status, 400)
    t.match(body, { reason: 'printer must name a printer; leave it out for the default printer' })
  }
  t.equal((await http('PATCH', '/api/set_bed_target_temp', { printer: '', temp: 60 })).status, 400, 'in JSON too')
  t.equal((await http('DELETE', '/api/alerts?printer=')).status, 400)
  t.equal(printer.requests.length, before)
  t.equal((await http('PATCH', '/api/set_bed_target_temp?temp=60')).status, 200, 'left out it is the default one')
})

t.test('reads take whatever they are given', async t => {
  const { http, name } = await boot(t)
  for (const path of [`/api/printer?printer=${name}&_=17`, '/api/printers?cb=17&x=', '/api/printer?printer=',
    `/api/alerts?printer=${name}&t=17`]) t.equal((await http('GET', path)).status, 200, path)
})

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

t.test('parameters nested beyond measure are refused, not failed on', async t => {
  const { http, kernel, name } = await boot(t)
  const deep = nested(50_000)
  for (const [path, method, parameter] of [['/api/set_bed_target_temp', 'PATCH', 'temp'],
    ['/api/set_bpm_verbose', 'POST', 'verbose'], ['/api/send_ams_control_command', 'POST', 'resume_print'],
    ['/api/user_prefs', 'POST', 'value'], ['/api/skip_objects', 'POST', 'objects']] as const) {
    const { statusCode, body } = await kernel.app.inject({
      method, url: path, headers: { 'content-type': 'application/json' }, payload: `{"printer":"${name}","cmd":"resume","key":"k","${parameter}":${deep}}`
    })
    t.equal(statusCode, 400, `${path}: ${body.slice(0, 200)}`)
    t.match(JSON.parse(body), { reason: 'The body is nested more than 64 levels deep' })
  }
  const inText = { printer: name, command_json: `{"print":{"command":"x","a":${nested(20_000)}}}` }
  t.match(await http('POST', '/api/send_mqtt_command', inText),
    { status: 400, body: { reason: 'invalid JSON: nested more than 64 levels deep' } })
  const mapping = { printer: name, filename: '/a.3mf', use_ams: true, ams_mapping: nested(5_000) }
  t.match(await http('POST', '/api/print_3mf', mapping), { status: 400, body: { reason: /not a list or an object$/ } })
})

t.test('what may be left out takes null, and a switch with a default any text', async t => {
  const { http, name } = await boot(t)
  const resume = { printer: name, cmd: 'resume', resume_print: null }
  t.equal((await http('POST', '/api/send_ams_control_command', resume)).status, 200)
  for (const raw of ['1', '', 'odd']) {
    t.equal((await http('GET', `/api/monitoring_history?printer=${name}&raw=${raw}`)).status, 200, `raw=${raw}`)
  }
  t.equal((await http('PATCH', '/api/set_bed_target_temp', { printer: name, temp: '60' })).status, 200, 'a number as text')
})
