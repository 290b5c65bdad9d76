import { readFile } from 'node:fs/promises'
import t, { type Test } from 'tap'
import { definePreset, type Kernel } from '../../../core/index.js'
import audit from '../../../plugins/audit/index.js'
import database from '../../../plugins/database/index.js'
import http from '../../../plugins/http/index.js'
import management from '../../../plugins/management/index.js'
import setup from '../../../plugins/setup/index.js'
import system from '../../../plugins/system/index.js'
import { boot } from '../../helpers/boot-features.js'
import { eventually } from '../../helpers/eventually.js'
import { stranger } from '../management/preset.js'
import { ask, ELSEWHERE } from '../people/people.js'

const preset = definePreset({ name: 'setup', plugins: [http, system, database, audit, management, setup] })
const CODE = '87654321'
const PATH = '/api/setup/printers'

const start = (t: Test) => boot(t, { models: [], preset })

/** A printer that no service knows, as the page sends it. */
async function candidate (t: Test) {
  const { args: { ip: host, user_permission: _permission, ...others } } = await stranger(t)
  return { ...others, host }
}

const stored = async ({ configFile }: Kernel) =>
  JSON.parse(await readFile(configFile, 'utf8').catch(() => '{"printers":[]}')).printers

t.test('a printer is tried, added, renamed and removed; its code is in no answer', async t => {
  const { kernel } = await start(t)
  const data = await candidate(t)
  const answers: string[] = []
  const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) => {
    const said = await ask(kernel, method, url, payload)
    answers.push(said.text)
    return said
  }
  t.match((await call('POST', `${PATH}/try`, data)).body, { model: 'P1S' })
  t.same(kernel.printers.names, [], 'trying stores nothing')
  t.same((await call('POST', PATH, data)).body, { name: 'new' })
  await eventually(async () => (await call('GET', PATH)).body.printers[0].state === 'connected')
  t.match((await call('GET', PATH)).body.printers, [
    { name: 'new', host: data.host, serial: data.serial, model: 'P1S', problem: null, virtual: false, held_by: null }
  ])
  t.same((await call('POST', `${PATH}/rename`, { name: 'new', new_name: 'bench' })).body, { name: 'bench' })
  t.match(await stored(kernel), [{ name: 'bench', serial: data.serial }])
  await eventually(() => kernel.printers.get('bench')?.live)
  t.same(kernel.printers.names, ['bench'])
  t.same((await call('PATCH', PATH, { name: 'bench', access_code: CODE })).body, { name: 'bench' })
  t.same((await call('DELETE', `${PATH}?name=bench`)).body, { name: 'bench' })
  t.same(await stored(kernel), [])
  t.notMatch(answers.join('\n'), CODE)
  const recorded = async () => (await call('GET', '/api/audit')).body.entries as { act: string, detail: string }[]
  await eventually(async () => (await recorded()).length >= 5)
  t.match((await recorded()).reverse(), [
    { act: 'management.tryPrinter', detail: '127.0.0.1' },
    { act: 'management.addPrinter', detail: 'new' },
    { act: 'management.renameConfigured', detail: 'new is now bench' },
    { act: 'management.updateCredentials', detail: 'bench' },
    { act: 'management.removePrinter', detail: 'bench' }
  ])
})

t.test('an address is asked which printer is there, and nothing is stored', async t => {
  const { printer } = await stranger(t)
  const { detect: detectPort, detectTls: detectTlsPort } = printer.detectPorts
  const config = { plugins: { management: { detectPort, detectTlsPort } } }
  const { kernel } = await boot(t, { models: [], preset, config })
  const at = (host: string) => ask(kernel, 'POST', `${PATH}/detect`, { host })
  t.match((await at(' 127.0.0.1 ')).body,
    { printer: { serial: printer.serial, name: 'stranger', model_decoded: 'P1S', ip: '127.0.0.1' } })
  t.same((await at('127.0.0.9')).body, { printer: null })
  t.match(await at('no host'), { status: 400, body: { field: 'host', problem: 'malformed' } })
  t.same(kernel.printers.names, [])
})

t.test('each failure names the field that it is about, and nothing is stored', async t => {
  const { kernel } = await start(t)
  const data = await candidate(t)
  for (const [more, field, problem] of [
    [{ access_code: '11111111' }, 'access_code', 'access_code_rejected'],
    [{ access_code: '' }, 'access_code', 'missing'],
    [{ access_code: 'a b' }, 'access_code', 'malformed'],
    [{ serial: '01P00A999999999' }, 'serial', 'wrong_serial'],
    [{ serial: '-' }, 'serial', 'malformed'],
    [{ mqtt_port: 1 }, 'host', 'unreachable'],
    [{ host: 'http://x/' }, 'host', 'malformed'],
    [{ name: 'a/b' }, 'name', 'malformed']
  ] as const) {
    for (const path of [`${PATH}/try`, PATH]) {
      const { status, body, text } = await ask(kernel, 'POST', path, { ...data, ...more })
      t.match(body, { status: 'error', field, problem }, `${path} ${problem}`)
      t.ok(status === 400 || status === 409)
      t.notMatch(text, CODE)
    }
  }
  t.same(await stored(kernel), [])
  t.same(kernel.printers.names, [])
})

