import t, { type Test } from 'tap'
import type { InjectOptions } from 'fastify'
import { Type } from 'typebox'
import {
  createKernel, defineError, definePlugin, definePreset, operation, route, type Kernel
} from '../../../../core/index.js'
import http from '../../../../plugins/http/index.js'
import openapi from '../../../../plugins/openapi/index.js'
import { testFolder } from '../../../helpers/folder.js'

const TOKEN = 'a-token+with/odd=(signs)'
const Teapot = defineError<[brew: string]>('PRN_ERR_TEAPOT', 'There is no %s here', 418)

const change = operation({
  name: 'probe.change',
  summary: 'Change something',
  effect: 'local',
  scope: 'daemon',
  input: Type.Object({ n: Type.Optional(Type.Integer()) }),
  output: Type.Object({ n: Type.Integer() }),
  run: (_, { n = 0 }) => ({ n })
})
const fail = operation({
  name: 'probe.fail',
  summary: 'Fail in some way',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({ how: Type.String() }),
  output: Type.Object({}),
  run ({ kernel }, { how }) {
    if (how === 'known') throw new Teapot('coffee').with({ path: '/pot' })
    if (how === 'secret') throw new Error(`${TOKEN} does not fit`)
    if (how === 'text') throw 'a text' // eslint-disable-line no-throw-literal
    throw new TypeError(`${how} of ${kernel.preset}`)
  }
})
const peek = operation({ ...fail, name: 'probe.peek', summary: 'Read and empty', effect: 'local' })

const probe = definePlugin({
  name: 'probe',
  version: '1.0.0',
  kernel: '^2.0.0',
  contributes: {
    routes: [
      route(change, { method: 'POST', path: '/change' }),
      route(fail, { method: 'GET', path: '/fail' }),
      route(peek, { method: 'GET', path: '/peek' })
    ]
  }
})

async function start (t: Test, api: object = {}): Promise<Kernel> {
  const kernel = await createKernel(definePreset({ name: 'probing', plugins: [openapi, http, probe] }),
    { dataDir: testFolder(t), log: { file: false }, api })
  t.teardown(() => kernel.close())
  await kernel.start({ listen: false })
  return kernel
}

async function ask (kernel: Kernel, request: InjectOptions) {
  const { statusCode: status, headers, body } = await kernel.app.inject(request)
  const isJson = String(headers['content-type']).startsWith('application/json')
  return { status, headers, text: body, body: isJson && body !== '' ? JSON.parse(body) : undefined }
}

t.test('paths and methods that do not exist', async t => {
  const kernel = await start(t)
  for (const url of ['/', '/api', '/api/', '/api/nothing', '/api/change/', '/api/Change', '/api/docs/nothing']) {
    const { status, body, headers } = await ask(kernel, { url })
    t.equal(status, 404, url)
    t.match(body, { status: 'error', reason: /\S/ }, url)
    t.equal(headers['cache-control'], 'no-store')
  }
  for (const [method, url, allowed] of [
    ['GET', '/api/change?n=1', 'POST'], ['DELETE', '/api/change', 'POST'], ['PATCH', '/api/fail', 'GET, HEAD'],
    ['POST', '/api/openapi.json', 'GET, HEAD'], ['PUT', '/api/docs', 'GET, HEAD']
  ] as const) {
    const { status, body, headers } = await ask(kernel, { method, url })
    t.equal(status, 405, `${method} ${url}`)
    t.equal(headers.allow, allowed)
    t.match(body, { status: 'error', error: 'method_not_allowed', reason: new RegExp(`does not support ${method}`) })
  }
})

t.test('a path that cannot be decoded is under the same rules', async t => {
  const kernel = await start(t, { token: TOKEN })
  const headers = { authorization: `Bearer ${TOKEN}` }
  for (const url of ['/api/%zz', '/api/change/%', '/%E0%A4%A', '/api/%zz?n=%']) {
    t.equal((await ask(kernel, { url })).status, 401, url)
    t.equal((await ask(kernel, { url, headers: { ...headers, host: 'evil.example' } })).status, 403, url)
    t.match(await ask(kernel, { url, headers }), { status: 404, body: { status: 'error', error: 'no_route' } }, url)
  }
})

