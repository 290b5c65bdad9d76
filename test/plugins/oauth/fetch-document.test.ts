import type { RequestListener, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { createAuthority, issueCertificate } from '../../../plugins/https/authority.js'
import { documentUrlProblem, fetchDocument, type DocumentDeps } from '../../../plugins/oauth/fetch-document.js'
import { isPublicAddress } from '../../../plugins/oauth/public-address.js'

const HOST = 'agent.internal'
const URL_ = `https://${HOST}/client.json`
const LOOPBACK = [{ address: '127.0.0.1', family: 4 }]

t.test('addresses of the Internet are told from all others', async t => {
  for (const address of ['127.0.0.1', '127.255.0.1', '0.0.0.0', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254',
    '100.64.0.1', '100.127.0.1', '192.0.0.192', '198.18.0.1', '224.0.0.1', '255.255.255.255', '::', '::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8',
    '64:ff9b::7f00:1', 'fe80::1', 'fc00::1', 'fd12::1', 'ff02::1', '2001::1', '2002:7f00:1::', '2001:db8::1', 'localhost', '', '1.1.1']) {
    t.notOk(isPublicAddress(address), address)
  }
  for (const address of ['1.1.1.1', '8.8.8.8', '172.32.0.1', '192.167.0.1', '2606:4700:4700::1111', '2a00:1450:4001::1']) {
    t.ok(isPublicAddress(address), address)
  }
})

t.test('only a plain address with a name and a path is asked', async t => {
  t.equal(documentUrlProblem('https://agent.example/client.json'), undefined)
  for (const address of ['http://agent.example/client.json', 'https://agent.example', 'https://agent.example/', 'https://agent.example:8443/c',
    'https://user@agent.example/c', 'https://agent.example/c#f', 'https://agent.example/../c', 'https://agent.example/a/./c', 'https://127.0.0.1/c',
    'https://127.1/c', 'https://2130706433/c', 'https://0x7f.1/c', 'https://[::1]/c', 'https://localhost/c', 'https://printer/c',
    'https://AGENT.example/c', `https://agent.example/${'c'.repeat(300)}`, 'c']) {
    t.ok(documentUrlProblem(address), address)
    await t.rejects(fetchDocument(address, { resolve: async () => { throw new Error('asked') } }), /^(?!.*asked)/)
  }
})

t.test('a name that leads into the network is not connected to', async t => {
  let connections = 0
  const { deps } = await serve(t, () => { connections++ })
  for (const addresses of [['127.0.0.1'], ['::1'], ['169.254.169.254'], ['192.168.1.1'], ['8.8.8.8', '10.0.0.1'], ['::ffff:127.0.0.1'], []]) {
    const resolve = async () => addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 }))
    await t.rejects(fetchDocument(URL_, { ...deps, isPublic: isPublicAddress, resolve }), /not a host of the Internet|no address/, addresses.join())
  }
  await t.rejects(fetchDocument('https://localhost.localdomain./c'), { message: /./ }, 'with the look-up of the system')
  t.equal(connections, 0)
})

t.test('a name is looked up once: its address cannot change in between', async t => {
  const { deps } = await serve(t, (_request, response) => { response.setHeader('content-type', 'application/json').end('{"a":1}') })
  let asked = 0
  const resolve = async () => {
    asked++
    return LOOPBACK
  }
  t.same(await fetchDocument(URL_, { ...deps, resolve }), { a: 1 })
  t.equal(asked, 1)
})

t.test('answers have limits', async t => {
  const answer = (headers: Record<string, string>, body: string, status = 200): RequestListener =>
    (_request, response) => { response.writeHead(status, headers).end(body) }
  const json = { 'content-type': 'application/json' }
  for (const [what, listener, message] of [
    ['a redirect', answer({ ...json, location: 'https://127.0.0.1/' }, '{}', 302), /answered 302/],
    ['an error', answer(json, '{}', 404), /answered 404/],
    ['a page', answer({ 'content-type': 'text/html' }, '{}'), /not answer with JSON/],
    ['no JSON', answer(json, '<html>'), /not answer with JSON/],
    ['too much', answer(json, JSON.stringify('x'.repeat(20_000))), /larger than/],
    ['nothing', () => {}, /in time/],
    ['a slow answer', (_request: unknown, response: ServerResponse) => { response.writeHead(200, json).write('{') }, /in time/]
  ] as const) {
    const { deps } = await serve(t, listener)
    await t.rejects(fetchDocument(URL_, { ...deps, mostMs: 500 }), { message }, what)
  }
  const { deps } = await serve(t, answer(json, '{}'))
  const { ca: _, ...unknown } = deps
  await t.rejects(fetchDocument(URL_, unknown), { message: /certificate/ }, 'a host that cannot prove its name')
})

/** A host on loopback, with a certificate for its name. */
async function serve (t: Test, listener: RequestListener): Promise<{ deps: DocumentDeps }> {
  const authority = await createAuthority('test', [HOST], Date.now())
  const { key, certificate } = await issueCertificate(authority, [HOST], Date.now())
  const server = createServer({ key, cert: certificate }, listener)
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => { server.closeAllConnections(); server.close() })
  const { port } = server.address() as AddressInfo
  return { deps: { resolve: async () => LOOPBACK, isPublic: () => true, ca: authority.certificate, port } }
}
