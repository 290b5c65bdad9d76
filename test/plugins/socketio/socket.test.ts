import t from 'tap'
import { WebSocket } from 'ws'
import { eventually } from '../../helpers/eventually.js'
import { baseOf, connect, listen, nextUpdate, updateOf } from './helpers.js'
import { pythonLacks, startPython } from './python.js'

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
  const news = new Promise<string>(resolve => { live.once('message', data => resolve(String(data))) })
  t.match(JSON.parse(await news), { topic: /\w/ })
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

t.test('any origin may listen, but no foreign host name, and nobody without the token', async t => {
  const handshake = '/socket.io/?EIO=4&transport=polling'
  const open = await listen(t)
  const other = await fetch(baseOf(open) + handshake, { headers: { origin: 'http://elsewhere.example' } })
  t.equal(other.status, 200)
  t.equal(other.headers.get('access-control-allow-origin'), '*')
  const locked = await listen(t, { models: [], config: { api: { token: 'a-long-token' } } })
  t.equal((await fetch(baseOf(locked) + handshake)).status, 403)
  t.equal((await fetch(baseOf(locked) + handshake, { headers: { authorization: 'Bearer a-long-token' } })).status, 200)
  await t.rejects(connect(t, locked, { transports: ['websocket'] }))
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
  const since = performance.now()
  await app.kernel.close()
  t.ok(performance.now() - since < 4_000)
})