t.test('a part of a path that is too long is answered as everything else', async t => {
  const kernel = await start(t, { token: TOKEN })
  const url = `/api/history/${'x'.repeat(5_000)}`
  t.match(await ask(kernel, { url }), { status: 401, body: { status: 'error', error: 'unauthorized' } })
  const { status, body } = await ask(kernel, { url, headers: { authorization: `Bearer ${TOKEN}` } })
  t.match(body, { status: 'error', error: String, reason: String })
  t.ok(status === 400 || status === 404, String(status))
})

/** A form of one field, as browsers send it. */
const form = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--b--\r\n`

t.test('bodies', async t => {
  const kernel = await start(t)
  const post = (payload: string | Buffer, type?: string) => ask(kernel, {
    method: 'POST', url: '/api/change?n=1', payload, headers: type === undefined ? {} : { 'content-type': type }
  })
  for (const [payload, type, n] of [
    ['{"n":2}', 'application/json', 2], ['{"n":2}', 'application/json; charset=utf-8', 2], ['', 'application/json', 1],
    ['null', 'application/json', 1], ['{}', 'application/json', 1], ['n=3', 'application/x-www-form-urlencoded', 3],
    ['n=3', 'Application/X-WWW-Form-Urlencoded; charset=UTF-8', 3], ['', 'application/x-www-form-urlencoded', 1],
    ['', undefined, 1], ['n=3&n=4', 'application/x-www-form-urlencoded', 4],
    [form('n', '5'), 'multipart/form-data; boundary=b', 5], [form('n', '6'), 'Multipart/Form-Data; boundary="b"', 6],
    [form('n"; filename="n', '5'), 'multipart/form-data; boundary=b', 1]
  ] as const) t.same((await post(payload, type)).body, { n }, `${payload} as ${type}`)

  for (const payload of ['[1]', '5', '"n"', 'true']) {
    const { status, body } = await post(payload, 'application/json')
    t.equal(status, 400, payload)
    t.match(body, { status: 'error', error: 'bad_input', reason: 'The body must be a JSON object' })
  }
  for (const payload of ['{', '{n:1}', "{'n':1}", '\u0000', '{"n":1}x', '{"__proto__":{"n":1}}']) {
    const { status, body } = await post(payload, 'application/json')
    t.equal(status, 400, payload)
    t.match(body, { status: 'error', error: 'bad_input', reason: /^The body is not valid JSON: / })
  }
  for (const [payload, type, status, error] of [
    [`{"n":${'1'.repeat(2 ** 20)}}`, 'application/json', 413, 'too_large'],
    ['x'.repeat(2 ** 20 + 1), 'application/x-www-form-urlencoded', 413, 'too_large'],
    [form('n', '1'.repeat(2 ** 20)), 'multipart/form-data; boundary=b', 413, 'too_large'],
    ['n', 'multipart/form-data; boundary=b', 400, 'bad_input'], [form('n', '2'), 'multipart/form-data', 400, 'bad_input']
  ] as const) {
    const answer = await post(payload, type)
    t.equal(answer.status, status, type)
    t.match(answer.body, { status: 'error', error, reason: /\S/ })
  }
  for (const type of ['application/xml', 'text/plain', 'nonsense', undefined]) {
    t.match(await post(Buffer.from('n'), type), {
      status: 415,
      body: {
        status: 'error',
        error: 'unsupported_media_type',
        reason: /^The content type of the body must be .*: application\/json, application\/x-www-form-urlencoded$/
      }
    }, type ?? 'without one')
  }
})

t.test('failures', async t => {
  const kernel = await start(t)
  const failing = (how: string) => ask(kernel, { url: '/api/fail', query: { how } })
  t.same(await failing('known').then(({ status, body }) => [status, body]),
    [418, { status: 'error', error: 'teapot', reason: 'There is no coffee here', path: '/pot' }])
  t.same((await failing('an end')).body, {
    status: 'error',
    message: 'TypeError: an end of probing',
    reason: 'TypeError: an end of probing',
    stacktrace: ''
  })
  t.match((await failing('text')).body, { message: 'a text', stacktrace: '' }, 'whatever is thrown')
  t.equal((await failing('text')).status, 500)
  kernel.logs.setLevel('service', 'DEBUG')
  t.match((await failing('an end')).body, { stacktrace: /TypeError: an end of probing\n\s+at / })
})

t.test('hosts and origins, on every address', async t => {
  const kernel = await start(t, { corsOrigins: ['https://panel.example.com'] })
  for (const url of ['/api/change', '/api/openapi.json', '/api/docs', '/api/docs/static/swagger-ui.css', '/nothing']) {
    for (const headers of [
      { host: 'evil.example' }, { origin: 'http://evil.example' }, { host: 'localhost:80', origin: 'null' }
    ]) {
      const { status, body } = await ask(kernel, { url, headers })
      t.equal(status, 403, `${url} with ${JSON.stringify(headers)}`)
      t.match(body, { status: 'error', error: 'forbidden', reason: /is not allowed/ })
    }
  }
  const crossing = { 'sec-fetch-site': 'cross-site' }
  t.equal((await ask(kernel, { method: 'POST', url: '/api/change', headers: crossing })).status, 403)
  t.equal((await ask(kernel, { url: '/api/peek?how=known', headers: crossing })).status, 403, 'a GET that changes')
  t.equal((await ask(kernel, { url: '/api/fail?how=known', headers: crossing })).status, 418, 'a plain read')
})

t.test('a listed site may call, and ask whether it may', async t => {
  const origin = 'https://panel.example.com'
  const kernel = await start(t, { corsOrigins: [origin], token: TOKEN })
  const asked = await ask(kernel, {
    method: 'OPTIONS', url: '/api/change', headers: { origin, 'access-control-request-method': 'POST' }
  })
  t.equal(asked.status, 204, 'before any token is sent')
  t.equal(asked.headers['access-control-allow-origin'], origin)
  t.match(asked.headers['access-control-allow-headers'], /authorization/)
  const called = await ask(kernel, {
    method: 'POST',
    url: '/api/change',
    headers: { origin, 'sec-fetch-site': 'cross-site', authorization: `Bearer ${TOKEN}` }
  })
  t.equal(called.status, 200)
  t.equal(called.headers['access-control-allow-origin'], origin)
  t.equal(called.headers.vary, 'origin')
  const own = await ask(kernel, { url: '/api/openapi.json', headers: { authorization: `Bearer ${TOKEN}` } })
  t.notOk('access-control-allow-origin' in own.headers, 'nobody else is told')
})

t.test('with a token nothing answers without it', async t => {
  const kernel = await start(t, { token: TOKEN })
  const urls = [
    '/api/fail?how=known', '/api/openapi.json', '/api/docs', '/api/docs/', '/api/docs/static/swagger-ui.css', '/nothing'
  ]
  for (const url of urls) {
    for (const authorization of [
      undefined, '', 'Bearer', 'Bearer ', `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, 'Bearer wrong',
      `Basic ${Buffer.from(`x:${TOKEN}`).toString('base64')}`
    ]) {
      const sent = authorization === undefined ? {} : { authorization }
      const { status, body, headers, text } = await ask(kernel, { url, headers: sent })
      t.equal(status, 401, `${url} with ${authorization}`)
      t.equal(headers['www-authenticate'], 'Bearer')
      t.match(body, { status: 'error', error: 'unauthorized', reason: /Authorization: Bearer/ })
      t.notOk(text.includes(TOKEN))
    }
    const { status } = await ask(kernel, { url, headers: { authorization: `bearer ${TOKEN}` } })
    t.not(status, 401, `${url} with it`)
  }
  const foreign = await ask(kernel, { url: '/api/peek', headers: { host: 'evil.example' } })
  t.equal(foreign.status, 403, 'the host comes first')
  const { text } = await ask(kernel, { url: '/api/fail?how=secret', headers: { authorization: `Bearer ${TOKEN}` } })
  t.match(text, /\*{8} does not fit/, 'and it appears nowhere')
})

