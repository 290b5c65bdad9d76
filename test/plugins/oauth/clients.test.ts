import t from 'tap'
import { createClients } from '../../../plugins/oauth/clients.js'
import {
  ADDRESS, ask, codeIn, connect, consent, exchange, REDIRECT, refresh, register, requestOf, start, statusOf, verifierOf
} from './oauth.js'

const EVIL = 'https://evil.example'

t.test('programs that register again and again are few in the end', async t => {
  let now = Date.now()
  const { kernel, cookie } = await start(t, { dependencies: { now: () => now } })
  const known = await connect(kernel, cookie, { lasts: 'month' })
  const one = (from: string) => ask(kernel, '/register', { json: { redirect_uris: [REDIRECT] }, from })
  for (let count = 0; count < 20; count++) t.equal((await one('192.168.1.77')).status, 201)
  const { status, body, headers } = await one('192.168.1.77')
  t.match({ status, body }, { status: 429, body: { error: 'slow_down' } })
  t.ok(Number(headers['retry-after']) > 0)
  const count = () => kernel.services.database.query<any, number>(async db => (await db.selectFrom('oauth_clients').select('id').execute()).length)
  for (let address = 0; address < 10; address++) {
    for (let count = 0; count < 20; count++) await one(`10.0.0.${address}`)
  }
  t.equal(await count(), 201, '200 that nobody uses, and the one that is used')
  now += 8 * 86_400_000
  await register(kernel)
  t.equal(await count(), 2, 'unused ones are forgotten after a week')
  const { body: next } = await refresh(kernel, known.client, known.refresh)
  t.equal(await statusOf(kernel, next.access_token), 200)
})

t.test('names of programs are text, and two of one name are told apart', async t => {
  const { kernel, cookie } = await start(t)
  const verifier = verifierOf()
  const name = '<img src=x onerror=alert(1)>\u202Eevil\u200B \n\u0000'
  const client = await register(kernel, { client_name: name })
  const { body } = await ask(kernel, '/api/oauth/request', { query: { origin: ADDRESS, ...requestOf(client, verifier) }, headers: { cookie } })
  t.equal(body.program, '<img src x onerror alert(1)> evil')
  const nameless = await register(kernel, { client_name: '\u200B' })
  const request = { origin: ADDRESS, ...requestOf(nameless, verifier) }
  t.equal((await ask(kernel, '/api/oauth/request', { query: request, headers: { cookie } })).body.program, 'agent.example')
  // What looks like an address with a secret would be masked in lists, and could not be disconnected by its name.
  const long = 'https://' + 'a.'.repeat(90) + 'example/cb'
  for (const more of [{ client_name: 'Claude ?token=1x' }, { client_name: '', redirect_uris: [long] }]) {
    const { body: { client_id: id } } = await ask(kernel, '/register', { json: { redirect_uris: [REDIRECT], ...more } })
    const redirect = 'redirect_uris' in more ? { redirect_uri: long } : {}
    const code = codeIn(await consent(kernel, cookie, requestOf(id, verifier, redirect)))
    await exchange(kernel, { code, client_id: id, code_verifier: verifier, ...redirect })
    const { body: { grants: [grant] } } = await ask(kernel, '/api/oauth/grants', { headers: { cookie } })
    const gone = await ask(kernel, '/api/oauth/grants', { method: 'DELETE', query: { name: grant.name }, headers: { cookie, origin: ADDRESS } })
    t.equal(gone.status, 200, grant.name)
  }
  await connect(kernel, cookie)
  await connect(kernel, cookie)
  const { body: { grants } } = await ask(kernel, '/api/oauth/grants', { headers: { cookie } })
  t.same(grants.map((grant: any) => grant.name), ['grant of alice to Agent', 'grant of alice to Agent (2)'])
})

t.test('no user can be called like a grant', async t => {
  const { kernel, cookie } = await start(t)
  for (const name of ['grant of alice to Agent', 'Grant Of x']) {
    const { status } = await ask(kernel, '/api/people/users', { json: { name, role: 'view' }, headers: { cookie, origin: ADDRESS } })
    t.equal(status, 400, name)
  }
})

t.test('a program that a document describes is the one that the document names', async t => {
  const { kernel, cookie } = await start(t)
  const id = 'https://agent.example/client.json'
  const document = { client_id: id, client_name: 'Agent', redirect_uris: [REDIRECT, 'http://localhost/back'] }
  const documents: Record<string, unknown> = {
    [id]: document,
    'https://other.example/client.json': document,
    'https://bad.example/client.json': { client_id: 'https://bad.example/client.json', redirect_uris: ['javascript:alert(1)'] }
  }
  let fetched = 0
  const { services: { database, oauth }, now } = kernel
  Object.assign(oauth, {
    clients: createClients({
      database,
      now,
      fetch: async address => {
        fetched++
        if (!(address in documents)) throw new Error('it answered 404')
        return documents[address]
      }
    })
  })
  const verifier = verifierOf()
  const read = (client: string, more: object = {}, as = cookie) =>
    ask(kernel, '/api/oauth/request', { query: { origin: ADDRESS, ...requestOf(client, verifier), ...more }, headers: { cookie: as } })
  t.equal((await read(id, {}, '')).status, 401)
  t.equal(fetched, 0, 'nothing is fetched for somebody without a login')
  t.match((await read(id)).body, { program: 'Agent', vouched_by: 'agent.example', sent_to: 'agent.example', sent_here: false })
  t.match((await read(id, { redirect_uri: 'http://localhost:5151/back' })).body, { vouched_by: 'agent.example', sent_here: true })
  t.equal((await read(id, { redirect_uri: EVIL })).status, 400)
  t.match((await read('https://other.example/client.json')).body, { reason: /does not state this address/ })
  t.match((await read('https://bad.example/client.json')).body, { reason: /cannot be used/ })
  t.match((await read('https://gone.example/client.json')).body, { reason: /it answered 404/ })
  const code = codeIn(await consent(kernel, cookie, requestOf(id, verifier)))
  const { body } = await exchange(kernel, { code, client_id: id, code_verifier: verifier })
  t.equal(await statusOf(kernel, body.access_token), 200)
  t.equal(fetched, 4, 'a document is read again after a while only')
  const { body: { grants } } = await ask(kernel, '/api/oauth/grants', { headers: { cookie } })
  t.match(grants, [{ vouched_by: 'agent.example', program: 'Agent' }])
})

t.test('redirect addresses that are dangerous are not registered', async t => {
  const { kernel } = await start(t)
  for (const uri of ['javascript:alert(1)', 'javascript://x/%0aalert(1)', 'data:text/html,x', 'file:///etc/passwd', 'blob:https://a.example/x',
    'http://agent.example/callback', 'https://user@agent.example/callback', `${REDIRECT}#x`, '//agent.example', 'ws://127.0.0.1/x', 'x', 7]) {
    t.match(await ask(kernel, '/register', { json: { redirect_uris: [uri] } }), { status: 400, body: { error: 'invalid_client_metadata' } }, `${uri}`)
  }
  for (const redirects of [undefined, [], 'x', Array(11).fill(REDIRECT)]) {
    t.equal((await ask(kernel, '/register', { json: { redirect_uris: redirects }, from: '127.0.0.2' })).status, 400)
  }
})
