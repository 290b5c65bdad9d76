import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { Type } from 'typebox'
import { definePlugin, operation, route, type OutputOf, type Rights } from '../../../core/index.js'
import type { listPluginSettings } from '../../../plugins/system/operations/plugin-settings.js'
import { boot } from '../../helpers/boot.js'
import { testFolder } from '../../helpers/folder.js'

const make = (name: string, access: 'network' | 'trusted' | undefined) => definePlugin({
  name,
  version: '1.0.0',
  kernel: '*',
  settings: {
    schema: Type.Object({ warmC: Type.Number({ default: 45, minimum: 0, maximum: 120, title: 'Warm from' }) }),
    labels: { de: { warmC: 'Warm ab' } },
    ...access && { access }
  },
  contributes: (_options, _services, settings) => ({
    routes: [route(operation({
      name: `${name}.read`,
      summary: 'The setting',
      effect: 'read',
      scope: 'daemon',
      access: 'network',
      input: Type.Object({}),
      output: Type.Object({ warmC: Type.Number() }),
      run: () => settings.get()
    }), { method: 'GET', path: `/${name}` })]
  })
})
const PLUGINS = [make('glow', undefined), make('tint', 'network')]
const LAN = { remoteAddress: '192.168.1.77' }

t.test('settings are listed, changed, used at once and stored', async t => {
  const dataDir = testFolder(t)
  const { http, close } = await boot(t, { plugins: PLUGINS, config: { dataDir } })
  const { body } = await http('GET', '/api/plugin_settings')
  t.match(body.plugins, [{
    plugin: 'glow',
    schema: { type: 'object', properties: { warmC: { type: 'number', title: 'Warm from', default: 45, minimum: 0, maximum: 120 } } },
    labels: { de: { warmC: 'Warm ab' } },
    values: { warmC: 45 }
  }, { plugin: 'tint' }])
  t.match(await http('PATCH', '/api/plugin_settings', { plugin: 'glow', values: { warmC: 60 } }),
    { status: 200, body: { plugin: 'glow', values: { warmC: 60 } } })
  t.same((await http('GET', '/api/glow')).body, { warmC: 60 })
  t.same((await http('GET', '/api/tint')).body, { warmC: 45 }, 'each plugin has its own')
  t.same(JSON.parse(await readFile(join(dataDir, 'plugins', 'glow', 'settings.json'), 'utf8')), { warmC: 60 })
  await close()
  const again = await boot(t, { plugins: PLUGINS, config: { dataDir } })
  t.same((await again.http('GET', '/api/glow')).body, { warmC: 60 }, 'after a restart')
})

t.test('what is wrong is refused with the reason', async t => {
  const { http } = await boot(t, { plugins: PLUGINS })
  const change = (params: Record<string, unknown>) => http('PATCH', '/api/plugin_settings', params)
  t.match(await change({ plugin: 'glow', values: { warmC: 500 } }),
    { status: 400, body: { error: 'bad_input', reason: 'warmC must be <= 120' } })
  t.match(await change({ plugin: 'glow', values: { warm: 50 } }), { status: 400, body: { reason: /unknown key 'warm'; did you mean 'warmC'/ } })
  t.match(await change({ plugin: 'glow', values: 'warmC=50' }), { status: 400, body: { reason: /values must be object/ } })
  t.match(await change({ plugin: 'glow', value: { warmC: 50 } }), { status: 400, body: { reason: /unknown parameter 'value'/ } })
  t.match(await change({ plugin: 'alerts', values: {} }), { status: 404, body: { reason: "There is no plugin 'alerts' with settings" } })
  t.same((await http('GET', '/api/glow')).body, { warmC: 45 })
})

t.test('only callers with the declared access see and change them', async t => {
  const { kernel } = await boot(t, { plugins: PLUGINS })
  const inject = async (method: 'GET' | 'PATCH', payload?: object) => {
    const { statusCode, body } = await kernel.app.inject({ method, url: '/api/plugin_settings', ...LAN, ...payload && { payload } })
    return { status: statusCode, body: JSON.parse(body) }
  }
  t.same((await inject('GET')).body.plugins.map(({ plugin }: { plugin: string }) => plugin), ['tint'])
  t.match(await inject('PATCH', { plugin: 'glow', values: { warmC: 90 } }), { status: 403, body: { error: 'trusted_only', reason: /settings of glow/ } })
  t.match(await inject('PATCH', { plugin: 'tint', values: { warmC: 90 } }), { status: 200 })

  const change = kernel.operations.get('system.changePluginSettings')
  const list = kernel.operations.get('system.listPluginSettings')
  if (change === undefined || list === undefined) throw new Error('the operations are missing')
  const as = (role: Rights['role'], printers?: ReadonlySet<string>): Rights => ({ name: 'anna', role, printers })
  const seenBy = async (caller: Rights) =>
    (await kernel.call(list, {}, { caller }) as OutputOf<typeof listPluginSettings>).plugins.map(({ plugin }) => plugin)
  t.same(await seenBy(as('view')), [])
  t.same(await seenBy(as('operate')), ['tint'])
  t.same(await seenBy(as('administrate')), ['glow', 'tint'])
  const input = { plugin: 'glow', values: { warmC: 100 } }
  await t.rejects(kernel.call(change, input, { caller: as('operate') }), { code: 'PRN_ERR_ROLE_TOO_LOW' })
  await t.rejects(kernel.call(change, { ...input, plugin: 'tint' }, { caller: as('view') }), { code: 'PRN_ERR_ROLE_TOO_LOW' })
  await t.rejects(kernel.call(change, input, { caller: as('administrate', new Set(['x1c'])) }), { code: 'PRN_ERR_ALL_PRINTERS_ONLY' })
  t.match(await kernel.call(change, input, { caller: as('administrate') }), { values: { warmC: 100 } })
})
