import { createHash } from 'node:crypto'
import t from 'tap'
import { definePlugin, type AnyPlugin } from '../../../core/index.js'
import { defineDashboardPanel, type DashboardPanel } from '../../../plugins/web/index.js'
import { bootWeb } from './boot.js'

const pluginWith = (panels: readonly DashboardPanel[]): AnyPlugin =>
  definePlugin({ name: 'extra', version: '1.0.0', kernel: '^2.0.0', contributes: { panels } })
const panel = (id: string, render: DashboardPanel['render']) => defineDashboardPanel({ id, title: id, slot: 'dashboard', render })
const quiet = { listen: false }

t.test('the page and all that it names are served, under a strict policy', async t => {
  const { kernel } = await bootWeb(t, quiet)
  const page = await kernel.app.inject('/')
  t.equal(page.statusCode, 200)
  t.match(page.headers['content-type'], 'text/html')
  t.equal(page.headers['cache-control'], 'no-store')
  const policy = String(page.headers['content-security-policy'])
  const [, importMap = ''] = /<script type="importmap">(.*?)<\/script>/.exec(page.body) ?? []
  const hash = createHash('sha256').update(importMap).digest('base64')
  t.match(policy, `script-src 'self' 'sha256-${hash}';`)
  const { imports } = JSON.parse(importMap) as { imports: Record<string, string> }
  t.notMatch(policy, /unsafe|:\*/)
  t.match(policy, "img-src 'self' data: blob:; media-src 'self' blob:;")
  t.notMatch(page.body, /<script(?![^>]*\bsrc=| type="importmap">)|<style|\son\w+=|\sstyle=/, 'nothing inline')
  const named = [...page.body.matchAll(/(?:href|src)="(plugins\/web\/[^"]+)"/g)].map(([, path = '']) => path)
  t.ok(named.length > 40)
  for (const path of named) {
    const { statusCode, headers, body } = await kernel.app.inject(`/${path}`)
    t.equal(statusCode, 200, path)
    t.match(headers, { 'cache-control': /immutable/, 'x-content-type-options': 'nosniff' })
    const froms = [...body.matchAll(/\bfrom\s*["']([^"']+)["']/g)].map(([, from = '']) => from)
    const folder = path.slice(0, path.lastIndexOf('/') + 1)
    const lost = froms.filter(from => !named.includes((imports[from] ?? folder + from.replace('./', '')).replace(/^\.\//, '')))
    t.same(lost, [], `what ${path} imports is there`)
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
