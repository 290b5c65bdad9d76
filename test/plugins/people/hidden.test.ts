// What somebody who is restricted to some printers is shown of the others: nothing, wherever one looks.
import t from 'tap'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { LoggingMessageNotificationSchema, type LoggingMessageNotification } from '@modelcontextprotocol/sdk/types.js'
import type { Role } from '../../../core/index.js'
import { ROUTES } from '../../../core/kernel/access.data.js'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { ownPorts } from '../../helpers/ports.js'
import { ask, ELSEWHERE } from './people.js'

const SERIAL = '00M00AZYXOTH9F3'
/** Names of the other printer, and of what is on it. */
const HIDDEN = /zyxoth/i
/** Nearly its name: no answer may say what was probably meant. */
const TYPO = 'yxother'
const SMALL = { width: 320, height: 180, fps: 5 }
const ROLES: readonly Role[] = ['view', 'operate', 'administrate']

/** They take long, end the walk, or have no end. */
const PASSED_OVER = new Set(['management.discoverPrinters', 'people.removeUser', 'people.revokeKey', 'people.changeOwnPassword'])
const ENDLESS = new Set([
  'GET /api/live', 'GET /mcp', 'GET /stream/:printer/*', 'GET /stream/:printer/stream', 'GET /stream/:printer/stream.mp4'
])

t.test('a restricted key is shown nothing of other printers', async t => {
  const booted = await boot(t, {
    models: [
      { model: 'X1C', name: 'zyxother', serial: SERIAL, camera: SMALL, sdCard: { samples: true } }, // the default one
      { model: 'P1S', name: 'open', camera: SMALL }
    ],
    listen: true,
    config: { ports: ownPorts(0, 20) }
  })
  const { kernel, tool, printers: [hidden] } = booted
  for (const name of ['open', 'zyxother']) t.equal((await tool('start_stream', { name })).failed, false)
  await tool('set_user_pref', { name: 'zyxother', key: 'k', value: 'v' })
  await tool('start_recording', { name: 'zyxother', seconds: 600, user_permission: true })
  hidden?.startJob({ name: 'zyxother-job', layers: 100, minutes: 60 })
  hidden?.patch({ print_error: 83_902_466 })
  await eventually(() => kernel.printers.get('zyxother')?.state?.job.gcodeState === 'RUNNING')
  await eventually(async () => /zyxother-job/.test((await booted.http('GET', '/api/history')).text))

  const keys: string[] = []
  for (const role of ROLES) {
    keys.push(await kernel.services.people.store.addKey({
      name: role, role, printers: ['open'], expiresAt: undefined, owner: undefined
    }))
  }
  const routes = [
    ...kernel.contributed('routes').filter(({ operation }) => !PASSED_OVER.has(operation.name))
      .map(({ method, path }) => ({ method, url: `/api${path}` })),
    ...Object.keys(ROUTES).filter(route => route.startsWith('GET ') && !ENDLESS.has(route))
      .map(route => ({ method: 'GET' as const, url: route.slice(4) }))
  ]
  const info = await ask(kernel, 'GET', '/api/server_info', undefined, { key: keys[0] ?? '', from: ELSEWHERE })
  t.match(info, { status: 200, body: { stream_count: 1, streams: { open: {} } } }, info.text)
  t.equal((await tool('get_server_info')).value.stream_count, 2, 'others are shown both')

  let answered = 0
  for (const { method, url } of routes) {
    const isRead = method === 'GET'
    for (const key of isRead ? keys : keys.slice(-1)) {
      for (const printer of isRead ? ['', 'open', TYPO] : [TYPO]) {
        const address = url.replace(':printer', printer || 'open').replace(/:\w+/g, 'x')
        const { status, text, headers } = await ask(kernel, method, printer === '' ? address : `${address}?printer=${printer}`,
          undefined, { key, from: ELSEWHERE })
        if (status === 200) answered++
        const [found] = HIDDEN.exec(text + JSON.stringify(headers)) ?? []
        t.equal(found, undefined, `${method} ${url} ${printer} ${status}`)
      }
    }
  }
  t.ok(answered > 100, `${answered} answers`)
  const panels = async (query: string) =>
    (await ask(kernel, 'GET', `/plugins/web/panels${query}`, undefined, { key: keys[0] ?? '', from: ELSEWHERE })).body
  t.same(await panels(''), await panels('?printer=open'), 'the default printer is one of its own')
})

t.test('so is an agent with such a key: tools, resources, prompts, and what it is told unasked', async t => {
  const { kernel, printers: [hidden, open] } = await boot(t, {
    models: [{ model: 'X1C', name: 'zyxother', serial: SERIAL }, { model: 'P1S', name: 'open' }],
    listen: true
  })
  const key = await kernel.services.people.store.addKey({
    name: 'agent', role: 'administrate', printers: ['open'], expiresAt: undefined, owner: undefined
  })
  hidden?.startJob({ name: 'zyxother-job', layers: 100, minutes: 60 })
  await eventually(() => kernel.printers.get('zyxother')?.state?.job.gcodeState === 'RUNNING')
  const client = new Client({ name: 'test', version: '1.0.0' })
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${kernel.apiPort}/mcp`), { requestInit }) as Transport)
  t.teardown(() => client.close())
  const shows = (value: unknown, what: string) => t.notMatch(JSON.stringify(value), HIDDEN, what)

  shows(client.getInstructions(), 'instructions')
  const { tools } = await client.listTools()
  shows(tools, 'tools/list')
  for (const { name, inputSchema: { required = [] } } of tools) {
    if (name === 'discover_printers') continue
    const args = Object.fromEntries(required.map(key => [key, key === 'name' || key === 'printer' ? TYPO : 'x']))
    shows(await client.callTool({ name, arguments: args }), name)
  }
  const { resources } = await client.listResources()
  t.ok(resources.some(({ uri }) => uri === 'prnd://printers/open'))
  shows(resources, 'resources/list')
  for (const { uri } of resources) shows(await client.readResource({ uri }).catch(String), uri)
  const { prompts } = await client.listPrompts()
  for (const { name } of prompts) shows(await client.getPrompt({ name, arguments: { printer: 'open' } }), name)
  shows(await client.complete({ ref: { type: 'ref/prompt', name: 'diagnose_printer' }, argument: { name: 'printer', value: '' } }), 'completion')
  shows(await client.complete({ ref: { type: 'ref/resource', uri: 'prnd://printers/{name}' }, argument: { name: 'name', value: '' } }), 'completion')

  const heard: LoggingMessageNotification['params'][] = []
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => { heard.push(params) })
  await client.setLoggingLevel('debug')
  hidden?.patch({ print_error: 83_902_466 })
  await eventually(() => kernel.printers.get('zyxother')?.state?.errors.faults.length === 1)
  open?.patch({ print_error: 83_902_466 })
  await eventually(() => heard.length > 0)
  shows(heard, 'messages')
})
