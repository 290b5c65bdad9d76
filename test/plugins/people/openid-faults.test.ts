import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import t, { type Test } from 'tap'
import { CLIENT, createBrowser, serve, startService, walk } from './openid.js'
import { ask } from './people.js'

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const { privateKey: otherKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

type Answer = (response: ServerResponse) => void
interface Behaviour {
  readonly discovery?: Answer | object
  readonly keys?: Answer
  readonly token?: Answer
  readonly claims?: object
  readonly key?: KeyObject
  readonly header?: object
}

const json = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

function signed (claims: object, key: KeyObject, header: object): string {
  const text = `${encoded({ alg: 'RS256', kid: 'one', ...header })}.${encoded(claims)}`
  return `${text}.${createSign('sha256').update(text).sign(key).toString('base64url')}`
}

async function bodyOf (request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

/** A provider that lets everybody in without asking, and does whatever it is told to do wrong. */
async function startLiar (t: Test) {
  let behaviour: Behaviour = {}
  const nonces = new Map<string, string>()
  const asked: { authorization: string | undefined, body: URLSearchParams }[] = []
  const answers: Record<string, (url: URL, request: IncomingMessage, response: ServerResponse) => unknown> = {
    '/.well-known/openid-configuration' (_url, _request, response) {
      const { discovery = {} } = behaviour
      if (typeof discovery === 'function') return discovery(response)
      json(response, {
        issuer: host.issuer,
        authorization_endpoint: `${host.issuer}/auth`,
        token_endpoint: `${host.issuer}/token`,
        jwks_uri: `${host.issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        ...discovery
      })
    },
    '/auth' ({ searchParams }, _request, response) {
      const code = `code${nonces.size}`
      nonces.set(code, searchParams.get('nonce') ?? '')
      const back = new URL(searchParams.get('redirect_uri') ?? '')
      back.search = new URLSearchParams({ code, state: searchParams.get('state') ?? '' }).toString()
      response.writeHead(302, { location: back.href }).end()
    },
    '/keys' (_url, _request, response) {
      const { keys } = behaviour
      if (keys) return keys(response)
      json(response, { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] })
    },
    async '/token' (_url, request, response) {
      const body = await bodyOf(request)
      asked.push({ authorization: request.headers.authorization, body })
      const { token, claims, key = privateKey, header = {} } = behaviour
      if (token) return token(response)
      const now = Math.floor(Date.now() / 1000)
      const idToken = signed({
        iss: host.issuer,
        sub: 'z1',
        aud: CLIENT.id,
        iat: now,
        exp: now + 300,
        nonce: nonces.get(body.get('code') ?? ''),
        preferred_username: 'zoe',
        groups: 'staff',
        ...claims
      }, key, header)
      json(response, { access_token: 'a', token_type: 'Bearer', expires_in: 300, id_token: idToken })
    }
  }
  const host = await serve(t, (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    void (answers[url.pathname] ?? (() => response.writeHead(404).end()))(url, request, response)
  })
  return { issuer: host.issuer, asked, behave (next: Behaviour) { behaviour = next } }
}

const silent: Answer = () => {}
const gone: Answer = response => { response.destroy() }
const failing: Answer = response => { response.writeHead(500).end('oops') }
const page: Answer = response => { response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Log in to the hotel</h1>') }
const huge: Answer = response => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(`{"issuer":"${'a'.repeat(2 ** 21)}"}`)
}
const AWAY = { status: 503, text: /cannot be reached|does not answer|try again/i }
const UNUSABLE = { status: 502, text: /invalid answer/ }

t.test('whatever a provider does wrong, nobody comes in, and the next one does', async t => {
  const liar = await startLiar(t)
  let ahead = 0
  const dependencies = { now: () => Date.now() + ahead }
  const { kernel, base, me, logged, local } = await startService(t, liar.issuer, { timeoutSeconds: 1 }, dependencies)
  const faults: Record<string, readonly [Behaviour, object]> = {
    'is away': [{ discovery: gone }, AWAY],
    fails: [{ discovery: failing }, AWAY],
    'is silent': [{ discovery: silent }, AWAY],
    'answers with a page': [{ discovery: page }, UNUSABLE],
    'answers without end': [{ discovery: huge }, UNUSABLE],
    'calls itself something else': [{ discovery: { issuer: 'https://elsewhere.example' } }, UNUSABLE],
    'fails when it is given the code': [{ token: failing }, AWAY],
    'is silent when it is given the code': [{ token: silent }, AWAY],
    'is gone when it is given the code': [{ token: gone }, AWAY],
    'answers the code with a page': [{ token: page }, UNUSABLE],
    'does not know this service': [{ token: response => json(response, { error: 'invalid_client' }, 401) }, UNUSABLE],
    'gives no ID token': [{ token: response => json(response, { access_token: 'a', token_type: 'Bearer' }) }, UNUSABLE],
    'has signed with another key': [{ key: otherKey }, UNUSABLE],
    'has not signed': [{ header: { alg: 'none' } }, UNUSABLE],
    'has signed with what everybody knows': [{ header: { alg: 'HS256' } }, UNUSABLE],
    'speaks for another issuer': [{ claims: { iss: 'https://elsewhere.example' } }, UNUSABLE],
    'speaks to another service': [{ claims: { aud: 'another' } }, UNUSABLE],
    'answers another question': [{ claims: { nonce: 'another' } }, UNUSABLE],
    'says what was true once': [{ claims: { iat: 1_000, exp: 2_000 } }, UNUSABLE],
    'does not say who it is': [{ claims: { sub: undefined } }, UNUSABLE],
    'names somebody by a list': [{ claims: { preferred_username: ['zoe'] } }, { status: 403 }],
    'names somebody by markup': [{ claims: { preferred_username: '<img src=x onerror=alert(1)>\n' } }, { status: 403 }]
  }
  for (const [fault, [behaviour, expected]] of Object.entries(faults)) {
    ahead += 3_700_000 // what the provider said of itself is asked again, and nobody has failed of late
    liar.behave(behaviour)
    const browser = createBrowser()
    t.match(await walk(browser, base, 'any'), expected, fault)
    t.equal(browser.cookiesOf('127.0.0.1'), '', 'no cookie is left')
  }
  t.same((await ask(kernel, 'GET', '/api/people/users', undefined, { key: local })).body.users, [])
  liar.behave({})
  ahead += 3_700_000
  const browser = createBrowser()
  t.equal((await walk(browser, base, 'any')).status, 200)
  t.match(await me(browser.cookiesOf('127.0.0.1')), { name: 'zoe', role: 'operate' })
  t.notMatch(await logged(), CLIENT.secret)

  liar.behave({ discovery: gone })
  ahead += 3_700_000
  t.equal((await walk(createBrowser(), base, 'any')).status, 200, 'what it said an hour ago is good enough while it is away')
})

t.test('how this service says who it is goes by what the provider takes', async t => {
  process.env.PRN_TEST_OPENID_SECRET = CLIENT.secret
  const inHeader = (header = '') => /^Basic /.test(header)
    ? decodeURIComponent(Buffer.from(header.slice(6), 'base64').toString()) // both parts are written as in a form
    : undefined
  const cases = [
    ['by default in the header', {}, { clientSecret: { env: 'PRN_TEST_OPENID_SECRET' } }, { header: `${CLIENT.id}:${CLIENT.secret}`, body: null }],
    ['where it takes it only there, in the body', { token_endpoint_auth_methods_supported: ['client_secret_post'] },
      { clientSecret: { env: 'PRN_TEST_OPENID_SECRET' } }, { header: undefined, body: CLIENT.secret }],
    ['without a secret not at all', {}, { clientSecret: undefined }, { header: undefined, body: null }]
  ] as const
  for (const [what, discovery, openid, expected] of cases) {
    const liar = await startLiar(t)
    liar.behave({ discovery })
    const { base } = await startService(t, liar.issuer, openid)
    t.equal((await walk(createBrowser(), base, 'any')).status, 200, what)
    const [{ authorization, body } = { authorization: '', body: new URLSearchParams() }] = liar.asked
    t.same({ header: inHeader(authorization), body: body.get('client_secret') }, expected, what)
    t.ok(body.get('code_verifier'), 'and proves that it began the login')
  }
})
