import t from 'tap'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { accessOf, type AnyOperation, type Effect, type Role } from '../../../core/index.js'
import { boot } from '../../helpers/boot.js'
import { ask, ELSEWHERE } from './people.js'

const ROLES: readonly Role[] = ['view', 'operate', 'administrate']

/** What everyone may do for themselves, whatever the role. */
const OWN = new Set([
  'passkeys.add', 'passkeys.begin', 'passkeys.remove', 'passkeys.require',
  'people.changeOwnPassword', 'notify.addDevice', 'notify.changeDevice', 'notify.removeDevice', 'notify.testDevice',
  'oauth.addGrant', 'oauth.revokeGrant'
])

/** Said anew here, so that a change of the rule is seen. */
const needed = (operation: AnyOperation, effect: Effect = operation.effect): Role => {
  if (accessOf(operation) === 'trusted') return 'administrate'
  return effect === 'read' || OWN.has(operation.name) ? 'view' : 'operate'
}
const isAllowed = (role: Role, least: Role) => ROLES.indexOf(role) >= ROLES.indexOf(least)

/** They take a quarter of a minute, or would take the rights away that are tested. */
const PASSED_OVER = new Set(['management.discoverPrinters', 'people.removeUser', 'people.revokeKey'])

t.test('every operation answers a role by one rule, over HTTP and as a tool', async t => {
  const { kernel } = await boot(t, { models: [], listen: true })
  const keys = {} as Record<Role, string>
  for (const role of ROLES) {
    keys[role] = await kernel.services.people.store.addKey({
      name: role, role, printers: undefined, expiresAt: undefined, owner: undefined
    })
  }
  const routes = kernel.contributed('routes')
  t.ok(routes.length > 100, `${routes.length} routes`)
  for (const { method, path, operation } of routes) {
    if (PASSED_OVER.has(operation.name)) continue
    const least = needed(operation)
    // Those above the role that is needed are let in alike: the lowest of them stands for them.
    const tried = ROLES.filter(role => !isAllowed(role, least) || role === least)
    for (const role of tried) {
      const { status, body } = await ask(kernel, method, `/api${path.replace(/:\w+/g, 'x')}`, undefined, { key: keys[role], from: ELSEWHERE })
      const isRefused = status === 403 && body?.error === 'role_too_low'
      t.equal(isRefused, !isAllowed(role, least), `${method} ${path} as ${role}: ${status}`)
    }
  }
  const { tools } = kernel.services.mcp.serverContext
  t.ok(tools.size > 90, `${tools.size} tools`)
  const every = [...kernel.plugins.keys()].join(',')
  for (const role of ROLES) {
    const client = new Client({ name: 'test', version: '1.0.0' })
    const headers = { authorization: `Bearer ${keys[role]}` }
    await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${kernel.apiPort}/mcp?toolsets=${every}`), { requestInit: { headers } }) as Transport)
    t.teardown(() => client.close())
    const offered = new Set((await client.listTools()).tools.map(({ name }) => name))
    for (const { binding: { name, operation }, effect } of tools.values()) {
      const least = needed(operation, effect === 'read' && operation.effect === 'read' ? 'read' : 'write')
      if (name === 'who_am_i') continue // only listed for those with a budget
      t.equal(offered.has(name), isAllowed(role, least), `${name} is listed for ${role} as it may be called`)
      if (isAllowed(role, least)) continue
      const text = JSON.stringify(await client.callTool({ name, arguments: { name: 'x', user_permission: true } }))
      t.match(text, /needs the role/, `${name} called as ${role}`)
    }
  }
})

t.test('routes without an operation: reading for all roles, the rest as listed', async t => {
  const { kernel } = await boot(t, { models: [] })
  const { store } = kernel.services.people
  const key = (role: Role) =>
    store.addKey({ name: role, role, printers: undefined, expiresAt: undefined, owner: undefined })
  const view = await key('view')
  const operate = await key('operate')
  const of = async (url: string, as: string, method: 'GET' | 'POST' = 'GET') =>
    (await ask(kernel, method, url, undefined, { key: as, from: ELSEWHERE })).status
  for (const url of ['/', '/metrics', '/livez', '/settings']) t.equal(await of(url, view), 200, url)
  t.equal(await of('/plugins', operate), 403)
  t.equal(await of('/plugins/management/test', operate, 'POST'), 403)
  t.equal(await of('/api/upload_file_to_host', view, 'POST'), 403)
  t.equal(await of('/api/queue/files', view, 'POST'), 403)
  t.equal(await of('/metrics', 'prnd_wrong'), 401)
})
