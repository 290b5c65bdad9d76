import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { takesGzip } from '../../../plugins/http/send-bytes.js'
import { boot } from '../../helpers/boot.js'

const LARGE = ['/api/openapi.json', '/api/filament_catalog', '/api/health_check']

t.test('large answers have an ETag, and are not sent again to who has them', async t => {
  const { kernel } = await boot(t, { models: [{ model: 'X1C', reportEveryMs: 3_600_000 }] })
  for (const url of LARGE) {
    const first = await kernel.app.inject(url)
    const { etag } = first.headers
    t.match(etag, /^W\/"[\w-]+"$/, url)
    t.equal(first.headers['cache-control'], 'no-store', 'no cache answers in our place')
    for (const given of [etag, `"other", ${String(etag)}`, String(etag).slice(2), '*']) {
      const again = await kernel.app.inject({ url, headers: { 'if-none-match': String(given) } })
      t.equal(again.statusCode, 304, `${url} for ${String(given)}`)
      t.equal(again.body, '')
      t.equal(again.headers.etag, etag)
      t.equal(again.headers['content-type'], undefined)
    }
    const { statusCode } = await kernel.app.inject({ url, headers: { 'if-none-match': '"other"' } })
    t.equal(statusCode, 200, `${url} has changed since`)
  }
})

t.test('another answer has another tag', async t => {
  const { kernel, http, name } = await boot(t)
  const tag = async () => (await kernel.app.inject('/api/health_check')).headers.etag
  const before = await tag()
  await http('POST', '/api/set_bpm_verbose', { printer: name, verbose: true })
  t.not(await tag(), before)
})

t.test('the state has none: its 304 says that there are no live data', async t => {
  const { kernel, printer, name } = await boot(t)
  const first = await kernel.app.inject('/api/printer')
  t.equal(first.headers.etag, undefined)
  for (const given of ['*', 'W/"anything"']) {
    const { statusCode, body } = await kernel.app.inject({ url: '/api/printer', headers: { 'if-none-match': given } })
    t.equal(statusCode, 200, given)
    t.ok(body.length > 4096)
  }
  printer.faults.rejectAccessCode()
  await kernel.printers.connect(name)
  t.equal((await kernel.app.inject('/api/printer')).statusCode, 304)
})

t.test('small answers and failures have none', async t => {
  const { kernel } = await boot(t, { models: [] })
  for (const url of ['/api/log_level', '/api/printers', '/api/health_check']) {
    const { headers } = await kernel.app.inject({ url, headers: { 'if-none-match': '*' } })
    t.equal(headers.etag, undefined, url)
    t.equal(headers.vary, undefined, url)
  }
})

t.test('large answers are compressed for who takes it, once for all', async t => {
  const { kernel } = await boot(t, { models: [{ model: 'X1C', reportEveryMs: 3_600_000 }] })
  for (const url of [...LARGE, '/api/printer']) {
    const plain = await kernel.app.inject(url)
    t.equal(plain.headers['content-encoding'], undefined, url)
    t.equal(plain.headers.vary, 'accept-encoding', url)
    const [one, two] = await Promise.all([1, 2].map(() =>
      kernel.app.inject({ url, headers: { 'accept-encoding': 'gzip, deflate, br' } })))
    t.equal(one?.headers['content-encoding'], 'gzip', url)
    t.equal(one?.headers['content-type'], plain.headers['content-type'])
    t.equal(one?.headers.etag, plain.headers.etag, 'the same answer')
    t.equal(gunzipSync(one?.rawPayload ?? Buffer.of()).toString(), plain.body, url)
    t.equal(Number(one?.headers['content-length']), one?.rawPayload.length)
    t.ok((one?.rawPayload.length ?? 0) < plain.rawPayload.length / 2, url)
    t.same(one?.rawPayload, two?.rawPayload)
  }
  const small = await kernel.app.inject({ url: '/api/log_level', headers: { 'accept-encoding': 'gzip' } })
  t.equal(small.headers['content-encoding'], undefined, 'a small one is not worth it')
})

t.test('the origin that an answer depends on stays said', async t => {
  const origin = 'https://panel.example.com'
  const { kernel } = await boot(t, { models: [], config: { api: { corsOrigins: [origin] } } })
  const { headers } = await kernel.app.inject({ url: '/api/filament_catalog', headers: { origin, 'accept-encoding': 'gzip' } })
  t.equal(headers['access-control-allow-origin'], origin)
  t.equal(headers.vary, 'origin, accept-encoding')
})

t.test('who takes gzip', async t => {
  for (const text of ['gzip', 'br, gzip;q=0.5', 'GZIP', '*', 'deflate, *;q=0.1']) t.ok(takesGzip(text), text)
  for (const text of ['', 'br', 'identity', 'gzip;q=0', 'gzip; q=0.000', '*;q=0', 'gzip;q=0, *']) t.notOk(takesGzip(text), text)
})
