import t, { type Test } from 'tap'
import type { InjectOptions } from 'fastify'
import WebSocket from 'ws'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createKernel, type Kernel } from '../../../core/index.js'
import { createAccess } from '../../../plugins/http/access.js'
import { openEndedLogins } from '../../../plugins/http/ended-logins.js'
import { createLoginThrottle } from '../../../plugins/http/login-throttle.js'
import daemon from '../../../presets/daemon/index.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { REMOTE } from '../../helpers/addresses.js'

const TOKEN = 'a-token+with/odd=(signs)'
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', host: 'localhost' }
const FORM = { ...BROWSER, 'content-type': 'application/x-www-form-urlencoded' }

interface Options {
  readonly listen?: boolean
  readonly now?: () => number
  readonly token?: string | undefined
  readonly dataDir?: string
  readonly trustProxy?: readonly string[]
}

async function start (t: Test, options: Options = {}) {
  const { listen = false, now = Date.now, token = TOKEN, dataDir = testFolder(t), trustProxy = [] } = options
  const file = join(dataDir, 'log.txt')
  const kernel = await createKernel(daemon,
    { dataDir, log: { file }, api: { host: '127.0.0.1', trustProxy, ...(token !== '' && { token }) } },
    { now, configFile: join(dataDir, 'config.json') })
  t.teardown(() => kernel.close())
  kernel.logs.setLevel('service', 'DEBUG')
  await kernel.start({ listen })
  return { kernel, logged: () => readFile(file, 'utf8') }
}

async function ask (kernel: Kernel, request: InjectOptions) {
  const { statusCode: status, headers, body: text } = await kernel.app.inject(request)
  const cookie = String(headers['set-cookie'] ?? '')
  return { status, headers, text, cookie, pair: cookie.split(';')[0] ?? '' }
}

const login = (kernel: Kernel, token: string, next?: string) => ask(kernel, {
  method: 'POST',
  url: '/login',
  headers: FORM,
  payload: new URLSearchParams({ token, ...(next !== undefined && { next }) }).toString()
})