t.test('adding replaces nothing, and stores an unreachable printer only when asked to', async t => {
  const { kernel } = await start(t)
  const data = await candidate(t)
  await ask(kernel, 'POST', PATH, data)
  t.match((await ask(kernel, 'POST', PATH, data)).body, { field: 'name', problem: 'name_taken' })
  t.match((await ask(kernel, 'POST', PATH, { ...data, name: 'NEW' })).body, { field: 'name', problem: 'name_taken' })
  t.match((await ask(kernel, 'POST', PATH, { ...data, name: 'other' })).body, { field: 'serial', problem: 'serial_taken' })
  const off = { ...data, name: 'off', serial: '01P00A000000001', mqtt_port: 1 }
  t.match((await ask(kernel, 'POST', PATH, { ...off, offline: true })).body, { error: 'saved_offline', problem: 'unreachable' })
  t.same(kernel.printers.names, ['new', 'off'])
  t.match((await ask(kernel, 'PATCH', PATH, { name: 'off', host: '127.0.0.2' })).body, { field: 'access_code', problem: 'code_needed' })
  t.match((await ask(kernel, 'PATCH', PATH, { name: 'new', access_code: '11111111' })).body,
    { field: 'access_code', problem: 'access_code_rejected' })
  t.match((await ask(kernel, 'POST', `${PATH}/rename`, { name: 'off', new_name: 'New' })).body, { field: 'name', problem: 'name_taken' })
  t.match((await ask(kernel, 'POST', `${PATH}/rename`, { name: 'off', new_name: 'OFF' })).body, { name: 'OFF' })
  t.match((await ask(kernel, 'POST', `${PATH}/rename`, { name: 'none', new_name: 'x' })).body, { error: 'not_configured' })
})

t.test('a list is imported, printer by printer, and configured ones stay as they are', async t => {
  const { kernel } = await start(t)
  const { name, host, serial, mqtt_port: mqtt } = await candidate(t)
  const entry = { name, host, serial, accessCode: CODE, ports: { mqtt }, tls: { mode: 'pin' } }
  const off = { ...entry, name: 'off', serial: '01P00A000000001', ports: { mqtt: 1 } }
  const wrong = { ...entry, name: 'wrong', serial: '01P00A000000002' }
  const send = (text: string) => ask(kernel, 'POST', `${PATH}/import`, { text })
  const { body, text } = await send(JSON.stringify({ printers: [entry, off, wrong] }))
  t.match(body.printers, [
    { name: 'new', outcome: 'added', problem: null },
    { name: 'off', outcome: 'added_offline', problem: 'unreachable' },
    { name: 'wrong', outcome: 'refused', problem: 'wrong_serial' }
  ])
  t.notMatch(text, CODE)
  t.match((await send(JSON.stringify([{ name: 'x', host, serial, access_code: '1' }]))).body.printers,
    [{ name: 'x', outcome: 'configured_already' }])
  const bad = await send(`name,host,serial\nx,1.2.3.4,${CODE}\n`)
  t.match(bad.body, { error: 'bad_input', reason: /access_code is missing/ })
  t.notMatch(bad.text, CODE)
})

const WRITES = [
  ['POST', PATH], ['PATCH', PATH], ['DELETE', `${PATH}?name=x`], ['POST', `${PATH}/try`], ['POST', `${PATH}/test`],
  ['POST', `${PATH}/rename`], ['POST', `${PATH}/import`], ['POST', `${PATH}/detect`], ['PATCH', '/api/setup/access']
] as const

t.test('neighbours and other web pages reach none of it', async t => {
  const { kernel } = await start(t)
  for (const [method, url] of [...WRITES, ['GET', PATH], ['GET', '/api/setup/access']] as const) {
    const { status, body } = await ask(kernel, method, url, method === 'GET' ? undefined : {}, { from: ELSEWHERE })
    t.match({ status, error: body.error }, { status: 403, error: 'trusted_only' }, `${method} ${url} from elsewhere`)
  }
  const hostile = [
    { origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }, { host: 'evil.example', origin: 'http://evil.example' }
  ]
  for (const headers of hostile) {
    for (const [method, url] of [...WRITES, ['POST', `${PATH}/discover`]] as const) {
      t.equal((await ask(kernel, method, url, {}, { headers })).status, 403, `${method} ${url} ${JSON.stringify(headers)}`)
    }
  }
  t.equal((await ask(kernel, 'GET', PATH, undefined, { headers: { origin: 'https://evil.example' } })).status, 403)
})

t.test('who reaches the service is stored for its next start', async t => {
  const { kernel } = await start(t)
  const read = async () => (await ask(kernel, 'GET', '/api/setup/access')).body
  const file = async () => JSON.parse(await readFile(kernel.configFile, 'utf8'))
  t.match(await read(), { reach: 'network', reach_after_restart: 'network', needs_login: false, has_token: false })
  await ask(kernel, 'PATCH', '/api/setup/access', { reach: 'machine' })
  t.match(await file(), { api: { host: '127.0.0.1' } })
  t.match(await read(), { reach: 'network', reach_after_restart: 'machine' })
  await ask(kernel, 'PATCH', '/api/setup/access', { reach: 'network' })
  t.same((await file()).api, {})
  t.equal((await ask(kernel, 'PATCH', '/api/setup/access', { reach: 'x' })).status, 400)
})