t.test('nobody may take for ever to say what he wants', async t => {
  const { app: { server } } = await start(t)
  t.ok(server.requestTimeout > 0 && server.requestTimeout <= 300_000, `${server.requestTimeout} ms for a request`)
  t.ok(server.headersTimeout > 0 && server.headersTimeout <= 60_000, `${server.headersTimeout} ms for its head`)
})

t.test('HEAD is answered like GET, without a body', async t => {
  const kernel = await start(t)
  const { status, text, headers } = await ask(kernel, { method: 'HEAD', url: '/api/openapi.json' })
  t.equal(status, 200)
  t.equal(text, '')
  t.match(headers['content-type'], /^application\/json/)
})

const analyse = route(fail, {
  method: 'GET', path: '/analyse', writesWith: ['store'], params: Type.Object({ store: Type.Optional(Type.Boolean()) }), input: () => ({ how: 'known' })
})

t.test('a parameter that makes a GET write is refused from other sites, whatever it says', async t => {
  const plugin = definePlugin({ name: 'probe', version: '1.0.0', kernel: '^2.0.0', contributes: { routes: [analyse] } })
  const kernel = await createKernel(definePreset({ name: 'probing', plugins: [http, plugin] }),
    { dataDir: testFolder(t), log: { file: false } })
  t.teardown(() => kernel.close())
  await kernel.start({ listen: false })
  const status = async (query: string, headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') =>
    (await kernel.app.inject({ method, url: `/api/analyse${query}`, headers: { host: '192.168.1.5:49152', ...headers } })).statusCode
  const browser = { 'user-agent': 'Mozilla/5.0' }
  for (const query of ['?store=true', '?store=1', '?store=false&store=true', '?STORE=false&store=TRUE']) {
    t.equal(await status(query, browser), 403, `an image that says nothing of its page: ${query}`)
    t.equal(await status(query, browser, 'HEAD'), 403)
    t.equal(await status(query, { 'sec-fetch-site': 'cross-site' }), 403)
    t.equal(await status(query, { host: 'localhost:49152', ...browser, referer: 'http://elsewhere.example/' }), 403)
    t.equal(await status(query, { ...browser, referer: 'http://192.168.1.5:49152/' }), 418, 'a page of ours')
    t.equal(await status(query, {}), 418, 'a program')
  }
  t.equal(await status('', browser), 418, 'without it nothing is written')
})

t.test('a GET route that empties something is refused to pages of other sites that say where they are', async t => {
  const kernel = await start(t)
  const status = async (headers: Record<string, string>) =>
    (await kernel.app.inject({ url: '/api/peek?how=known', headers })).statusCode
  t.equal(await status({ referer: 'http://elsewhere.example/' }), 403)
  t.equal(await status({ 'sec-purpose': 'prefetch' }), 403)
  t.equal(await status({ 'user-agent': 'Mozilla/5.0' }), 418, 'typed into a browser')
})

t.test('beyond this machine an image on any web page empties nothing', async t => {
  const kernel = await start(t)
  const status = async (headers: Record<string, string>) =>
    (await kernel.app.inject({ url: '/api/peek?how=known', headers: { host: '192.168.1.5:49152', ...headers } })).statusCode
  t.equal(await status({ 'user-agent': 'Mozilla/5.0' }), 403, 'browsers say nothing of the page there')
  t.equal(await status({ 'user-agent': 'Mozilla/5.0', referer: 'http://192.168.1.5:49152/' }), 418, 'a page of ours')
  t.equal(await status({}), 418, 'a program')
})
