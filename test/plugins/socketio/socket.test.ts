import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import t from 'tap'
import { WebSocket } from 'ws'
import { eventually } from '../../helpers/eventually.js'
import { baseOf, connect, listen, nextUpdate, updateOf } from './helpers.js'

const PYTHON = '/usr/bin/python3'

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

t.test('the client of another language', {
  skip: existsSync(PYTHON) && existsSync('/usr/lib/python3/dist-packages/socketio') ? false : 'python3-socketio is not installed'
}, async t => {
  const app = await listen(t)
  // Its library for HTTP is a recommendation of the package only; what it needs of that is little.
  const script = `
import json, sys, threading, types, urllib.request
class Reply:
    def __init__(self, answer): self.status_code, self.content = answer.status, answer.read()
class Session:
    def request(self, method, url, headers=None, data=None, timeout=None):
        body = data.encode() if isinstance(data, str) else data
        return Reply(urllib.request.urlopen(urllib.request.Request(url, body, headers or {}, method=method), timeout=timeout))
requests = types.ModuleType('requests')
requests.Session, requests.exceptions = Session, types.SimpleNamespace(RequestException=OSError)
sys.modules.setdefault('requests', requests)
import socketio
client, done = socketio.Client(), threading.Event()
@client.on('printer_update')
def update(data):
    print(json.dumps([sorted(data.keys()), data['printer']['_recent_update']]), flush=True)
    done.set()
client.connect(sys.argv[1], transports=['polling'])
done.wait(10)
client.disconnect()
`
  const reports = setInterval(() => app.printer.patch({ wifi_signal: `-${Date.now() % 90}dBm` }), 300)
  t.teardown(() => clearInterval(reports))
  const { stdout } = await promisify(execFile)(PYTHON, ['-c', script, baseOf(app)], { timeout: 20_000 })
  t.same(JSON.parse(stdout.split('\n')[0] ?? ''), [['bed', 'chamber', 'fan', 'gcode_state_durations', 'printer', 'tool'], true])
})

t.test('the service ends at once with clients attached', async t => {
  const app = await listen(t)
  await connect(t, app, { transports: ['websocket'] })
  await connect(t, app, { transports: ['polling'] })
  const since = performance.now()
  await app.kernel.close()
  t.ok(performance.now() - since < 4_000)
})
