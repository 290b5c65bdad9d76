import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { CLIENT, createBrowser, startProvider, startService as start, walk } from './openid.js'
import { ask } from './people.js'

const ACCOUNTS = {
  u1: { preferred_username: 'anna', groups: ['staff', 'prnd-admins'] },
  u2: { preferred_username: 'ben', groups: 'staff' },
  u3: { preferred_username: 'eve', groups: ['visitors'] }
}

t.test('somebody logs in at the provider and is known from then on, with the role that the provider says', async t => {
  const accounts: Record<string, Record<string, unknown>> = { ...ACCOUNTS }
  const { issuer, asked } = await startProvider(t, accounts)
  const { kernel, base, me, logged, local } = await start(t, issuer)
  t.same(asked, [], 'nothing is asked of the provider at the start')
  t.equal((await fetch(`${base}/api/printers`)).status, 401, 'nobody comes in before the first login')

  const browser = createBrowser()
  const page = await walk(browser, base, 'u1', '/fleet')
  t.equal(page.status, 200)
  t.equal(page.url.href, `${base}/fleet`, 'it ends where it was meant to')
  const cookie = browser.cookiesOf('127.0.0.1')
  t.match(await me(cookie), { name: 'anna', role: 'administrate', printers: null, locked: true })
  const [authorize] = browser.visited.filter(({ href }) => href.startsWith(`${issuer}/auth?`))
  const query = authorize?.searchParams
  t.match(Object.fromEntries(query ?? []), { response_type: 'code', code_challenge_method: 'S256', scope: 'openid profile' })
  t.ok((query?.get('state')?.length ?? 0) >= 40 && (query?.get('nonce')?.length ?? 0) >= 40, 'numbers that nobody guesses')

  const users = async () => (await ask(kernel, 'GET', '/api/people/users', undefined, { key: local })).body.users
  t.match(await users(), [{ name: 'anna', role: 'administrate', has_password: false, foreign: true }])
  const second = createBrowser()
  await walk(second, base, 'u1')
  t.equal(second.visited.at(-1)?.pathname, '/', 'without a place, the first page')
  t.equal((await users()).length, 1, 'the same user')

  accounts.u1 = { preferred_username: 'anna2', groups: ['staff'] }
  const third = createBrowser()
  await walk(third, base, 'u1')
  t.match(await me(third.cookiesOf('127.0.0.1')), { name: 'anna', role: 'operate' }, 'the role follows, the name stays')
  t.match(await me(cookie), { role: 'operate' }, 'for logins from before, too')

  const refused = async (method: 'PATCH' | 'POST', url: string, body: object, as: object) => (await ask(kernel, method, url, body, as)).body.error
  t.equal(await refused('PATCH', '/api/people/users', { name: 'anna', password: 'a new password' }, { key: local }), 'no_password_here')
  t.equal(await refused('POST', '/api/people/me/password', { current: '', password: 'a new password' }, { cookie }), 'no_password_here')

  await fetch(`${base}/logout`, { method: 'POST', headers: { cookie }, redirect: 'manual' })
  await eventually(async () => (await ask(kernel, 'GET', '/api/people/me', undefined, { cookie })).status === 401)
  t.match(await me(third.cookiesOf('127.0.0.1')), { name: 'anna' }, 'other logins go on')

  const entries = async () => (await ask(kernel, 'GET', '/api/audit?act=login', undefined, { key: local })).body.entries
  await eventually(async () => (await entries()).length === 3)
  t.match(await entries(), [{ who: 'anna', face: 'openid', outcome: 'done' }, {}, {}])

  const shown = [await logged()]
  for (const url of ['/api/people/users', '/api/server_info', '/api/openapi.json', '/api/audit', '/login', '/plugins']) {
    shown.push((await ask(kernel, 'GET', url, undefined, { key: local })).text)
  }
  const codes = browser.visited.flatMap(({ searchParams }) => searchParams.get('code') ?? [])
  t.equal(codes.length, 1)
  for (const secret of [CLIENT.secret, ...codes, ...cookie.split(/; |=/).filter(part => part.length > 20)]) {
    t.notOk(shown.some(text => text.includes(secret)), 'what is secret is shown nowhere')
  }
})

