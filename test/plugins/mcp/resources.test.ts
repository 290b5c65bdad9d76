import { ResourceUpdatedNotificationSchema, ResourceListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import t from 'tap'
import { definePlugin, definePreset, defineResource } from '../../../core/index.js'
import { createResourceRegistry } from '../../../plugins/mcp/resource-registry.js'
import daemon from '../../../presets/daemon/index.js'
import { boot } from '../../helpers/boot-features.js'
import { eventually } from '../../helpers/eventually.js'
import { listening } from './connect.js'

const LIST = 'prnd://printers'
const BOTH = [{ model: 'X1C', name: 'Left & right 100%' }, { model: 'P1S', name: 'back' }] as const
const FIRST = 'prnd://printers/Left%20%26%20right%20100%25'

const read = async (client: Client, uri: string): Promise<any> => {
  const { contents: [content] } = await client.readResource({ uri })
  return JSON.parse((content as { text: string }).text)
}

function updates (client: Client): { uri: string, at: number }[] {
  const seen: { uri: string, at: number }[] = []
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params: { uri } }) => {
    seen.push({ uri, at: Date.now() })
  })
  return seen
}

t.test('list, templates and reading', async t => {
  const { client, kernel } = await boot(t, { models: BOTH })
  const { resources } = await client.listResources()
  t.match(resources, [
    { uri: LIST, name: 'printers', mimeType: 'application/json', description: String },
    { uri: FIRST, name: 'printer: Left & right 100%', title: 'Printer state: Left & right 100%' },
    { uri: 'prnd://printers/back', name: 'printer: back' }
  ])
  const { resourceTemplates } = await client.listResourceTemplates()
  t.match(resourceTemplates, [{ uriTemplate: 'prnd://printers/{name}', mimeType: 'application/json' }])

  t.match(await read(client, LIST), {
    printers: [
      { name: 'Left & right 100%', connected: true, service_state: 'CONNECTED', gcode_state: 'IDLE', problem: null, resource: FIRST },
      { name: 'back' }
    ]
  })
  const one = await read(client, FIRST)
  t.ok(JSON.stringify(one).includes('IDLE'))
  t.same(Object.keys(one), Object.keys(await read(client, 'prnd://printers/Left & right 100%25')), 'encoded or not')
  t.notMatch(JSON.stringify(one), kernel.printers.config('back')?.accessCode ?? '?', 'without the access code')
})

t.test('what does not exist is -32002', async t => {
  const { client } = await boot(t)
  for (const uri of ['prnd://printers/nobody', 'prnd://nothing', 'prnd://printers/', 'prnd://printers/a/b', 'prnd://printers/%E0%A4%A']) {
    await t.rejects(client.readResource({ uri }), { code: -32_002, data: { uri } }, uri)
    await t.rejects(client.subscribeResource({ uri }), { code: -32_002 }, `subscribing to ${uri}`)
  }
})

t.test('a configured printer without a session is there, but says so', async t => {
  const { client, kernel, name } = await boot(t)
  await kernel.printers.disconnect(name)
  t.same(await read(client, `prnd://printers/${name}`), { error: `Printer '${name}' not connected` })
  t.match(await read(client, LIST), { printers: [{ name, connected: false, service_state: null }] })
})

const CHANGES = 35

t.test('subscribers hear of changes over HTTP, not of each, but always of the last one', async t => {
  const { connect, printer, name, kernel } = await listening(t)
  const { client } = await connect()
  const uri = `prnd://printers/${name}`
  const seen = updates(client)
  await client.subscribeResource({ uri })
  for (let sent = 1; sent <= CHANGES; sent++) {
    printer.patch({ bed_temper: 30 + sent })
    await new Promise(resolve => setTimeout(resolve, 40))
  }
  let lastAt = Infinity
  kernel.printers.get(name)?.events.on('state', ({ heat }, before) => {
    if (heat.bed.actual === 88 && before?.heat.bed.actual !== 88) lastAt = Date.now()
  })
  printer.patch({ bed_temper: 88 })
  await eventually(() => seen.some(({ at }) => at >= lastAt))
  t.ok(seen.length < CHANGES, `${CHANGES} changes made ${seen.length} announcements`)
  t.ok(seen.every(update => update.uri === uri))
})

t.test('unsubscribing ends it, for one client and one resource', async t => {
  const { connect, printer, name } = await listening(t)
  const { client: one } = await connect()
  const { client: two } = await connect()
  const uri = `prnd://printers/${name}`
  const [first, second] = [updates(one), updates(two)]
  await Promise.all([one.subscribeResource({ uri }), two.subscribeResource({ uri })])
  await one.unsubscribeResource({ uri })
  printer.patch({ bed_temper: 71 })
  await eventually(() => second.length > 0)
  t.same(first, [])
  await one.unsubscribeResource({ uri: 'prnd://never/asked' })
})

