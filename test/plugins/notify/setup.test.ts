import { randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import database from '../../../plugins/database/index.js'
import notify from '../../../plugins/notify/index.js'
import { createManualClock } from '../../../presets/testing/index.js'
import { boot, featuresWith, type Booted, type BootOptions } from '../../helpers/boot-features.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { startReceiver } from './receiver.js'

const SECRET = `planted-${randomBytes(8).toString('hex')}`
const RULE = { alerts: ['job_finished', 'job_failed'], printers: null, attach: 'none', nights: 'severe' }

const start = (t: Test, dataDir = testFolder(t), options: object = {}, more: BootOptions = {}): Promise<Booted> =>
  boot(t, {
    preset: featuresWith(database, notify), models: [], ...more, config: { dataDir, plugins: { notify: options } }
  })
const alert = ({ kernel }: Booted, type: string, severity = 'high', printer = 'x1c') => kernel.events.emit('alert', {
  type, printer, timestamp: '2026-01-02T03:04:05+00:00', severity, payload: {}
} as never)
const setup = async ({ http }: Booted) => (await http('GET', '/api/messages/setup')).body

t.test('a target is added, gets messages at once and after a restart, is changed and removed', async t => {
  const { url, received, json } = await startReceiver(t)
  const dataDir = testFolder(t)
  let booted = await start(t, dataDir)
  const { kinds, usual, targets } = await setup(booted)
  t.same(targets, [])
  t.match(kinds.find(({ type }: { type: string }) => type === 'email').fields, [
    { name: 'host', control: 'text', required: true }, { name: 'port', control: 'number', required: false },
    { name: 'tls', control: 'choice', choices: ['starttls', 'implicit', 'none'], initial: 'starttls' },
    { name: 'user' }, { name: 'password', control: 'secret', secret: true }, { name: 'from' }, { name: 'to', control: 'list' }
  ], 'no file of the host can be named')
  t.ok(usual.includes('job_finished'))

  const options = { url: `${url}/${SECRET}`, headers: { 'x-key': SECRET } }
  t.match(await booted.http('POST', '/api/messages/targets', { name: 'Büro', type: 'webhook', options, rule: RULE }),
    { status: 200, body: { name: 'Büro' } })
  alert(booted, 'job_finished')
  alert(booted, 'job_paused')
  await eventually(() => received.length === 1)
  t.match(received[0], { headers: { 'x-key': SECRET }, path: `/${SECRET}` })
  t.match(json(0), { alert: 'job_finished' })
  await booted.kernel.close()

  booted = await start(t, dataDir)
  alert(booted, 'job_failed')
  await eventually(() => received.length >= 2)
  await eventually(async () => (await setup(booted)).targets[0]?.accepted_at > 0)
  const all = await booted.http('GET', '/api/messages/setup')
  t.match(all.body.targets, [{
    name: 'Büro', type: 'webhook', origin: 'stored', address: url, options: {}, secrets: ['url', 'headers'], rule: RULE, problem: null
  }])
  t.notMatch(JSON.stringify(all), SECRET, 'secrets are not returned')
  t.notMatch(await readFile(join(dataDir, 'plugins/notify/targets.json'), 'utf8'), SECRET)
  t.equal((await stat(join(dataDir, 'secrets/messages.json'))).mode & 0o077, 0)

  t.match(await booted.http('PATCH', '/api/messages/targets', { name: 'Büro', options: { headers: null } }), { status: 200 })
  t.match(await booted.http('POST', '/api/messages/test', { target: 'Büro' }), { status: 200 })
  t.match(received.at(-1), { path: `/${SECRET}`, headers: { 'x-key': undefined } }, 'null removes a secret, the others stay')

  t.match(await booted.http('DELETE', '/api/messages/targets', { name: 'Büro' }), { status: 200 })
  t.same((await setup(booted)).targets, [])
  t.notMatch(await readFile(join(dataDir, 'secrets/messages.json'), 'utf8'), SECRET)
  t.same(booted.kernel.connections.list().filter(({ name }) => name.startsWith('notify.')), [])
})

t.test('secrets are not sent to another address than the one they were stored for', async t => {
  const [first, other] = [await startReceiver(t), await startReceiver(t)]
  const booted = await start(t)
  const given = (url: string) => ({ name: 'a', type: 'webhook', options: { url } })
  await booted.http('POST', '/api/messages/targets', { ...given(first.url), options: { url: first.url, secret: SECRET }, rule: RULE })
  t.match(await booted.http('POST', '/api/messages/targets/test', given(other.url)),
    { status: 400, body: { reason: /secret must be given again, because the address has changed/ } })
  t.match(await booted.http('PATCH', '/api/messages/targets', { name: 'a', options: { url: other.url } }), { status: 400 })
  t.equal(other.received.length, 0)
  t.match(await booted.http('POST', '/api/messages/targets/test', { ...given(first.url), options: {} }), { status: 200 })
  t.match(first.received[0]?.headers['webhook-signature'], /^v1,/)
  t.match(await booted.http('POST', '/api/messages/targets/test', given(`${first.url}1`)), { status: 400 })
})

t.test('what is wrong is refused and stores nothing', async t => {
  const booted = await start(t, undefined, { targets: { file: { type: 'ntfy', topic: 'a-topic' } }, rules: [{ to: ['file'] }], quiet: '22:00-07:00' })
  const add = (change: object) => booted.http('POST', '/api/messages/targets', {
    name: 'a', type: 'ntfy', options: { topic: 'b-topic' }, rule: RULE, ...change
  })
  for (const [change, status, reason] of [
    [{ type: 'pigeon' }, 400, /there is no kind of target 'pigeon'/],
    [{ name: 'File' }, 409, /There is a target 'File'/],
    [{ name: '../a' }, 400, /name/],
    [{ options: {} }, 400, /topic/],
    [{ options: { topic: { file: '/etc/passwd' } } }, 400, /topic must be string/],
    [{ options: { topic: { env: 'HOME' } } }, 400, /topic must be string/],
    [{ options: { topic: 'x', server: 'http://me:hunter2@host' } }, 400, /server must be an address without a login/],
    [{ type: 'mqtt', options: { broker: 'mqtt://localhost', ca: '/etc/passwd' } }, 400, /ca/],
    [{ type: 'slack', options: { url: 'file:///etc/passwd' } }, 400, /url must be an address that begins with http/],
    [{ options: { topic: 'x'.repeat(5_000) } }, 400, /topic/],
    [{ rule: { ...RULE, nights: 'always' } }, 400, /nights/]
  ] as const) t.match(await add(change), { status, body: { reason } }, JSON.stringify(change).slice(0, 80))
  const fixed = await booted.http('DELETE', '/api/messages/targets', { name: 'file' })
  t.match(fixed, { status: 409, body: { error: 'target_fixed', reason: /is in the configuration file/ } })
  t.match(await booted.http('PATCH', '/api/messages/quiet', { hours: null }), { status: 409 })
  t.match(await setup(booted), {
    targets: [{ name: 'file', origin: 'file', address: 'ntfy', rule: null, secrets: [], alerts: ['job_finished'] }],
    quiet: { hours: '22:00-07:00', origin: 'file' }
  })
  t.equal((await setup(booted)).targets.length, 1)
})

t.test('the network reads, adds, changes, tests and removes nothing', async t => {
  const { kernel } = await start(t)
  const change = { name: 'a', type: 'ntfy', options: { topic: 'a-topic' }, rule: RULE }
  for (const name of ['readSetup', 'addTarget', 'changeTarget', 'removeTarget', 'tryTarget', 'setQuietHours']) {
    const operation = kernel.operations.get(`notify.${name}`)
    await t.rejects(kernel.call(operation as never, change as never, { caller: 'network' }), { code: 'PRN_ERR_TRUSTED_ONLY' }, name)
  }
})

t.test('quiet hours that were set in the browser hold back all but severe messages', async t => {
  const { url, received, json } = await startReceiver(t)
  const clock = createManualClock(Date.UTC(2026, 0, 1, 23))
  const booted = await start(t, undefined, {}, { clock })
  t.match(await booted.http('PATCH', '/api/messages/quiet', { hours: '22:00-07:00', timeZone: 'Mars' }), { status: 400 })
  t.match(await booted.http('PATCH', '/api/messages/quiet', { hours: '22:00-07:00', timeZone: 'UTC' }), { status: 200 })
  const rule = { ...RULE, printers: ['x1c'] }
  await booted.http('POST', '/api/messages/targets', { name: 'a', type: 'webhook', options: { url }, rule })
  alert(booted, 'job_finished', 'low')
  alert(booted, 'job_failed', 'high', 'p1s')
  alert(booted, 'job_failed')
  await eventually(() => received.length === 1)
  t.match(json(0), { alert: 'job_failed', printer: 'x1c' })
  const waiting = async () => (await booted.http('GET', '/api/messages', { status: 'waiting' })).body.messages
  await eventually(async () => (await waiting()).length === 1) // the other one is written down after its answer
  t.match(await waiting(), [{ alert: 'job_finished', due_at: Date.UTC(2026, 0, 2, 7) }])
})