t.test('who has no role, a name of somebody else, or none is refused, and nothing is left of it', async t => {
  const accounts: Record<string, Record<string, unknown>> = {
    ...ACCOUNTS,
    u4: { preferred_username: 'Local', groups: 'staff' },
    u5: { groups: 'staff' },
    u6: { preferred_username: 'CARL', groups: 'staff' },
    u7: { preferred_username: 'ida', groups: ['constructor', '__proto__', 7, null] }
  }
  const { issuer } = await startProvider(t, accounts, { conformIdTokenClaims: false })
  const { kernel, base, me, local } = await start(t, issuer)
  await kernel.services.people.store.addUser('carl', 'administrate', undefined, null)
  const tried = async (login: string) => {
    const browser = createBrowser()
    const { status, text } = await walk(browser, base, login)
    return { status, text, cookies: browser.cookiesOf('127.0.0.1'), browser }
  }
  for (const [login, text] of [['u3', 'You have no role here'], ['u4', 'cannot be used here'], ['u5', 'did not say your user name'],
    ['u6', 'Another user has your user name'], ['u7', 'You have no role here']] as const) {
    const page = await tried(login)
    t.match(page, { status: 403, text }, login)
    t.equal(page.cookies, '', 'no cookie is left')
  }
  const names = (await ask(kernel, 'GET', '/api/people/users', undefined, { key: local })).body.users.map(({ name }: { name: string }) => name)
  t.same(names, ['carl'])
  const { entries } = (await ask(kernel, 'GET', '/api/audit?act=login&who=eve', undefined, { key: local })).body
  t.match(entries, [{ face: 'openid', outcome: 'refused', detail: /groups/ }])

  const { cookies } = await tried('u2')
  t.match(await me(cookies), { name: 'ben', role: 'operate' })
  const { store } = kernel.services.people
  const owner = kernel.services.people.find('ben').id
  const key = await store.addKey({ name: 'desk', role: 'operate', printers: undefined, expiresAt: undefined, owner })
  const withKey = async () => (await ask(kernel, 'GET', '/api/people/me', undefined, { key })).status
  t.equal(await withKey(), 200)
  accounts.u2 = { preferred_username: 'ben', groups: [] }
  t.equal((await tried('u2')).status, 403)
  t.equal((await ask(kernel, 'GET', '/api/people/me', undefined, { cookie: cookies })).status, 401, 'logins from before end with the role')
  t.equal(await withKey(), 401, 'so do keys, and what else acts for the user')
  t.equal(kernel.services.http.access.people?.rightsOf(`user ${owner}`), undefined)
  accounts.u2 = { preferred_username: 'ben', groups: 'staff' }
  t.equal((await tried('u2')).status, 200)
  t.equal(await withKey(), 200, 'until the provider gives a role again')
})

