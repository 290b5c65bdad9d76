import t, { type Test } from 'tap'
import {
  createKernel, defineLiveTopic, definePlugin, definePreset, type Kernel, type LiveTopic
} from '../../../core/index.js'
import alerts, { type Alert } from '../../../plugins/alerts/index.js'
import filament from '../../../plugins/filament/index.js'
import http from '../../../plugins/http/index.js'
import live from '../../../plugins/live/index.js'
import mcp from '../../../plugins/mcp/index.js'
import openapi from '../../../plugins/openapi/index.js'
import state from '../../../plugins/state/index.js'
import { boot, type BootOptions } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { connect, listen } from './clients.js'
import { testFolder } from '../../helpers/folder.js'
import { REMOTE } from '../../helpers/addresses.js'

const parts = [live, openapi, http, mcp, filament, state, alerts]
const preset = definePreset({ name: 'live', plugins: parts })
const start = (t: Test, options: BootOptions = {}) =>
  boot(t, { preset, listen: true, ...options, config: { api: { host: '127.0.0.1' }, ...options.config } })

const alertOf = (printer: string, number: number): Alert =>
  ({ type: `test_${number}`, printer, timestamp: '', severity: 'low', payload: { number } })
const raise = (kernel: Kernel, printer: string, number: number) => kernel.events.emit('alert', alertOf(printer, number))

t.test('an event stream: what is so now, then what happens', async t => {
  const { kernel, printer, name } = await start(t)
  const { messages, status, headers } = await listen(t, kernel.apiPort)
  t.equal(status, 200)
  t.match(headers.get('content-type'), /^text\/event-stream/)
  t.equal(headers.get('cache-control'), 'no-store')
  await eventually(() => messages.length >= 2)
  t.match(messages.find(({ event }) => event === 'session'),
    { data: { topic: 'session', printer: name, at: /Z$/, data: { connected: true, service_state: 'CONNECTED', recent_update: true, problem: null } } })
  t.match(messages.find(({ event }) => event === 'state'), { data: { printer: name, data: { _printer_state: { gcode_state: 'IDLE' } } } })
  t.ok(messages.every(({ id }) => id === undefined), 'what is so now does not count')
  printer.patch({ gcode_state: 'FAILED' })
  await eventually(() => messages.some(({ event, data }) => event === 'state' && data.data._printer_state.gcode_state === 'FAILED'))
  const alert = messages.find(({ event }) => event === 'alerts')
  t.match(alert, { id: /^[0-9a-f]+-\d+$/, data: { topic: 'alerts', printer: name, data: { type: 'job_failed', severity: 'high' } } })
  t.equal(alert?.data.id, alert?.id)
  t.equal(kernel.services.alerts.queue.peek(name).length, 1, 'the queue is not touched')
  printer.faults.drop()
  await eventually(() => messages.some(({ data: { data } }) => data.problem?.code === 'connection_lost'))
  await eventually(() => messages.at(-1)?.data.topic !== undefined && kernel.printers.get(name)?.live === true, 10_000)
  await kernel.printers.disconnect(name)
  await eventually(() => messages.some(({ event, data }) => event === 'session' && data.data.service_state === null))
  t.notMatch(JSON.stringify(messages), printer.accessCode)
})

t.test('the same over a WebSocket, by printer and topic', async t => {
  const { kernel, printers } = await start(t, { models: [{ model: 'X1C', name: 'a b' }, { model: 'P1S', name: 'other' }] })
  const all = connect(t, kernel.apiPort, '?topics=alerts')
  const one = connect(t, kernel.apiPort, '?printer=a%20b&topics=alerts,session')
  await eventually(() => one.messages.length === 1 && all.socket.readyState === 1)
  for (const printer of printers) printer.patch({ gcode_state: 'FAILED' })
  await eventually(() => all.messages.length === 2 && one.messages.length === 2)
  t.same(all.messages.map(({ topic }) => topic), ['alerts', 'alerts'])
  t.match(one.messages, [{ topic: 'session', printer: 'a b', data: { connected: true } }, { topic: 'alerts', printer: 'a b', data: { type: 'job_failed' } }])
  one.socket.send('anything')
  raise(kernel, 'a b', 1)
  await eventually(() => one.messages.length === 3)
})