t.test('a client is told in its own spelling', async t => {
  const { client, printer } = await boot(t, { models: [{ model: 'X1C', name: 'my printer' }] })
  const seen = updates(client)
  await client.subscribeResource({ uri: 'prnd://printers/my printer' })
  printer.patch({ bed_temper: 55 })
  await eventually(() => seen.length > 0)
  t.equal(seen[0]?.uri, 'prnd://printers/my printer')
  await client.unsubscribeResource({ uri: 'prnd://printers/my printer' })
})

t.test('the list changes with jobs and connections', async t => {
  const { client, printer } = await boot(t)
  const seen = updates(client)
  await client.subscribeResource({ uri: LIST })
  printer.startJob({ name: 'cube' })
  await eventually(() => seen.length >= 1)
  t.equal(seen[0]?.uri, LIST)
  const before = seen.length
  await printer.stop()
  await eventually(async () => seen.length > before && (await read(client, LIST)).printers[0].connected === false)
  t.match(await read(client, LIST), { printers: [{ problem: String }] }, 'with the reason')
})

t.test('printers that come and go change what there is', async t => {
  const { client, kernel, name } = await boot(t)
  let changes = 0
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => { changes++ })
  const config = kernel.printers.config(name)
  if (!config) throw new Error('not configured')
  await kernel.printers.connect(name)
  await kernel.printers.add({ ...config, name: 'second' })
  await eventually(() => changes === 1)
  const states = async () =>
    (await client.listResources()).resources.filter(({ name }) => name.startsWith('printer: ')).length
  t.equal(await states(), 2)
  await kernel.printers.remove('second')
  await eventually(() => changes === 2)
  t.equal(await states(), 1, 'and a new connection alone changed nothing')
})

t.test('a client that is gone is forgotten', async t => {
  const { connect, kernel, name } = await listening(t)
  const { client, transport } = await connect()
  await client.subscribeResource({ uri: `prnd://printers/${name}` })
  const { clientRegistry, resources } = kernel.services.mcp.serverContext
  const dropped = t.capture(resources, 'drop', resources.drop)
  t.equal(clientRegistry.size, 2)
  await transport.terminateSession()
  t.equal(clientRegistry.size, 1)
  t.equal(dropped().length, 1)
})

t.test('what watches may use services of plugins that are set up last', async t => {
  const began: boolean[] = []
  let isSetUp = false
  const last = definePlugin({
    name: 'last',
    version: '1.0.0',
    kernel: '^2.0.0',
    needs: ['mcp'],
    contributes: {
      resources: [defineResource({
        uri: 'test://last',
        name: 'last',
        description: 'Watched from the start',
        mimeType: 'text/plain',
        read: () => ({ text: '' }),
        watch () {
          began.push(isSetUp)
          return () => {}
        }
      })]
    },
    setup () { isSetUp = true }
  })
  await boot(t, { models: [], preset: definePreset({ name: 'daemon', plugins: [daemon.plugins, last] }) })
  t.same(began, [true])
})

t.test('the desk tells who subscribed, until they leave', async t => {
  const { kernel } = await boot(t, { models: [] })
  let change = (_value: string) => {}
  let watching = true
  const desk = createResourceRegistry(kernel, [defineResource({
    uri: 'test://{size}/things',
    name: 'things',
    description: 'Things by size',
    mimeType: 'text/plain',
    values: () => ['big', 'small'],
    read: (_, size) => ({ text: size }),
    watch (_, changed) {
      change = changed
      return () => { watching = false }
    }
  })])
  desk.watch()
  const told: string[] = []
  const [one, two] = [{ name: 'one' }, { name: 'two' }]
  for (const client of [one, two]) {
    t.ok(desk.subscribe(client, 'test://big/things', async uri => { told.push(`${client.name} ${uri}`) }))
  }
  t.notOk(desk.subscribe(one, 'test://huge/things', async () => {}))
  change('small')
  change('big')
  t.same(told, ['one test://big/things', 'two test://big/things'])
  desk.drop(one)
  change('big')
  await eventually(() => told.length === 3)
  t.equal(told[2], 'two test://big/things')
  change('big')
  desk.unsubscribe(two, 'test://big/things')
  await new Promise(resolve => setTimeout(resolve, 1_100))
  t.equal(told.length, 3, 'what was to be told is not any more')
  desk.close()
  t.notOk(watching)
})
