import t from 'tap'
import { refusalOf } from '../../../presets/standalone/guard.js'
import { bootApp } from './boot.js'

const host = 'localhost:5000'
const loose = { strict: false, corsOrigins: ['http://ours.example'] }
const strict = { ...loose, strict: true }
const agent = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)' }

t.test('programs may write, in strict mode too', async t => {
  for (const headers of [{ host }, { host, 'user-agent': 'curl/8.5.0' }, { host, 'user-agent': 'python-requests/2.31' }]) {
    t.equal(refusalOf(headers, loose), undefined)
    t.equal(refusalOf(headers, strict), undefined)
  }
})

t.test('pages of this application may write', async t => {
  for (const page of [
    { 'sec-fetch-site': 'same-origin' }, { origin: `http://${host}` }, { referer: `http://${host}/index.html` },
    { origin: 'http://ours.example', 'sec-fetch-site': 'cross-site' }
  ]) {
    t.equal(refusalOf({ host, ...agent, ...page }, loose), undefined)
    t.equal(refusalOf({ host, ...agent, ...page }, strict), undefined)
  }
})

t.test('images and links of other pages may not', async t => {
  for (const page of [
    { 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }, { referer: 'http://localhost:3000/' },
    { origin: 'http://elsewhere.example' }, { 'sec-fetch-site': 'same-origin', 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'prefetch' }
  ]) {
    t.type(refusalOf({ host, ...agent, ...page }, loose), 'string', JSON.stringify(page))
    t.type(refusalOf({ host, ...agent, ...page }, strict), 'string', JSON.stringify(page))
  }
})

t.test('what only strict mode refuses: a browser that does not say where it stands', async t => {
  for (const page of [{}, { 'sec-fetch-site': 'none' }]) {
    t.equal(refusalOf({ host, ...agent, ...page }, loose), undefined)
    t.type(refusalOf({ host, ...agent, ...page }, strict), 'string')
    t.equal(refusalOf({ host, ...agent, ...page, authorization: 'Bearer x' }, strict), undefined, 'no page can send that')
  }
})

t.test('on the routes', async t => {
  const { kernel, printer } = await bootApp(t, { config: { plugins: { standalone: { strict: true } } } })
  const ask = async (url: string, headers: Record<string, string>) =>
    (await kernel.app.inject({ url, headers: { host: 'localhost', ...headers } })).statusCode
  const before = printer.requests.length
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }, { origin: 'http://elsewhere.example' },
    { referer: 'http://elsewhere.example/x' }, agent, { host: 'rebound.example' }
  ]) {
    t.equal(await ask('/api/set_light_state?state=on', headers), 403, JSON.stringify(headers))
  }
  t.equal(printer.requests.length, before, 'nothing reached the printer')
  t.equal(await ask('/api/printer', { 'sec-fetch-site': 'same-site', ...agent }), 200, 'reading is another matter')
  t.equal(await ask('/api/set_light_state?state=on', { ...agent, 'sec-fetch-site': 'same-origin' }), 200)
  t.equal(await ask('/api/set_light_state?state=on', {}), 200)
})
