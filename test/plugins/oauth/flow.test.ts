import { Client as StatelessClient, StreamableHTTPClientTransport as StatelessTransport } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import t from 'tap'
import type { Kernel } from '../../../core/index.js'
import { ask, consent, start } from './oauth.js'

const REDIRECT = 'http://127.0.0.1:9999/callback'

/** What a program stores between two runs; both official libraries take it. */
function provider () {
  const stored: Record<string, any> = {}
  return {
    stored,
    redirectUrl: REDIRECT,
    clientMetadata: { client_name: 'Claude', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' },
    state: () => 'the state of the program',
    clientInformation: () => stored.client,
    saveClientInformation (client: unknown) { stored.client = client },
    tokens: () => stored.tokens,
    saveTokens (tokens: unknown) { stored.tokens = tokens },
    discoveryState: () => stored.discovery,
    saveDiscoveryState (discovery: unknown) { stored.discovery = discovery },
    redirectToAuthorization (url: URL) { stored.url = url },
    saveCodeVerifier (verifier: string) { stored.verifier = verifier },
    codeVerifier: () => stored.verifier as string
  }
}

/** What a person does on the consent page. @returns where the browser is sent */
async function allow (kernel: Kernel, cookie: string, url: URL, choice: object = {}): Promise<URL> {
  const request = Object.fromEntries(url.searchParams)
  const { origin, host } = url
  const { status, body } = await consent(kernel, cookie, request, { origin, ...choice }, { host, origin })
  t.equal(status, 200)
  return new URL(body.redirect_to as string)
}

t.test('the official client of sessions: from 401 to a tool that acts, a refresh, and the end', async t => {
  const { kernel, cookie, name } = await start(t, { models: ['P1S'], listen: true, config: { api: { host: '127.0.0.1' } } })
  const url = new URL(`http://127.0.0.1:${kernel.apiPort}/mcp`)
  const own = provider()
  const transport = () => new StreamableHTTPClientTransport(url, { authProvider: own })
  const first = transport()
  await t.rejects(new Client({ name: 'test', version: '1.0.0' }).connect(first as Transport), { name: 'Error', message: /Unauthorized/ })
  t.match(own.stored.url.href, `http://127.0.0.1:${kernel.apiPort}/authorize?`)
  const back = await allow(kernel, cookie, own.stored.url)
  t.equal(back.origin + back.pathname, REDIRECT)
  t.equal(back.searchParams.get('state'), 'the state of the program')
  t.equal(back.searchParams.get('iss'), url.origin)
  await first.finishAuth(back.searchParams.get('code') ?? '')
  t.match(own.stored.tokens, { token_type: 'Bearer', scope: 'view operate' })

  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(transport() as Transport)
  t.teardown(() => client.close())
  const names = (await client.listTools()).tools.map(tool => tool.name)
  t.ok(names.includes('set_bed_temp') && !names.includes('send_request'), 'it operates, and does not administrate')
  const answer = await client.callTool({ name: 'set_bed_temp', arguments: { name, temp: 60, user_permission: true } })
  t.match(answer, { structuredContent: { result: /60°C/ } })
  const { body: { entries: [entry] } } = await ask(kernel, '/api/audit', { query: { limit: 1 }, headers: { cookie } })
  t.match(entry, { who: 'grant of alice to Claude', face: 'mcp', act: 'climate.setBedTarget', outcome: 'done' })

  const { access_token: old } = own.stored.tokens
  await ask(kernel, '/revoke', { form: { token: old }, headers: { host: url.host } })
  const again = await client.listTools().catch(() => client.listTools()) // its connections were closed
  t.ok(again.tools.length > 0, 'without its access token, the client gets another one by itself')
  t.not(own.stored.tokens.access_token, old)

  const { body: { grants } } = await ask(kernel, '/api/oauth/grants', { headers: { cookie } })
  t.match(grants, [{ name: 'grant of alice to Claude', user: 'alice', sent_to: '127.0.0.1:9999', role: 'operate', printers: null, own: true }])
  t.ok(grants[0].used_at > 0)
  await ask(kernel, '/revoke', { form: { token: own.stored.tokens.refresh_token }, headers: { host: url.host } })
  await t.rejects(client.listTools(), 'and then it has to ask a person again')
  t.same((await ask(kernel, '/api/oauth/grants', { headers: { cookie } })).body.grants, [])
})

t.test('the official client of revision 2026-07-28 checks who answers, and gets the printers that were chosen', async t => {
  const { kernel, cookie } = await start(t, { models: ['P1S', 'X1C'], listen: true, config: { api: { host: '127.0.0.1' } } })
  const url = new URL(`http://127.0.0.1:${kernel.apiPort}/mcp`)
  const own = provider()
  const connect = async () => {
    const transport = new StatelessTransport(url, { authProvider: own })
    const client = new StatelessClient({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
    t.teardown(() => client.close())
    return { client, transport, done: client.connect(transport) }
  }
  const first = await connect()
  await t.rejects(first.done)
  const back = await allow(kernel, cookie, own.stored.url, { role: 'view', printers: ['p1s'], lasts: 'hour' })
  const mixedUp = new URLSearchParams(back.searchParams)
  mixedUp.set('iss', 'https://evil.example')
  await t.rejects(first.transport.finishAuth(mixedUp), /iss/i, 'an answer of another server is not taken')
  await first.transport.finishAuth(back.searchParams)
  t.equal(own.stored.tokens.scope, 'view')

  const { client, done } = await connect()
  await done
  const names = (await client.listTools()).tools.map(tool => tool.name)
  t.ok(names.includes('get_configured_printers') && !names.includes('set_bed_temp'))
  const printers = JSON.stringify(await client.callTool({ name: 'get_configured_printers', arguments: {} }))
  t.match(printers, 'p1s')
  t.notMatch(printers, 'x1c')
})
