import t from 'tap'
import { WebSocket } from 'ws'
import { eventually } from '../../helpers/eventually.js'
import { baseOf, connect, listen, nextUpdate, updateOf } from './helpers.js'
import { pythonLacks, startPython } from './python.js'
import { REMOTE } from '../../helpers/addresses.js'

t.test('the event is what the route answers, over both transports', async t => {
  const app = await listen(t, { models: [{ model: 'P1S', reportEveryMs: 60_000 }] })
  for (const transports of [['websocket'], ['polling']]) {
    const socket = await connect(t, app, { transports })
    const update = nextUpdate(socket)
    app.printer.patch({ wifi_signal: `-4${transports[0]?.length}dBm` })
    t.same(await update, (await app.get('get_all_data')).body, String(transports[0]))
  }
})

t.test('a client that begins with polling moves on to a WebSocket', async t => {
  const app = await listen(t)
  const socket = await connect(t, app)
  await new Promise<void>(resolve => {
    if (socket.io.engine.transport.name === 'websocket') resolve()
    else socket.io.engine.once('upgrade', () => resolve())
  })
  const first = await updateOf(app, socket)
  const second = await updateOf(app, socket)
  t.match(second.printer, { _recent_update: true })
  t.ok(second.printer._lastMessageTime > first.printer._lastMessageTime, 'one for each report')
  t.match(second, { tool: { series: [{ label: 'Tool' }] }, bed: { series: { data: [/\d/] } }, fan: { series: Array } })
})

t.test('Socket.IO and /api/live share the server', async t => {
  const app = await listen(t)
  const socket = await connect(t, app, { transports: ['websocket'] })
  const live = new WebSocket(`${baseOf(app).replace('http', 'ws')}/api/live`)
  t.teardown(() => live.terminate())
  const message = new Promise<string>(resolve => { live.once('message', data => resolve(String(data))) })
  t.match(JSON.parse(await message), { topic: /\w/ })
  t.match(await updateOf(app, socket), { printer: { _recent_update: true } })
})

t.test('nothing that a client sends is acted on', async t => {
  const app = await listen(t)
  const socket = await connect(t, app, { transports: ['websocket'] })
  const before = app.printer.requests.length
  for (const event of ['stop_printing', 'printer_update', 'message']) socket.emit(event, { temp: 300 })
  await updateOf(app, socket)
  t.equal(app.printer.requests.length, before)
  socket.emit('large', 'x'.repeat(100_000))
  await eventually(() => !socket.connected)
})

const HANDSHAKE = '/socket.io/?EIO=4&transport=polling'

t.test('only pages of this application and of listed origins may listen', async t => {
  const app = await listen(t, { models: [], config: { api: { corsOrigins: ['https://panel.example'] } } })
  const ask = (headers: Record<string, string>, more = '') => fetch(baseOf(app) + HANDSHAKE + more, { headers })
  for (const headers of [
    { origin: 'http://elsewhere.example' }, { origin: 'http://127.0.0.1:1' }, { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }
  ]) {
    const reply = await ask(headers as unknown as Record<string, string>)
    t.equal(reply.status, 403, JSON.stringify(headers))
    t.equal(reply.headers.get('access-control-allow-origin'), null)
  }
  t.equal((await ask({}, '&j=0')).status, 400, 'an answer as a script could be read by any page')
  t.equal((await ask({})).status, 200, 'a program')
  t.equal((await ask({ origin: baseOf(app) })).status, 200)
  const listed = await ask({ origin: 'https://panel.example' })
  t.equal(listed.status, 200)
  t.equal(listed.headers.get('access-control-allow-origin'), 'https://panel.example')
  const extraHeaders = { origin: 'http://elsewhere.example' }
  await t.rejects(connect(t, app, { transports: ['websocket'], extraHeaders }))
  t.equal((await connect(t, app, { transports: ['websocket'] })).connected, true)
})