t.test('a page leads a browser to the login, and the login leads back', async t => {
  const { kernel, logged } = await start(t)
  const { status, headers } = await ask(kernel, { url: '/api/docs/?a=1&b=2', headers: BROWSER })
  t.equal(status, 303)
  t.equal(headers.location, '/login?next=%2Fapi%2Fdocs%2F%3Fa%3D1%26b%3D2')

  const first = await ask(kernel, { url: String(headers.location), headers: BROWSER })
  const [, again = ''] = /url=([^"]+)"/.exec(first.text) ?? []
  t.match(again, /^\/login\?asked=1&#38;next=/, 'it looks once more for a cookie that another site kept back')
  const page = await ask(kernel, { url: again.replaceAll('&#38;', '&'), headers: BROWSER })
  t.equal(page.status, 200)
  t.match(page.text, /<form method="post" action="\/login">.*name="next" value="\/api\/docs\/\?a=1&#38;b=2"/)
  t.notMatch(page.text, /<script|\son\w+=/i)
  t.match(String(page.headers['content-security-policy']), /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'/)
  t.notMatch(String(page.headers['content-security-policy']), /unsafe|script-src/)
  t.equal(page.headers['cache-control'], 'no-store')
  const look = { ...BROWSER, 'accept-language': 'fr, de;q=0.8' }
  const german = await ask(kernel, { url: '/login?asked=1', headers: look })
  t.match(german.text, /<html lang="de" data-theme="">[^]*Dieser Dienst verlangt sein Token.*Anmelden/)
  const chosen = await ask(kernel, { url: '/login?asked=1', headers: { ...look, cookie: 'prnd-language=zh; prnd-theme=dark' } })
  t.match(chosen.text, /<html lang="zh" data-theme="dark">[^]*登录/, 'as on the other pages')

  const come = await login(kernel, TOKEN, '/api/docs/?a=1&b=2')
  t.equal(come.status, 303)
  t.equal(come.headers.location, '/api/docs/?a=1&b=2')
  t.match(come.cookie, /; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/)
  for (const text of [come.cookie, decodeURIComponent(come.cookie), await logged()]) t.notOk(text.includes(TOKEN))
  t.equal((await ask(kernel, { url: '/api/docs/', headers: { ...BROWSER, cookie: `other=1; ${come.pair}; more=2` } })).status, 200)
  t.equal((await ask(kernel, { url: '/api/printers', headers: { cookie: come.pair } })).status, 200)
  const back = await ask(kernel, { url: '/login?next=/api/docs', headers: { ...BROWSER, cookie: come.pair } })
  t.match(back, { status: 303, headers: { location: '/api/docs' } }, 'who is logged in is not asked')
})

t.test('programs get 401 as data, whatever they ask for', async t => {
  const { kernel } = await start(t)
  for (const request of [
    { url: '/api/printers' }, { url: '/api/printers', headers: { accept: '*/*' } }, { url: '/nothing' }, { url: '/metrics' },
    { url: '/readyz' }, { url: '/api/live' }, { url: '/api/openapi.json' },
    { method: 'POST' as const, url: '/api/pause_printing', headers: BROWSER },
    { url: '/api/printers', headers: { authorization: 'Bearer wrong', accept: 'application/json' } },
    { url: '/api/printers', headers: { cookie: 'prnd_login=x' } }, { url: `/api/printers?token=${encodeURIComponent(TOKEN)}` }
  ]) {
    const { status, headers, text } = await ask(kernel, request)
    t.equal(status, 401, `${request.url}`)
    t.match(JSON.parse(text), { status: 'error', error: 'unauthorized' })
    t.equal(headers['www-authenticate'], 'Bearer')
  }
  const mcp = await ask(kernel, { method: 'POST', url: '/mcp', payload: { jsonrpc: '2.0', id: 1, method: 'ping' } })
  t.match(mcp, { status: 401, headers: { 'www-authenticate': 'Bearer' } })
  t.match(JSON.parse(mcp.text), { jsonrpc: '2.0', error: { message: /requires a token/ } })
  t.equal((await ask(kernel, { url: '/api/printers', headers: { authorization: `Bearer ${TOKEN}` } })).status, 200)
  t.equal((await ask(kernel, { url: '/api/printers', headers: { authorization: `bearer ${TOKEN}` } })).status, 200)
})

t.test('a login leads nowhere else, and logging out ends it', async t => {
  const { kernel } = await start(t)
  for (const next of ['https://evil.example/', '//evil.example/', '/\\evil.example/', 'evil', '/a\r\nset-cookie: x=1', '']) {
    t.equal((await login(kernel, TOKEN, next)).headers.location, '/login', JSON.stringify(next))
  }
  const page = await ask(kernel, { url: `/login?asked=1&next=${encodeURIComponent('/"><script>1</script>')}`, headers: BROWSER })
  t.notMatch(page.text, '<script')
  const { pair } = await login(kernel, TOKEN)
  t.match((await ask(kernel, { url: '/login', headers: { ...BROWSER, cookie: pair } })).text, /action="\/logout".*Log out/)
  const out = await ask(kernel, { method: 'POST', url: '/logout', headers: { ...FORM, cookie: pair } })
  t.match(out, { status: 303, headers: { location: '/login' } })
  t.match(out.cookie, /^prnd_[0-9a-f]{8}=; .*Max-Age=0$/)
  for (const url of ['/login', '/logout']) {
    const foreign = await ask(kernel, { method: 'POST', url, headers: { ...FORM, origin: 'https://evil.example' }, payload: 'token=x' })
    t.equal(foreign.status, 403, `${url} from another site`)
  }
})

t.test('a wrong token is told, and soon nobody may try', async t => {
  let now = 1_000_000
  const { kernel, logged } = await start(t, { now: () => now })
  for (let at = 0; at < 10; at++) {
    t.match(await login(kernel, 'not it', '/api/docs'), { status: 401, text: /role="alert">That is not the token/, cookie: '' })
  }
  const refused = await login(kernel, TOKEN, '/api/docs')
  t.match(refused, { status: 429, text: /Too many tries. Wait 60 seconds/, headers: { 'retry-after': '60' }, cookie: '' })
  t.match(refused.text, /http-equiv="refresh" content="60;url=\/login\?asked=1&#38;next=%2Fapi%2Fdocs"/, 'the form comes back by itself')
  t.notMatch(refused.text, /<form/)
  await eventually(async () => (await logged()).includes('wrong token at the login page'))
  t.match(await logged(), /wrong token at the login page/)
  t.match(await logged(), /"level":50.*too many wrong tokens/)
  t.notMatch(await logged(), 'not it')
  const program = await ask(kernel, { url: '/api/printers', headers: { authorization: `Bearer ${TOKEN}` } })
  t.equal(program.status, 200, 'programs are not shut out by a person who mistypes')
  now += 60_000
  t.equal((await login(kernel, TOKEN)).status, 303)
})

t.test('programs that guess are stopped, and what is right comes in all the same', async t => {
  let now = 5_000_000
  const { kernel } = await start(t, { now: () => now })
  const { pair } = await login(kernel, TOKEN)
  const guess = (token: string) => ask(kernel, { url: '/api/printers', headers: { authorization: `Bearer ${token}` } })
  for (let at = 0; at < 300; at++) if ((await guess(`guess ${at}`)).status !== 401) t.fail(`guess ${at}`)
  const { status, headers, text } = await guess('one more')
  t.equal(status, 429)
  t.equal((await guess(TOKEN)).status, 200, 'a neighbour at the same address does not lock the token out')
  t.equal(headers['retry-after'], '60')
  t.match(JSON.parse(text), { status: 'error', error: 'too_many_tries', reason: /try again in 60 s/, retry_after: 60 })
  t.equal((await ask(kernel, { url: '/api/printers', headers: { cookie: pair } })).status, 200)
  now += 60_000
  t.equal((await guess(TOKEN)).status, 200)
})

t.test('cookies: made up, of another token, too old', async t => {
  let now = Date.parse('2026-01-01')
  const access = createAccess(TOKEN, { now: () => now })
  const check = (cookie: string) => access.checkAccess({ cookie })
  const { name, value } = access.pass()
  t.ok(check(`${name}=${value}`))
  t.notOk(value.includes(TOKEN))
  const [until = '', signature = ''] = value.split('.')
  for (const wrong of [
    '', name, `${name}=`, `${name}=${TOKEN}`, `${name}=${until}`, `${name}=.${signature}`, `x=${value}`,
    `${name}=${Number(until) + 1}.${signature}`, `${name}=${value}0`
  ]) t.notOk(check(wrong), wrong)
  const other = createAccess('another token', { now: () => now })
  t.not(other.cookieName, access.cookieName, 'two services of one host do not share a name')
  t.notOk(other.checkAccess({ cookie: `${other.cookieName}=${value}` }))
  t.notOk(access.checkAccess({ cookie: `${name}=${value}`, authorization: 'Bearer wrong' }), 'a token that was sent counts')
  now += 181 * 24 * 3600 * 1000
  t.notOk(check(`${name}=${value}`))
  t.ok(createAccess(undefined, { now: () => now }).checkAccess({}), 'no token, no question')
})

t.test('without a token there is no login', async t => {
  const { kernel } = await start(t, { token: '' })
  t.equal((await ask(kernel, { url: '/login', headers: BROWSER })).status, 404)
  t.equal((await ask(kernel, { url: '/api/docs', headers: BROWSER })).status, 200)
  t.ok(kernel.services.http.checkAccess({}))
})

t.test('addresses are counted apart, a network of IPv6 ones together, and not without end', async t => {
  let now = 0
  const tries = createLoginThrottle({ most: 2, windowMs: 1000, now: () => now })
  for (const address of ['10.0.0.1', '10.0.0.1', '2001:db8:1:2::1', '2001:db8:1:2:ffff::9']) tries.count(address)
  t.equal(tries.waitS('10.0.0.1'), 1)
  t.equal(tries.waitS('2001:db8:1:2:3::4'), 1)
  t.equal(tries.waitS('10.0.0.2'), 0)
  t.equal(tries.waitS('::ffff:10.0.0.1'), 1, 'the same machine')
  for (let at = 0; at < 10_000; at++) tries.count(`host ${at}`)
  t.equal(tries.waitS('10.0.0.1'), 0, 'the oldest were forgotten')
  now = 1000
  t.equal(tries.waitS('2001:db8:1:2::1'), 0)
})

t.test('a network of 64 bits is one, however its addresses are written', async t => {
  for (const [one, other, wanted] of [
    ['2001:db8::1', '2001:db8::2', true],
    ['2001:db8::1', '2001:DB8:0:0:ffff::1', true],
    ['2001:db8:0:1::1', '2001:0db8::0001:0:0:0:2', true],
    ['fe80::1%eth0', 'fe80::2%eth1', true],
    ['::1', '::2', true],
    ['2001:db8::1', '2001:db8:0:1::1', false],
    ['2001:db8::', '2001:db9::', false]
  ] as const) {
    const tries = createLoginThrottle({ most: 1, windowMs: 1000, now: () => 0 })
    tries.count(one)
    t.equal(tries.waitS(other) > 0, wanted, `${one} ${other}`)
  }
})

t.test('a clock that is set does not free who guesses, nor lock anybody out', async t => {
  let now = Date.parse('2026-01-01')
  const { typed } = createAccess(TOKEN, { now: () => now, steady: () => 0 })
  for (let at = 0; at < 10; at++) typed.count('10.0.0.1')
  t.equal(typed.waitS('10.0.0.1'), 60)
  now += 3600_000
  t.equal(typed.waitS('10.0.0.1'), 60)
})

t.test('logging out ends the login wherever a copy of its cookie is, and no other', async t => {
  const dataDir = testFolder(t)
  const first = await start(t, { dataDir })
  const here = await login(first.kernel, TOKEN)
  const there = await login(first.kernel, TOKEN)
  const status = async (kernel: Kernel, cookie: string) => (await ask(kernel, { url: '/api/printers', headers: { cookie } })).status
  t.same([await status(first.kernel, here.pair), await status(first.kernel, there.pair)], [200, 200])
  const left = await ask(first.kernel, { method: 'POST', url: '/logout', headers: { ...FORM, cookie: here.pair } })
  t.match(left.cookie, /Max-Age=0/)
  t.same([await status(first.kernel, here.pair), await status(first.kernel, there.pair)], [401, 200])
  await ask(first.kernel, { method: 'POST', url: '/logout', headers: { ...FORM, cookie: `${there.pair}0` } })
  t.equal(await status(first.kernel, there.pair), 200, 'who shows no valid cookie ends nothing')
  await first.kernel.close()
  const second = await start(t, { dataDir })
  t.same([await status(second.kernel, here.pair), await status(second.kernel, there.pair)], [401, 200], 'also after a restart')
})

t.test('ended logins are remembered until their time, and not without end', async t => {
  let now = 1_000_000_000
  const warnings: string[] = []
  const ended = await openEndedLogins(testFolder(t), () => now, text => warnings.push(text))
  const nowS = () => now / 1000
  ended.end('short', nowS() + 10)
  t.equal(ended.isEnded('short', nowS() - 5), true)
  now += 11_000
  for (let at = 0; at < 1_000; at++) ended.end(`login ${at}`, nowS() + 1_000)
  t.equal(ended.isEnded('short', nowS() + 1), false, 'it would have ended by itself')
  t.equal(ended.isEnded('open', nowS() - 5), false)
  ended.end('one too many', nowS() + 1_000)
  t.equal(ended.isEnded('open', nowS() - 5), true, 'then all end')
  t.equal(ended.isEnded('later', nowS() + 1), false)
  t.same(warnings, [])
})

t.test('the cookie of a login through TLS is for TLS alone', async t => {
  const { kernel } = await start(t, { trustProxy: ['127.0.0.1'] })
  const through = (headers: Record<string, string>) => ask(kernel, {
    method: 'POST', url: '/login', headers: { ...FORM, ...headers }, payload: new URLSearchParams({ token: TOKEN }).toString()
  })
  t.match((await through({ 'x-forwarded-proto': 'https', 'x-forwarded-for': `${REMOTE}.1` })).cookie, /; Secure$/)
  t.notMatch((await through({})).cookie, /Secure/)
})

t.test('live messages over a WebSocket and as events: with the cookie, not without', async t => {
  const { kernel } = await start(t, { listen: true })
  const { pair } = await login(kernel, TOKEN)
  const at = `127.0.0.1:${kernel.apiPort}/api/live`
  const upgrade = (headers: Record<string, string>) => new Promise<number>(resolve => {
    const socket = new WebSocket(`ws://${at}`, { headers })
    socket.on('open', () => { socket.terminate(); resolve(101) })
    socket.on('unexpected-response', (_request, { statusCode = 0 }) => { resolve(statusCode); socket.terminate() })
    socket.on('error', () => {})
  })
  t.equal(await upgrade({}), 401)
  t.equal(await upgrade({ cookie: pair }), 101)
  t.equal(await upgrade({ authorization: `Bearer ${TOKEN}` }), 101)
  t.equal(await upgrade({ cookie: pair, origin: 'http://evil.example' }), 403, 'another site brings no cookie, but never mind')
  const events = await fetch(`http://${at}`, { headers: { cookie: pair } })
  t.equal(events.status, 200)
  await events.body?.cancel()
  t.equal((await fetch(`http://${at}`)).status, 401)
})