t.test('states come at most once a second, the newest always', async t => {
  const { kernel, printer, name } = await start(t)
  const { messages } = await listen(t, kernel.apiPort, '?topics=state')
  await eventually(() => messages.length >= 1)
  const before = messages.length
  for (let bed = 30; bed < 50; bed++) {
    printer.patch({ bed_temper: bed, bed_target_temper: 49 }) // without a target the bed cools again
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  await eventually(() => kernel.printers.get(name)?.state?.heat.bed.actual !== undefined)
  const wanted = kernel.printers.get(name)?.state?.heat.bed.actual ?? 0
  await eventually(() => messages.at(-1)?.data.data._printer_state.climate.bed_temp >= wanted)
  t.ok(messages.length - before <= 5, `${messages.length - before} for twenty changes`)
})

t.test('who comes back gets what was missed, in order and once', async t => {
  const { kernel, name } = await start(t)
  const first = await listen(t, kernel.apiPort, '?topics=alerts')
  raise(kernel, name, 1)
  raise(kernel, name, 2)
  await eventually(() => first.messages.length === 2)
  first.stop()
  raise(kernel, name, 3)
  raise(kernel, 'other', 4)
  raise(kernel, name, 5)
  const id = first.messages[0]?.id ?? ''
  const back = await listen(t, kernel.apiPort, `?topics=alerts&printer=${name}`, { 'last-event-id': id })
  await eventually(() => back.messages.length === 3)
  t.same(back.messages.map(({ data }) => data.data.payload.number), [2, 3, 5])
  raise(kernel, name, 6)
  await eventually(() => back.messages.length === 4)
  const socket = connect(t, kernel.apiPort, `?topics=alerts&last_event_id=${id}`)
  await eventually(() => socket.messages.length === 5)
  t.same(socket.messages.map(({ data }) => data.payload.number), [2, 3, 4, 5, 6])
  const fresh = await listen(t, kernel.apiPort, '?topics=alerts')
  raise(kernel, name, 7)
  await eventually(() => fresh.messages.length === 1)
  t.equal(fresh.messages[0]?.data.data.payload.number, 7, 'who is new gets nothing old')
})

t.test('who was away too long is told; another run counts anew', async t => {
  const { kernel, name } = await start(t)
  const first = await listen(t, kernel.apiPort, '?topics=alerts')
  raise(kernel, name, 0)
  raise(kernel, 'quiet', 0)
  await eventually(() => first.messages.length === 2)
  for (let number = 1; number <= 100; number++) raise(kernel, name, number)
  const id = first.messages[0]?.id ?? ''
  const late = await listen(t, kernel.apiPort, '?topics=alerts', { 'last-event-id': id })
  await eventually(() => late.messages.length >= 66)
  t.equal(late.messages[0]?.event, 'missed')
  t.same(late.messages.filter(({ data }) => data.printer === 'quiet').length, 1, 'one printer does not push out another')
  t.same([late.messages.at(2)?.data.data.payload.number, late.messages.at(-1)?.data.data.payload.number], [37, 100])
  for (const strange of ['ffffffff-999', 'nonsense', '-', `${id.split('-')[0]}-x`]) {
    const { messages } = await listen(t, kernel.apiPort, '?topics=alerts', { 'last-event-id': strange })
    await eventually(() => messages.length === 66)
    t.equal(messages[0]?.event, 'missed', strange)
  }
})

t.test('wishes that cannot be met', async t => {
  const { kernel } = await start(t)
  const ask = async (query: string) => await fetch(`http://127.0.0.1:${kernel.apiPort}/api/live${query}`)
  const unknown = await ask('?topics=alerts,weather')
  t.equal(unknown.status, 400)
  t.match(await unknown.json(), { status: 'error', reason: /topics must be among .*alerts.*'weather'/ })
  t.equal((await ask('?printer=nobody')).status, 400)
  const { code, reason } = await connect(t, kernel.apiPort, `?printer=${'ü'.repeat(200)}`).closed
  t.equal(code, 1008)
  t.match(reason, /^There is no printer 'ü+$/)
  const head = await fetch(`http://127.0.0.1:${kernel.apiPort}/api/live`, { method: 'HEAD' })
  t.ok(head.status === 404 || head.status === 405, 'a stream has no head')
  const loud = connect(t, kernel.apiPort)
  await eventually(() => loud.socket.readyState === 1)
  loud.socket.send('x'.repeat(2_000))
  t.equal((await loud.closed).code, 1009, 'nobody listens to clients, least of all to long speeches')
})

t.test('hosts, origins and the token hold for both', async t => {
  const token = 'a-long-enough-token'
  const { kernel } = await start(t, { config: { api: { host: '127.0.0.1', token, corsOrigins: ['https://ours.example'] } } })
  const good = { authorization: `Bearer ${token}` }
  const stream = async (headers: Record<string, string>) => {
    const { status, stop, headers: answered } = await listen(t, kernel.apiPort, '', headers)
    stop()
    return { status, cors: answered.get('access-control-allow-origin') }
  }
  const socket = async (headers: Record<string, string>) => {
    const { socket, closed } = connect(t, kernel.apiPort, '', headers)
    return await Promise.race([closed.then(({ code }) => code), new Promise(resolve => socket.once('open', () => resolve('open')))])
  }
  t.same([(await stream({})).status, await socket({})], [401, 401], 'without a token')
  t.same([(await stream({ authorization: 'Bearer x' })).status, await socket({ authorization: 'Bearer x' })], [401, 401])
  t.same([(await stream(good)).status, await socket(good)], [200, 'open'])
  const foreign = { ...good, origin: 'https://evil.example' }
  t.same([(await stream(foreign)).status, await socket(foreign)], [403, 403])
  const ours = { ...good, origin: 'https://ours.example' }
  t.same([await stream(ours), await socket(ours)], [{ status: 200, cors: 'https://ours.example' }, 'open'])
  t.equal(await socket({ ...good, host: 'rebound.example' }), 403)
  const asked = await fetch(`http://127.0.0.1:${kernel.apiPort}/api/live`,
    { method: 'OPTIONS', headers: { origin: 'https://ours.example', 'access-control-request-headers': 'last-event-id' } })
  t.match(asked.headers.get('access-control-allow-headers'), /last-event-id/)
})

t.test('the service ends while somebody listens', async t => {
  const { kernel } = await start(t)
  const stream = await listen(t, kernel.apiPort)
  const socket = connect(t, kernel.apiPort)
  await eventually(() => stream.messages.length > 0 && socket.messages.length > 0)
  const stuck = connect(t, kernel.apiPort)
  await eventually(() => stuck.messages.length > 0)
  stuck.socket.pause() // takes no goodbye
  await kernel.close()
  t.ok((await socket.closed).code > 0)
})

t.test('topics of other plugins: read only while somebody listens, and a failing one hurts nobody', async t => {
  let reads = 0
  let say = (_printer: string) => {}
  const counted = defineLiveTopic({
    name: 'counted',
    description: 'How often it was read',
    watch (_kernel, send) { say = send; return () => {} },
    current: () => ++reads
  })
  const failing = defineLiveTopic({ name: 'failing', description: 'Fails', watch: () => () => {}, current () { throw new Error('no') } })
  const outside = (topics: readonly LiveTopic[]) => definePlugin({ name: 'outside', version: '1.0.0', kernel: '*', contributes: { liveTopics: topics } })
  const { kernel, name } = await start(t, { preset: definePreset({ name: 'live', plugins: [parts, outside([counted, failing])] }) })
  for (let at = 0; at < 100; at++) say(name)
  t.equal(reads, 0)
  const { messages } = await listen(t, kernel.apiPort, '?topics=counted,failing')
  say(name)
  await eventually(() => messages.length >= 2)
  t.match(messages, [{ event: 'counted', data: { data: 1 } }, { event: 'counted', data: { data: 2 } }])

  for (const [topics, message] of [
    [[defineLiveTopic({ name: 'state', description: '', every: true, watch: () => () => {} })], /'state' of plugin 'outside': plugin 'live' has one/],
    [[{ name: 'Bad\nname' } as never], /the name must be/],
    [[{ name: 'x', watch () {}, current () {}, isSame: 1 } as never], /isSame must be a function/]
  ] as const) {
    const broken = await createKernel(definePreset({ name: 'x', plugins: [parts, outside(topics)] }), { dataDir: testFolder(t), log: { file: false } })
    await t.rejects(broken.start({ listen: false }), { message })
    await broken.close()
  }
})

t.test('a topic may say what is no news to those who know the last, but who has just come knows more', async t => {
  let value = 'a'
  let say = (_printer: string) => {}
  let looks = 0
  const topic = defineLiveTopic({
    name: 'letter',
    description: 'A letter, whatever its case',
    watch (_kernel, send) { say = send; return () => {} },
    current () { looks++; return value },
    isSame: (told, now) => String(told).toLowerCase() === String(now).toLowerCase()
  })
  const outside = definePlugin({ name: 'outside', version: '1.0.0', kernel: '*', contributes: { liveTopics: [topic] } })
  const { kernel, name } = await start(t, { preset: definePreset({ name: 'live', plugins: [parts, outside] }) })
  const first = await listen(t, kernel.apiPort, '?topics=letter')
  const told = ({ messages }: typeof first) => messages.map(({ data }) => data.data)
  /** Says that it may have changed, and waits until that was looked at. */
  const change = async (to: string) => {
    const before = looks
    value = to
    say(name)
    await eventually(() => looks > before)
  }
  await change('b')
  await change('B')
  await change('c')
  await eventually(() => told(first).length === 3)
  t.same(told(first), ['a', 'b', 'c'])
  value = 'd'
  const third = await listen(t, kernel.apiPort, '?topics=letter')
  await eventually(() => told(third).length === 1)
  const second = await listen(t, kernel.apiPort, '?topics=letter')
  await eventually(() => told(second).length === 1)
  await change('c')
  await eventually(() => told(second).length === 2)
  t.same(told(second), ['d', 'c'], 'it had heard of another one meanwhile')
  await change('d')
  await eventually(() => told(first).length === 5)
  t.same(told(first), ['a', 'b', 'c', 'c', 'd'])
})

t.test('one address cannot take every place: others and this machine get in', async t => {
  const { kernel } = await start(t, { models: [], config: { api: { host: '127.0.0.1', trustProxy: ['127.0.0.1'] } } })
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const streams = await Promise.all(Array.from({ length: 40 }, () => listen(t, kernel.apiPort, '', from(`${REMOTE}.1`))))
  const sockets = Array.from({ length: 24 }, () => connect(t, kernel.apiPort, '', from(`${REMOTE}.1`)))
  await eventually(() => sockets.every(({ socket }) => socket.readyState === 1))
  t.equal((await listen(t, kernel.apiPort, '', from(`${REMOTE}.1`))).status, 429)
  t.match(await connect(t, kernel.apiPort, '', from(`${REMOTE}.1`)).closed, { code: 1013, reason: /^This address has 64 / })
  t.equal((await listen(t, kernel.apiPort, '', from(`${REMOTE}.2`))).status, 200)
  t.equal((await listen(t, kernel.apiPort)).status, 200)
  streams[0]?.stop()
  await eventually(async () => (await listen(t, kernel.apiPort, '', from(`${REMOTE}.1`))).status === 200)
})
