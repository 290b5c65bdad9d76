import type { Test } from 'tap'
import t from 'tap'
import type { ResultLine } from '../../../plugins/management/index.js'
import { boot, type Booted } from '../../helpers/boot-features.js'
import { empty, preset, stranger } from './preset.js'

const act = async ({ kernel }: Pick<Booted, 'kernel'>, name: string, payload: object, more: object = {}) =>
  await kernel.app.inject({ method: 'POST', url: `/plugins/management/${name}`, payload, ...more })
const linesOf = (body: string) => body.trim().split('\n').map(line => JSON.parse(line) as ResultLine)

async function candidateFor (t: Test) {
  const { printer, args: { name, ip: host, serial, access_code: accessCode, mqtt_port: mqttPort } } = await stranger(t)
  return { printer, candidate: { name, host, serial, accessCode, mqttPort } }
}

t.test('the command line finds out which configuration a service has', async t => {
  const { kernel, http } = await empty(t)
  t.same((await http('GET', '/plugins/management')).body, { configFile: kernel.configFile })
})

t.test('an act tells its steps and its outcome, a line each', async t => {
  const booted = await empty(t)
  const { candidate } = await candidateFor(t)
  const { statusCode, headers, body } = await act(booted, 'add', candidate)
  t.equal(statusCode, 200)
  t.equal(headers['content-type'], 'application/x-ndjson')
  t.same(linesOf(body), [
    { step: `Connecting to 127.0.0.1:${candidate.mqttPort}` },
    { step: 'Signed in; waiting for the first report' },
    { step: 'Stored' },
    { output: { name: 'new' } }
  ])
  t.same(linesOf((await act(booted, 'remove', { name: 'new' })).body), [{ output: { name: 'new' } }])
  t.same(booted.kernel.printers.names, [])
})

t.test('what goes wrong is the last line, with its code', async t => {
  const booted = await empty(t)
  const { candidate } = await candidateFor(t)
  const { body } = await act(booted, 'add', { ...candidate, accessCode: '11111111' })
  t.match(linesOf(body).at(-1), { error: { code: 'PRN_ERR_NOT_ADMITTED', message: /^Nothing was saved for 'new'/ } })
  t.match(linesOf((await act(booted, 'remove', { name: 'x' })).body),
    [{ error: { code: 'PRN_ERR_NOT_CONFIGURED', message: "Printer 'x' is not configured." } }])
  t.match(linesOf((await act(booted, 'remove', {})).body), [{ error: { code: 'PRN_ERR_BAD_INPUT', message: "'name' is required" } }])
  t.equal((await act(booted, 'constructor', {})).statusCode, 404)
})

t.test('only programs of this machine may act, and no web page', async t => {
  const booted = await empty(t)
  const far = { remoteAddress: '192.168.1.50' }
  t.equal((await act(booted, 'remove', { name: 'x' }, far)).statusCode, 403)
  t.equal((await booted.kernel.app.inject({ url: '/plugins/management', ...far })).statusCode, 403)
  for (const remoteAddress of ['127.0.0.2', '::1', '::ffff:127.0.0.1']) {
    t.equal((await act(booted, 'remove', { name: 'x' }, { remoteAddress })).statusCode, 200, remoteAddress)
  }
  t.equal((await act(booted, 'remove', { name: 'x' }, { headers: { origin: 'https://evil.example' } })).statusCode, 403)
})

t.test('with a token set, acts need it', async t => {
  const booted = await empty(t, { config: { api: { token: 'a long secret' } } })
  t.equal((await act(booted, 'remove', { name: 'x' })).statusCode, 401)
  const headers = { authorization: 'Bearer a long secret' }
  t.equal((await act(booted, 'remove', { name: 'x' }, { headers })).statusCode, 200)
})

t.test('a printer is tested over the session that it has', async t => {
  const booted = await boot(t, { models: ['X1C'], preset })
  const { kernel, name, printer } = booted
  const session = kernel.printers.get(name)
  const test = async (accept = false) => linesOf((await act(booted, 'test', { name, accept })).body)
  t.match(await test(), [{ output: { good: true, lines: [/^x1c: connected, X1C, firmware \d/] } }])
  t.equal(kernel.printers.get(name), session, 'it is not begun anew')
  printer.faults.rejectAccessCode()
  await new Promise<void>(resolve => { session?.events.on('problem', problem => problem?.code === 'access_code_rejected' && resolve()) })
  t.match(await test(), [{ output: { good: false, lines: [/^x1c: .*access code/] } }])
  t.match(await test(true), [{ output: { good: false } }])
})

t.test('the access code is in no answer', async t => {
  const booted = await empty(t)
  const { candidate } = await candidateFor(t)
  const { body } = await act(booted, 'add', { ...candidate, host: '127.0.0.1', mqttPort: 1, name: 'name-with-87654321' })
  t.notMatch(body, '87654321')
  t.match(linesOf(body).at(-1), { error: { message: /name-with-\*{8}/ } })
})
