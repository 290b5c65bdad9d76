import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { createPipelineLimiter } from '../../../core/kernel/pipelining.js'

const MANY = 10_000
const AT_ONCE = 8
const request = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${more}\r\n`

/** Counts what is begun in one turn of the event loop. */
async function serve (t: Test, pace: ReturnType<typeof createPipelineLimiter>) {
  const begun: string[] = []
  const turns = { now: 0, most: 0 }
  const server = createServer((request, response) => pace(request, response, () => {
    begun.push(request.url ?? '')
    if (turns.now++ === 0) setImmediate(() => { turns.now = 0 })
    turns.most = Math.max(turns.most, turns.now)
    request.on('end', () => { response.end(request.url) }).resume()
  }))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.close(); server.closeAllConnections() })
  const dial = async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.setEncoding('latin1').on('error', () => {})
    t.teardown(() => socket.destroy())
    await once(socket, 'connect')
    return socket
  }
  return { begun, turns, dial }
}

t.test('many requests at once on one connection: few are begun in a turn, all are answered in order', async t => {
  const { begun, turns, dial } = await serve(t, createPipelineLimiter(AT_ONCE))
  const socket = await dial()
  let answer = ''
  socket.on('data', (text: string) => { answer += text })
  const paths = Array.from({ length: MANY }, (_, at) => `/${at}`)
  socket.write(paths.map(path => request(path, path === `/${MANY - 1}` ? 'connection: close\r\n' : '')).join(''))
  await once(socket, 'close')
  t.same(begun, paths)
  t.same([...answer.matchAll(/\r\n\r\n(\/\d+)/g)].map(([, path]) => path), paths)
  t.ok(turns.most <= 2 * AT_ONCE, `${turns.most} in one turn`)
})

t.test('others are answered before the many are', async t => {
  const { begun, dial } = await serve(t, createPipelineLimiter(AT_ONCE))
  const [many, other] = await Promise.all([dial(), dial()])
  many.resume().write(request('/many').repeat(MANY))
  await once(many, 'data')
  other.write(request('/other'))
  t.match(String(await once(other, 'data')), /\/other$/)
  t.ok(begun.indexOf('/other') < MANY / 2, `after ${begun.indexOf('/other')} of them`)
})

t.test('what waits is dropped with its connection', async t => {
  const { begun, dial } = await serve(t, createPipelineLimiter(AT_ONCE))
  const socket = await dial()
  socket.write(request('/many').repeat(MANY))
  await once(socket, 'data')
  socket.destroy()
  const other = await dial()
  other.write(request('/other'))
  await once(other, 'data')
  const left = begun.length
  other.write(request('/last', 'connection: close\r\n'))
  await once(other.resume(), 'close')
  t.ok(begun.length < MANY, `${left} of them were begun`)
})

t.test('bodies behind one another, while earlier requests wait', async t => {
  const { begun, dial } = await serve(t, createPipelineLimiter(1))
  const socket = await dial()
  let answer = ''
  socket.on('data', (text: string) => { answer += text })
  const body = 'x'.repeat(300_000)
  const post = (path: string, more = '') =>
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${body.length}\r\n${more}\r\n${body}`
  socket.write(request('/0') + post('/1') + request('/2') + post('/3', 'connection: close\r\n'))
  await once(socket, 'close')
  t.same(begun, ['/0', '/1', '/2', '/3'])
  t.equal(answer.match(/ 200 OK/g)?.length, 4)
})
