import t from 'tap'
import { definePlugin, type AnyPlugin } from '../../../core/index.js'
import { defineDashboardPanel, type DashboardPanel } from '../../../plugins/web/index.js'
import { bootWeb } from './boot.js'

const pluginWith = (panels: readonly DashboardPanel[]): AnyPlugin =>
  definePlugin({ name: 'extra', version: '1.0.0', kernel: '^2.0.0', contributes: { panels } })
const panel = (id: string, render: DashboardPanel['render']) => defineDashboardPanel({ id, title: id, slot: 'dashboard', render })
const quiet = { listen: false }

t.test('the page of a printer is at its own path, and at / while there is one printer', async t => {
  const { kernel } = await bootWeb(t, quiet)
  for (const path of ['/', '/printer', '/?printer=p1s']) {
    t.match((await kernel.app.inject(path)).body, '<body class="shell" data-page="printer">', path)
  }
})

t.test('panels of plugins are drawn; one that fails is left out', async t => {
  const extra = pluginWith([
    panel('picture', ({ name }) => `<svg xmlns="http://www.w3.org/2000/svg"><title>${name}</title></svg>`),
    panel('text', () => '<p>Hello</p>'),
    panel('hidden', () => undefined),
    panel('broken', () => { throw new Error('broken') })
  ])
  const { http, name } = await bootWeb(t, { ...quiet, more: [extra] })
  const { body } = await http('GET', '/plugins/web/panels', { printer: name })
  t.same(body, [
    { id: 'picture', title: 'picture', markup: '<svg xmlns="http://www.w3.org/2000/svg"><title>p1s</title></svg>', picture: true },
    { id: 'text', title: 'text', markup: '<p>Hello</p>', picture: false }
  ])
  t.same((await http('GET', '/plugins/web/panels', { printer: 'nope' })).body, [])
})

t.test('a panel that cannot be shown stops the boot and names its plugin', async t => {
  const bad = pluginWith([panel('No spaces', () => '')])
  await t.rejects(bootWeb(t, { ...quiet, models: [], more: [bad] }), { message: /No spaces.*extra.*hyphens/ })
  const twice = pluginWith([panel('one', () => ''), panel('one', () => '')])
  await t.rejects(bootWeb(t, { ...quiet, models: [], more: [twice] }), { message: /same id/ })
})

t.test('with a token a browser is sent to the login, a program is refused', async t => {
  const { kernel } = await bootWeb(t, { ...quiet, models: [], api: { token: 'secret-enough-123' } })
  const { statusCode, headers } = await kernel.app.inject({ url: '/', headers: { accept: 'text/html' } })
  t.equal(statusCode, 303)
  t.match(headers.location, '/login')
  t.equal((await kernel.app.inject('/plugins/web/panels')).statusCode, 401)
})
