import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { boot, type Booted } from '../helpers/boot.js'
import { eventually } from '../helpers/eventually.js'
import { ownPorts } from '../helpers/ports.js'

interface Served extends Booted { readonly port: number, ask (path?: string): Promise<number> }

async function serve (t: Test): Promise<Served> {
  const booted = await boot(t, { listen: true, config: { api: { host: '127.0.0.1' }, ports: ownPorts(0, 100) } })
  const port = booted.kernel.apiPort
  const ask = async (path = '/api/printers') => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(10_000) })
    await reply.arrayBuffer()
    return reply.status
  }
  return { ...booted, port, ask }
}

async function dial (t: Test, port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  t.teardown(() => socket.destroy())
  await once(socket, 'connect')
  return socket
}

/** Everything that comes until the other side closes. */
async function sendAndRead (t: Test, port: number, text: string): Promise<string> {
  const socket = await dial(t, port)
  let answer = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => { answer += chunk })
  const closed = once(socket, 'close')
  socket.write(text)
  await closed
  return answer
}

const HEAD = 'GET /api/printers HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n'

t.test('a thousand connections that say nothing, and three hundred that say it slowly', async t => {
  const { port, ask, kernel } = await serve(t)
  const idle = await Promise.all(Array.from({ length: 1_000 }, () => dial(t, port)))
  const slow = await Promise.all(Array.from({ length: 300 }, () => dial(t, port)))
  for (const socket of slow) socket.write('GET /api/printers HTTP/1.1\r\nhost: local')
  const dripping = setInterval(() => { for (const socket of slow) socket.write('h') }, 100)
  t.teardown(() => clearInterval(dripping))
  for (let at = 0; at < 10; at++) t.equal(await ask(), 200)
  t.ok(kernel.printers.sessions.every(({ live }) => live), 'printers are still heard')
  clearInterval(dripping)
  for (const socket of [...idle, ...slow]) socket.destroy()
  await eventually(() => new Promise((resolve, reject) =>
    kernel.app.server.getConnections((error, count) => error ? reject(error) : resolve(count < 20))), 10_000)
})

t.test('who takes too long is cut off: for the headers, and for all of it', async t => {
  const { kernel } = await serve(t)
  const { headersTimeout, requestTimeout } = kernel.app.server
  t.ok(headersTimeout > 0 && headersTimeout <= 30_000)
  t.ok(requestTimeout > headersTimeout && requestTimeout <= 120_000)
})

t.test('headers that are huge, many, or none', async t => {
  const { port, ask } = await serve(t)
  t.match(await sendAndRead(t, port, `${HEAD}x-big: ${'a'.repeat(100_000)}\r\n\r\n`), /^HTTP\/1\.1 431 /)
  t.match(await sendAndRead(t, port, `${HEAD}${'x: y\r\n'.repeat(50_000)}\r\n`), /^HTTP\/1\.1 431 /)
  t.match(await sendAndRead(t, port, `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nhost: localhost\r\n\r\n`), /^HTTP\/1\.1 4(31|14) /)
  t.match(await sendAndRead(t, port, 'GET /api/printers HTTP/1.1\r\nconnection: close\r\n\r\n'), /^HTTP\/1\.1 400 /)
  t.match(await sendAndRead(t, port, '\u0015\u0003\u0001\u0000\r\n\r\n'), /^HTTP\/1\.1 400 /)
  t.notMatch(await sendAndRead(t, port, '\u0016\u0003\u0001\u0000\u0005hello'), /^HTTP/, 'this begins as TLS does')
  t.match(await sendAndRead(t, port, `${HEAD}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`), /^HTTP\/1\.1 400 /)
  t.equal(await ask(), 200)
})

const post = (port: number, body: string, type = 'application/json') =>
  fetch(`http://127.0.0.1:${port}/api/set_bed_target_temp`, { method: 'POST', body, headers: { 'content-type': type } })

t.test('bodies that are deep, wide, too large, or not what they say', async t => {
  const { port, ask, printer, kernel } = await serve(t)
  const before = printer.requests.length
  const patch = async (body: string, type = 'application/json') => {
    const url = `http://127.0.0.1:${port}/api/set_bed_target_temp`
    const reply = await fetch(url, { method: 'PATCH', body, headers: { 'content-type': type } })
    return { status: reply.status, text: await reply.text() }
  }
  const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`
  const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`p${at}`, at])))
  const form = Array.from({ length: 20_000 }, (_, at) => `p${at}=${at}`).join('&')
  for (const [body, type, status] of [
    [deep, 'application/json', 400], [wide, 'application/json', 400], [form, 'application/x-www-form-urlencoded', 400],
    [`{"temp":"${'9'.repeat(1_100_000)}"}`, 'application/json', 413], ['{"__proto__":{"temp":60}}', 'application/json', 400],
    ['{"constructor":{"prototype":{"temp":60}}}', 'application/json', 400], ['temp=60', 'text/plain', 415],
    [form, 'application/json', 400], ['\u0000\u0001', 'application/json', 400], ['%00=%00', 'application/x-www-form-urlencoded', 400]
  ] as const) {
    const reply = await patch(body, type)
    t.equal(reply.status, status, `${body.slice(0, 20)} as ${type}: ${reply.text.slice(0, 120)}`)
    t.match(JSON.parse(reply.text), { status: 'error' })
    t.ok(reply.text.length < 2_000, 'the answer does not repeat it')
  }
  t.equal((await post(port, '{"temp":60}')).status, 405)
  t.equal(await ask(`/api/printers?${form.slice(0, 12_000)}`), 200, 'parameters that nobody asked for')
  t.equal(printer.requests.slice(before).filter(({ section }) => section === 'print').length, 0, 'nothing reached the printer')
  t.equal(({} as { temp?: number }).temp, undefined)
  t.ok(kernel.ready)
})

t.test('the same for the protocol of agents', async t => {
  const { port, ask } = await serve(t)
  const send = async (body: string) => {
    const reply = await fetch(`http://127.0.0.1:${port}/mcp`, {
      method: 'POST', body, headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    })
    return { status: reply.status, text: await reply.text() }
  }
  for (const body of [
    '', '{', '[]', 'null', '1', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, '{"jsonrpc":"2.0"}', '{"method":"initialize"}',
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":{},"capabilities":[],"clientInfo":1}}',
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${'a'.repeat(100_000)}"}}`
  ]) {
    const { status, text } = await send(body)
    t.ok(status >= 400 && status < 500, `${body.slice(0, 30)}: ${status}`)
    t.match(JSON.parse(text), { jsonrpc: '2.0', error: { code: Number } })
  }
  t.equal((await send(`"${'a'.repeat(5_000_000)}"`)).status, 413)
  t.equal(await ask(), 200)
})

t.test('ten thousand reads on one connection that waits for no answer: others are served meanwhile', async t => {
  const { port, ask } = await serve(t)
  const many = 10_000
  const socket = await dial(t, port)
  let answers = 0
  socket.setEncoding('utf8').on('data', (chunk: string) => { answers += chunk.split('HTTP/1.1 200').length - 1 })
  socket.write('GET /api/printers HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(many))
  await once(socket, 'data')
  t.equal(await ask(), 200)
  t.ok(answers < many / 2, `${answers} were answered before`)
  await eventually(() => answers >= many - 10, 60_000) // the mark may be cut in two by a chunk
})
