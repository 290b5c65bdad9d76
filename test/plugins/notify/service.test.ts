import { randomBytes } from 'node:crypto'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { Type } from 'typebox'
import { definePlugin } from '../../../core/index.js'
import database from '../../../plugins/database/index.js'
import notify, { defineMessageTarget, type Message } from '../../../plugins/notify/index.js'
import recording, { type Recording } from '../../../plugins/recording/index.js'
import { createManualClock } from '../../../presets/testing/index.js'
import { boot, featuresWith, type Booted, type BootOptions } from '../../helpers/boot-features.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { BROKEN, OK, startReceiver } from './receiver.js'

const preset = featuresWith(database, recording, notify)
const SECRET = `planted-${randomBytes(8).toString('hex')}`
const RULES = [{ to: ['hook'], alerts: ['job_started', 'job_finished', 'job_failed'] }]

const configOf = (url: string, more: object = {}) =>
  ({ notify: { targets: { hook: { type: 'webhook', url, headers: { 'x-key': SECRET } } }, rules: RULES, ...more } })

const bootWith = (t: Test, url: string, notify: object = {}, options: BootOptions = {}): Promise<Booted> => boot(t, {
  preset,
  models: [{ model: 'P1S', reportEveryMs: 100 }],
  ...options,
  config: { dataDir: testFolder(t), ...options.config, plugins: configOf(url, notify) }
})

const alert = ({ kernel }: Booted, type = 'job_finished', payload = {}, printer = 'p1s') => kernel.events.emit('alert', {
  type, printer, timestamp: '2026-01-02T03:04:05+00:00', severity: 'high', payload
})

const messages = async ({ http }: Booted, params = {}) => (await http('GET', '/api/messages', params)).body

t.test('a print that ends is told, once, with what is said of it', async t => {
  const { url, received, json } = await startReceiver(t)
  const booted = await bootWith(t, url)
  booted.printer.patch({ gcode_state: 'RUNNING', subtask_name: 'cube' })
  await eventually(() => received.length >= 1, 20_000)
  booted.printer.patch({ gcode_state: 'FINISH' })
  // A busy receiver may get a message again whose answer was lost.
  await eventually(() => json(-1)?.alert === 'job_finished', 20_000)
  t.match(json(-1), { alert: 'job_finished', printer: 'p1s', title: 'p1s: Print finished', text: /^cube/ })
  await eventually(async () => {
    const { targets: [hook], messages: delivered } = await messages(booted, { status: 'delivered' })
    return delivered.length === 2 && hook?.waiting === 0
  })
  t.match(await messages(booted, { limit: 1 }), {
    targets: [{ name: 'hook', type: 'webhook', problem: null }],
    messages: [{ title: 'p1s: Print finished', status: 'delivered', attempts: 1, attachment: 'none' }],
    cursor: /^\d+\./
  })
  const { cursor } = await messages(booted, { limit: 1 })
  t.match(await messages(booted, { limit: 1, cursor }), { messages: [{ title: 'p1s: Print started' }], cursor: null })
  t.equal((await booted.http('GET', '/api/messages', { cursor: 'x' })).status, 400)
})

t.test('without a target nothing happens, and the routes say so', async t => {
  const booted = await boot(t, { preset, models: [] })
  t.same(await messages(booted), { targets: [], messages: [], cursor: null })
  t.match(await booted.http('POST', '/api/messages/test', { target: 'x' }), { status: 404, body: { error: 'no_such_target' } })
})

t.test('a target that is away for an hour gets the message when it is back', async t => {
  const { url, received, answer } = await startReceiver(t, BROKEN)
  const clock = createManualClock(Date.UTC(2026, 0, 1))
  const booted = await bootWith(t, url, {}, { models: [], clock })
  alert(booted)
  await eventually(() => received.length === 1)
  await eventually(async () => (await messages(booted)).messages[0]?.problem === 'it answered 500')
  t.match(await messages(booted), { targets: [{ waiting: 1, problem: 'it answered 500' }], messages: [{ status: 'waiting', attempts: 1 }] })
  answer(OK)
  clock.advance(3_600_000)
  await eventually(async () => (await messages(booted)).messages[0]?.status === 'delivered')
  t.equal(received.length, 2)
  t.equal(received[0]?.headers['webhook-id'], received[1]?.headers['webhook-id'])
})

t.test('quiet hours hold a message until they end', async t => {
  const { url, received } = await startReceiver(t)
  const clock = createManualClock(Date.UTC(2026, 0, 1, 23))
  const booted = await bootWith(t, url, { quiet: '22:00-07:00', timeZone: 'UTC' }, { models: [], clock })
  alert(booted)
  await eventually(async () => (await messages(booted)).messages.length === 1)
  t.match(await messages(booted), { messages: [{ status: 'waiting', due_at: Date.UTC(2026, 0, 2, 7), attempts: 0 }] })
  clock.advance(8 * 3_600_000)
  await eventually(() => received.length === 1)
})