t.test('the token is needed with every request, also of a session that is known', async t => {
  const app = await listen(t, { models: [], config: { api: { token: 'a-long-token' } } })
  const headers = { authorization: 'Bearer a-long-token' }
  t.equal((await fetch(baseOf(app) + HANDSHAKE)).status, 401)
  await t.rejects(connect(t, app, { transports: ['websocket'] }))
  const opened = await fetch(baseOf(app) + HANDSHAKE, { headers })
  t.equal(opened.status, 200)
  const { sid } = JSON.parse((await opened.text()).slice(1))
  const session = `${HANDSHAKE}&sid=${sid}`
  t.equal((await fetch(baseOf(app) + session, { method: 'POST', body: '40' })).status, 401, 'joining')
  t.equal((await fetch(baseOf(app) + session)).status, 401, 'polling')
  const address = baseOf(app).replace('http', 'ws') + session.replace('polling', 'websocket')
  const stolen = new WebSocket(address)
  const outcome = await new Promise(resolve => {
    stolen.once('open', () => resolve('open')).once('error', ({ message }) => resolve(message))
  })
  t.match(outcome, /401/, 'moving it to a WebSocket')
  t.equal((await fetch(baseOf(app) + session, { method: 'POST', body: '40', headers })).status, 200)
})

t.test("another port of the same host is another site: the login's cookie does not let its pages in", async t => {
  const app = await listen(t, { models: [], config: { api: { token: 'a-long-token' } } })
  const { name, value } = app.kernel.services.http.access.pass()
  const cookie = `${name}=${value}`
  const ask = (more: Record<string, string>) => fetch(baseOf(app) + HANDSHAKE, { headers: { cookie, ...more } })
  t.equal((await ask({})).status, 200)
  t.equal((await ask({ origin: 'http://127.0.0.1:8080' })).status, 403)
  await t.rejects(connect(t, app, { transports: ['websocket'], extraHeaders: { cookie, origin: 'http://127.0.0.1:8080' } }))
})

t.test('a burst of reports is not a burst of updates for a slow client', async t => {
  const app = await listen(t, { models: [{ model: 'P1S', reportEveryMs: 60_000 }] })
  const socket = await connect(t, app, { transports: ['polling'] })
  const got: string[] = []
  socket.on('printer_update', ({ printer }) => got.push(printer._printer_state.wifi_signal_strength))
  for (let round = 0; round < 200; round++) app.printer.patch({ wifi_signal: `-${round}dBm` })
  await eventually(() => got.at(-1) === '-199dBm', 10_000)
  t.ok(got.length < 200, `${got.length} of 200`)
})

t.test('the client of another language', async t => {
  for (const transports of [['polling'], ['websocket'], ['polling', 'websocket']]) {
    const skip = pythonLacks(transports)
    await t.test(transports.join(', then '), { skip }, async t => {
      const app = await listen(t, { models: [{ model: 'P1S', reportEveryMs: 60_000 }] })
      const client = startPython(t, baseOf(app), transports)
      await client.says(/^with (polling|websocket)$/m)
      t.match(client.text(), `with ${transports.at(-1)}`)
      app.printer.patch({ wifi_signal: `-3${transports.length}dBm` })
      const update = await client.says(/^\{.*\}$/m)
      t.same(JSON.parse(update), (await app.get('get_all_data')).body)
      t.equal(await client.ended, 0)
    })
  }
})

t.test('the service ends at once with clients attached', async t => {
  const app = await listen(t)
  await connect(t, app, { transports: ['websocket'] })
  await connect(t, app, { transports: ['polling'] })
  await app.kernel.close()
  t.equal(app.kernel.ready, false)
})

t.test('one address cannot take every place: others and this machine get in', async t => {
  const app = await listen(t, { models: [], config: { api: { trustProxy: ['127.0.0.1'] } } })
  const ask = (address?: string) =>
    fetch(baseOf(app) + HANDSHAKE, { headers: address === undefined ? {} : { 'x-forwarded-for': address } })
  for (let at = 0; at < 64; at++) t.equal((await ask(`${REMOTE}.1`)).status, 200)
  const refused = await ask(`${REMOTE}.1`)
  t.equal(refused.status, 429)
  t.match(await refused.text(), /This address has 64 such connections open already/)
  t.equal((await ask(`${REMOTE}.2`)).status, 200)
  t.equal((await ask()).status, 200)
})