t.test('a login that was tampered with, begun elsewhere, or too old opens nothing', async t => {
  const { issuer } = await startProvider(t, ACCOUNTS)
  let ahead = 0
  const { kernel, base, me } = await start(t, issuer, { roleClaim: undefined, roles: {}, defaultRole: 'view' }, { now: () => Date.now() + ahead })
  const changed = (part: string, path: string) => {
    const browser = createBrowser()
    browser.detourBy(url => {
      if (url.pathname === path && url.searchParams.has(part)) url.searchParams.set(part, 'A'.repeat(43))
      return url
    })
    return browser
  }
  const callback = '/login/openid/callback'
  const cases = [
    [changed('state', callback), 400, /took too long, or another one was begun/],
    [changed('nonce', '/auth'), 502, /gave an invalid answer/],
    [changed('code_challenge', '/auth'), 400, /took too long/],
    [changed('code', callback), 400, /took too long/],
    [changed('iss', callback), 502, /gave an invalid answer/]
  ] as const
  for (const [browser, status, text] of cases) {
    t.match(await walk(browser, base, 'u1'), { status, text }, String(text))
    t.equal(browser.cookiesOf('127.0.0.1'), '')
    ahead += 61_000 // a minute in which nobody fails
  }

  const slow = createBrowser()
  slow.detourBy(url => {
    if (url.pathname === callback) ahead += 16 * 60_000
    return url
  })
  t.match(await walk(slow, base, 'u1'), { status: 400, text: /took too long/ })

  const browser = createBrowser()
  let begun = ''
  browser.detourBy(url => {
    if (url.pathname === callback) begun = browser.cookiesOf('127.0.0.1')
    return url
  })
  t.equal((await walk(browser, base, 'u1')).status, 200)
  const back = browser.visited.find(({ pathname }) => pathname === callback)?.href ?? ''
  t.equal((await fetch(back, { redirect: 'manual' })).status, 400, 'another browser that was sent to this address')
  t.match(begun, /^prnd_o_/)
  t.equal((await fetch(back, { headers: { cookie: begun }, redirect: 'manual' })).status, 400, 'a code is good once')
  t.equal((await fetch(back, { headers: { cookie: `${begun.slice(0, -3)}AAA` }, redirect: 'manual' })).status, 400, 'a cookie that was changed')

  const cookie = browser.cookiesOf('127.0.0.1')
  t.match(await me(cookie), { name: 'anna', role: 'view' })
  ahead += 31 * 24 * 3_600_000
  t.equal((await ask(kernel, 'GET', '/api/people/me', undefined, { cookie })).status, 401, 'a login ends after 30 days')
})

t.test('it leads to no other place, says so in three languages, and does not let anybody try for long', async t => {
  const { issuer, provider } = await startProvider(t, ACCOUNTS)
  let ahead = 0
  const { kernel, base } = await start(t, issuer, { button: undefined }, { now: () => Date.now() + ahead })
  for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example/', 'javascript:alert(1)']) {
    const begin = await fetch(`${base}/login/openid?next=${encodeURIComponent(next)}`, { redirect: 'manual' })
    t.match(begin.headers.get('location'), `${issuer}/auth?`)
    const browser = createBrowser()
    t.equal((await walk(browser, base, 'u1', next)).url.href, `${base}/`, next)
    t.notOk(browser.visited.some(({ hostname }) => hostname === 'evil.example'))
  }
  for (const [language, text] of [['en', 'Log in with OpenID'], ['de', 'Mit OpenID Connect anmelden'], ['zh', '使用 OpenID']]) {
    const response = await fetch(`${base}/login?asked=1`, { headers: { accept: 'text/html', 'accept-language': String(language) } })
    const page = await response.text()
    t.match(page, text)
    t.notMatch(page, /<form/, 'there is nothing else to log in with')
  }
  t.equal((await ask(kernel, 'GET', '/login/openid', undefined, { headers: { host: 'evil.example' } })).status, 403, 'another host')

  const error = (what: string) => fetch(`${base}/login/openid/callback?error=${what}`, { redirect: 'manual' })
  for (let count = 0; count < 10; count++) t.equal((await error('access_denied')).status, 400)
  const wait = await error('access_denied')
  t.equal(wait.status, 429)
  t.ok(Number(wait.headers.get('retry-after')) > 0)
  t.equal((await fetch(`${base}/login/openid`, { redirect: 'manual' })).status, 429)
  ahead = 61_000
  provider.removeAllListeners()
  const browser = createBrowser()
  browser.detourBy(url => {
    if (url.pathname !== '/auth' || url.hostname !== 'localhost') return url
    const denied = new URL(`${base}/login/openid/callback`)
    denied.search = new URLSearchParams({ error: 'access_denied', state: url.searchParams.get('state') ?? '', iss: issuer }).toString()
    return denied
  })
  t.match(await walk(browser, base, 'u1'), { status: 403, text: /did not let you in/ })
  t.notOk(kernel.signal.aborted)
})