t.test('a picture of the camera goes with the message, and its file goes after it', async t => {
  const { url, received, json } = await startReceiver(t)
  const booted = await bootWith(t, url, { rules: [{ to: ['hook'], alerts: ['*'], attach: 'picture' }] })
  alert(booted)
  await eventually(() => received.length === 1, 30_000)
  t.match(Buffer.from(json(0).attachment.base64, 'base64').subarray(0, 2), Buffer.from([0xff, 0xd8]))
  await eventually(async () => (await messages(booted)).messages[0]?.status === 'delivered')
  t.match(await messages(booted), { messages: [{ attachment: 'picture' }] })
  await eventually(async () => (await readdir(join(booted.kernel.dataDir, 'plugins/notify/pictures'))).length === 0)
})

/** A target of another plugin that takes clips. */
function pager () {
  const taken: Message[] = []
  const kind = defineMessageTarget({
    type: 'pager',
    options: Type.Object({ number: Type.Integer() }),
    takes: { clip: 1_000_000 },
    create: () => async message => { taken.push(message) }
  })
  const plugin = definePlugin({
    name: 'pager', version: '1.0.0', kernel: '^2.0.0', needs: ['notify'], contributes: { messageTargets: [kind] }
  })
  return { taken, plugin }
}

t.test('another plugin brings a kind of target, which gets the clip of a failure when it is recorded', async t => {
  const { taken, plugin } = pager()
  const { kernel } = await boot(t, {
    preset,
    models: [],
    plugins: plugin,
    config: { plugins: { notify: { targets: { p: { type: 'pager', number: 7 } }, rules: [{ to: ['p'], attach: 'clip' }] } } }
  })
  const id = '0123456789abcdef01'
  const folder = testFolder(t)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `${id}.mp4`), 'video')
  const recording: Recording = {
    id,
    printer: 'x1c',
    kind: 'evidence',
    status: 'ready',
    started_at: '2026-01-02T03:04:05+00:00',
    duration_s: 40,
    bytes: 5,
    job: { name: '', task_id: '' },
    alerts: [{ id: 'a', type: 'job_failed', timestamp: '2026-01-02T03:04:05+00:00' }],
    problem: null
  }
  t.intercept(kernel.services.recording, 'fileOf', { value: () => ({ folder, name: `${id}.mp4`, recording }) })
  kernel.events.emit('recording', { ...recording, status: 'recording' })
  kernel.events.emit('recording', recording)
  kernel.events.emit('recording', recording)
  kernel.events.emit('recording', { ...recording, id: '0123456789abcdef02', bytes: 2_000_000 })
  await eventually(() => taken.length > 0)
  t.match(taken, [{ title: 'x1c: Print failed', attachment: { kind: 'clip', name: 'clip.mp4', bytes: Buffer.from('video') } }])
  await kernel.close()
  t.equal(taken.length, 1)
})

t.test('two kinds of one name, and options that are wrong, stop the start and say why', async t => {
  const kind = defineMessageTarget({ type: 'ntfy', options: Type.Object({}), create: () => async () => {} })
  const plugin = definePlugin({ name: 'other', version: '1.0.0', kernel: '^2.0.0', needs: ['notify'], contributes: { messageTargets: [kind] } })
  await t.rejects(boot(t, { preset, models: [], plugins: plugin }), { message: /'ntfy' of plugin 'other' cannot be used/ })
  for (const [notify, text] of [
    [{ targets: { a: { type: 'ntfy', topic: 5 } } }, /targets\.a: topic must be a text in quotes/],
    [{ targets: { a: { type: 'ntfy', topic: 'x' } }, timeZone: 'Mars' }, /there is no 'Mars'/],
    [{ rules: [{ to: ['a'] }] }, /there is no target 'a'/],
    [{ quiet: '22-7' }, /quiet must match pattern/]
  ] as const) await t.rejects(boot(t, { preset, models: [], config: { plugins: { notify } } }), { message: text })
})

t.test('a test message is sent at once, by those who are trusted, and a failure is told', async t => {
  const { url, json, answer } = await startReceiver(t)
  const booted = await bootWith(t, url, {}, { models: [] })
  t.match(await booted.http('POST', '/api/messages/test', { target: 'hook' }), { status: 200 })
  t.match(json(0), { alert: 'test', title: 'Test message' })
  answer((_, response) => response.writeHead(401).end(SECRET))
  t.match(await booted.http('POST', '/api/messages/test', { target: 'hook' }), { status: 502, body: { error: 'message_not_taken', reason: /'hook' did not accept the message: it answered 401/ } })
  t.match(await booted.tool('send_test_message', { target: 'hook', user_permission: true }), { failed: true, value: { error: /'hook' did not accept the message: it answered 401/ } })
  const { operations, call } = booted.kernel
  const operation = operations.get('notify.sendTest')
  await t.rejects(call(operation as never, { target: 'hook' } as never, { caller: 'network' }), { code: 'PRN_ERR_TRUSTED_ONLY' })
})

t.test('secrets of targets are in no reply', async t => {
  const { url } = await startReceiver(t, (request, response) => response.writeHead(400).end(String(request.headers['x-key'])))
  const booted = await bootWith(t, `${url}/${SECRET}`, {}, { models: [] })
  alert(booted, 'job_failed', { subtask_name: `a ${SECRET} b` })
  await eventually(async () => (await messages(booted)).messages[0]?.status === 'given_up')
  const all = JSON.stringify([await messages(booted), await booted.http('GET', '/plugins'), await booted.tool('list_messages'),
    await booted.http('POST', '/api/messages/test', { target: 'hook' })])
  t.match(all, 'it answered 400')
  t.notMatch(all, SECRET)
})
