import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { listening } from './connect.js'
import { connectStateless, statelessRequest } from './connect-stateless.js'

const NO_PRINTERS = { models: [] }

t.test('a client that listens hears of what it named, and of nothing else', async t => {
  const { url, printer, name, kernel } = await listening(t)
  const client = await connectStateless(t, url)
  const uri = `prnd://printers/${name}`
  const seen: string[] = []
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => { seen.push(params.uri) })
  const stream = await client.listen({ resourceSubscriptions: [uri, 'prnd://printers/nobody'], toolsListChanged: true })
  t.same(stream.honoredFilter, { resourceSubscriptions: [uri] }, 'what does not exist or never comes is not promised')
  printer.patch({ bed_temper: 71 })
  await eventually(() => seen.length > 0)
  t.ok(seen.every(changed => changed === uri), 'the list was not asked for')

  const { clientRegistry } = kernel.services.mcp.serverContext
  t.equal(clientRegistry.size, 2, 'beside the client in this process')
  await stream.close()
  await eventually(() => clientRegistry.size === 1)
})

t.test('a client hears of printers that come and go', async t => {
  const { url, kernel, name } = await listening(t)
  const client = await connectStateless(t, url)
  let heard = 0
  client.setNotificationHandler('notifications/resources/list_changed', () => { heard++ })
  await client.listen({ resourcesListChanged: true })
  await kernel.printers.remove(name)
  await eventually(() => heard > 0)
  t.notMatch((await client.listResources()).resources, [{ uri: `prnd://printers/${name}` }])
})

t.test('two addresses of one resource are told apart, and both end with their stream', async t => {
  const { url, printer } = await listening(t, { models: [{ model: 'X1C', name: 'my printer' }] })
  const client = await connectStateless(t, url)
  const uris = ['prnd://printers/my printer', 'prnd://printers/my%20printer']
  const seen = new Set<string>()
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => { seen.add(params.uri) })
  const stream = await client.listen({ resourceSubscriptions: uris })
  printer.patch({ bed_temper: 55 })
  await eventually(() => seen.size === 2)
  t.same([...seen].sort(), uris)
  await stream.close()
})

t.test('streams are limited like sessions; the end of the service ends them', async t => {
  const { url, raw, kernel } = await listening(t, { ...NO_PRINTERS, config: { plugins: { mcp: { maxSessions: 1 } } } })
  const client = await connectStateless(t, url)
  const first = await client.listen({ resourcesListChanged: true })
  const asked = statelessRequest('subscriptions/listen', { notifications: { resourcesListChanged: true } })
  const refused = await raw('POST', asked)
  t.equal(refused.status, 503)
  t.match(await refused.json(), { jsonrpc: '2.0', error: { code: -32_000, message: /Too many subscriptions/ } })
  t.ok((await client.listTools()).tools.length > 0, 'calls go on')
  await kernel.close()
  t.equal(await first.closed, 'graceful')
})

t.test('a request to listen that makes no sense is refused', async t => {
  const { raw, kernel } = await listening(t, NO_PRINTERS)
  for (const params of [{}, { notifications: 7 }, { notifications: { resourceSubscriptions: [7] } }]) {
    t.match(await (await raw('POST', statelessRequest('subscriptions/listen', params))).json(), { error: { code: -32_602 } })
  }
  t.equal(kernel.services.mcp.serverContext.clientRegistry.size, 1, 'nothing is left of them')
})
