import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { Type } from 'typebox'
import { CONTRIBUTION_LISTS } from '../../../core/kernel/contribution-lists.data.js'
import { createContributions } from '../../../core/kernel/contributions.js'
import { route } from '../../../core/contributions/route.js'
import { tool } from '../../../core/contributions/tool.js'
import { operation } from '../../../core/kernel/operation.js'
import { createStoredSettings } from '../../../core/kernel/stored-settings.js'
import { definePlugin, type AnyPlugin, type Contributed } from '../../../core/kernel/plugin.js'
import type { Services } from '../../../core/index.js'

const Empty = Type.Object({})
const does = (name: string) =>
  operation({ name, summary: name, effect: 'read', input: Empty, output: Empty, run: () => ({}) })
const plugin = (name: string, contributes: unknown): AnyPlugin =>
  definePlugin({ name, version: '1.0.0', kernel: '*', contributes: contributes as Contributed })
const services = { lamp: 'a service' } as unknown as Readonly<Services>
const index = (...plugins: AnyPlugin[]) =>
  createContributions(plugins.map(plugin =>
    ({ plugin, options: { level: 3 }, settings: createStoredSettings(plugin.name, plugin.settings) })), services)
const get = (name: string, path = `/${name}`) => route(does(name), { method: 'GET', path })

t.test('lists keep the order of the plugins, and know who added what', async t => {
  const [a, b, c] = [get('a'), get('b'), tool(does('c'), { name: 'c' })]
  const found = index(plugin('one', { routes: [a] }), plugin('two', { routes: [b], tools: [c] }))
  t.same(found.of('routes'), [a, b])
  t.same(found.of('tools'), [c])
  t.equal(found.originOf(b), 'two')
  t.equal(found.originOf({}), undefined)
  t.same([...found.operations.keys()], ['a', 'b', 'c'])
})

t.test('a list nobody adds to is empty', async t => {
  t.same(index(plugin('one', undefined)).of('tools'), [])
  t.same(index(plugin('one', {})).of('other' as 'tools'), [])
})

t.test('contributions may depend on the options', async t => {
  const found = index(plugin('one', ({ level }: { level: number }) => ({ routes: [get(`a${level}`)] })))
  t.same(found.of('routes').map(({ path }) => path), ['/a3'])
})

t.test('one operation may have many faces', async t => {
  const shared = does('shared')
  const found = index(plugin('one', {
    routes: [route(shared, { method: 'GET', path: '/a' }), route(shared, { method: 'POST', path: '/a' })],
    tools: [tool(shared, { name: 'a' })]
  }), plugin('two', { tools: [tool(shared, { name: 'b' })] }))
  t.equal(found.operations.size, 1)
  t.equal(found.originOf(shared), 'one', 'the first one has it')
  const asTool = index(plugin('one', { tools: [tool(shared, { name: 'a' })] }), plugin('two', { routes: [route(shared, { method: 'GET', path: '/b' })] }))
  t.equal(asTool.originOf(shared), 'one', 'whatever it offers')
})

t.test('two routes of one method and path name both plugins', async t => {
  t.throws(() => index(plugin('one', { routes: [get('a', '/x')] }), plugin('two', { routes: [get('b', '/x')] })), {
    code: 'PRN_ERR_DUPLICATE', message: "Route 'GET /x' is defined twice: by 'one' and by 'two'"
  })
})

t.test('two tools of one name name both plugins, also when they are one', async t => {
  const make = (operation: string) => tool(does(operation), { name: 'same_tool' })
  t.throws(() => index(plugin('one', { tools: [make('a')] }), plugin('two', { tools: [make('b')] })), {
    code: 'PRN_ERR_DUPLICATE', message: "Tool 'same_tool' is defined twice: by 'one' and by 'two'"
  })
  t.throws(() => index(plugin('one', { tools: [make('a'), make('b')] })), { message: /by 'one' and by 'one'/ })
})

t.test('two operations of one name name both plugins', async t => {
  t.throws(() => index(plugin('one', { routes: [get('same', '/x')] }), plugin('two', { routes: [get('same', '/y')] })), {
    code: 'PRN_ERR_DUPLICATE', message: "Operation 'same' is defined twice: by 'one' and by 'two'"
  })
})

t.test('what is no contribution names the plugin and the place', async t => {
  for (const [contributes, problem] of [
    [() => { throw new Error('boom') }, 'its contributions failed: boom'],
    [() => undefined, 'its contributions are no object'],
    ['routes', 'its contributions are no object'],
    [{ routes: get('a') }, "its contribution 'routes' is no list"],
    [{ routes: [get('a'), { method: 'GET', path: '/b' }] }, 'its contribution routes[1] was not made with route()'],
    [{ tools: [{ name: 'x' }] }, 'its contribution tools[0] was not made with tool()'],
    [{ panels: [null] }, 'its contribution panels[0] is no object']
  ] as const) {
    t.throws(() => index(plugin('clumsy', contributes)), {
      code: 'PRN_ERR_PLUGIN_LOAD', message: `Plugin 'clumsy' cannot be loaded: ${problem}`
    })
  }
})

t.test('misspelt lists and members name the plugin and what was meant', async t => {
  const bare = { name: 'x.do', summary: 'x', effect: 'read', input: Empty, output: Empty, run: () => ({}), acess: 'trusted' }
  for (const [contributes, problem] of [
    [{ route: [get('a')] }, "unknown contribution 'route'; did you mean 'routes'?"],
    [{ healthDetector: [] }, "unknown contribution 'healthDetector'; did you mean 'healthDetectors'?"],
    [{ routes: [{ operation: bare, method: 'GET', path: '/x' }] }, "operation 'x.do': unknown member 'acess'; did you mean 'access'?"],
    [{ tols: [] }, "unknown contribution 'tols'; did you mean 'tools'?"],
    [{ operations: [bare] }, "operation 'x.do': unknown member 'acess'; did you mean 'access'?"]
  ] as const) {
    t.throws(() => index(plugin('clumsy', contributes)), {
      code: 'PRN_ERR_PLUGIN_LOAD', message: `Plugin 'clumsy' cannot be loaded: ${problem}`
    })
  }
})

t.test('the lists that are known are those that plugins declare', async t => {
  const root = join(import.meta.dirname, '..', '..', '..')
  const declared = new Set<string>()
  for (const folder of ['core', 'plugins', 'presets']) {
    for (const path of await readdir(join(root, folder), { recursive: true })) {
      if (!path.endsWith('.ts')) continue
      const text = await readFile(join(root, folder, path), 'utf8')
      const [, body = ''] = /interface Contributions \{([^]*?)\n? *\}\n/.exec(text) ?? []
      for (const [, name = ''] of body.matchAll(/(?:^|\s)(\w+): (?=[A-Z{])/g)) declared.add(name)
    }
  }
  t.same([...declared].sort(), Object.keys(CONTRIBUTION_LISTS).sort())
})

t.test('a list of somebody else may hold any objects', async t => {
  const panel = { id: 'p' }
  t.same(index(plugin('one', { panels: [panel] })).of('panels' as 'routes'), [panel])
})

t.test('what is contributed sees the services of its application', async t => {
  const found = index(plugin('one', (_options: object, given: Readonly<Services>) =>
    ({ lamps: [{ read: () => (given as { lamp?: string }).lamp }] })))
  const [lamp] = found.of('lamps' as 'tools') as unknown as { read: () => string }[]
  t.equal(lamp?.read(), 'a service')
})
