import { hostname } from 'node:os'
import t from 'tap'
import { refusalOf } from '../../../plugins/http/write-guard.js'
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

t.test('beyond this machine strict is the rule: browsers do not say there which site sends them', async t => {
  const { kernel, printer } = await bootApp(t)
  const ask = async (host: string, more: Record<string, string> = {}) =>
    (await kernel.app.inject({ url: '/api/set_light_state?state=on', headers: { host, ...agent, ...more } })).statusCode
  const before = printer.requests.length
  for (const host of ['192.168.1.5:5000', hostname()]) t.equal(await ask(host), 403, host)
  t.equal(printer.requests.length, before, 'nothing reached the printer')
  t.equal(await ask('192.168.1.5:5000', { referer: 'http://192.168.1.5:5000/' }), 200, 'a page of its own')
  t.equal(await ask('192.168.1.5:5000', { 'user-agent': 'curl/8.5.0' }), 200, 'a program')
  t.equal(await ask('localhost:5000'), 200, 'here they do')
  const page = await kernel.app.inject({ url: '/', headers: { host: '192.168.1.5:5000' } })
  t.equal(page.headers['referrer-policy'], 'same-origin', 'its pages say where they stand')
})

t.test('strict can be switched off', async t => {
  const { kernel } = await bootApp(t, { config: { plugins: { standalone: { strict: false } } } })
  const headers = { host: '192.168.1.5:5000', ...agent }
  t.equal((await kernel.app.inject({ url: '/api/set_light_state?state=on', headers })).statusCode, 200)
})
