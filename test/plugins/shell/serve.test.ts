import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { definePage, definePlugin } from '../../../core/index.js'
import { boot } from '../../helpers/boot.js'
import { testFolder } from '../../helpers/folder.js'

const quiet = { models: [{ model: 'P1S', name: 'one & two', reportEveryMs: 1_000 }] } as const

/** Where a browser looks for what a document or a script names. */
const pathFrom = (path: string, name: string): string => new URL(name, `http://prnd${path}`).pathname

t.test('every page has a strict policy and names nothing that is not served', async t => {
  const { kernel } = await boot(t, quiet)
  const { pages } = kernel.services.shell
  const paths = ['/', ...pages.map(({ path }) => path)]
  t.ok(paths.includes('/printer') && paths.includes('/recordings') && paths.includes('/charts') && paths.includes('/settings'))
  for (const path of paths) {
    const { statusCode, headers, body } = await kernel.app.inject(`${path}?printer=${encodeURIComponent('one & two')}`)
    t.equal(statusCode, 200, path)
    t.match(headers, { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    const policy = String(headers['content-security-policy'])
    const [, importMap = ''] = /<script type="importmap">(.*?)<\/script>/.exec(body) ?? []
    t.ok(policy.includes(`'sha256-${createHash('sha256').update(importMap).digest('base64')}'`), 'the import map by its hash')
    t.notMatch(policy, /unsafe|https?:|\*/)
    t.notMatch(body, /<script(?![^>]*\bsrc=| type="(importmap">|application\/json"))|<style|\son\w+=|\sstyle=/, 'nothing inline')
    t.notMatch(body, /\{\{/, 'every place is filled')
    const area = pages.find(page => page.path === path)?.within ?? pages.find(page => page.path === path)?.id
    const base = '../'.repeat(path.split('/').length - 2)
    for (const { id, within, unlisted = false, path: to } of pages) {
      if (unlisted) t.notMatch(body, `href="${base}${to.slice(1)}`, `${path} has no entry for ${id}`)
      else if (within === undefined) t.match(body, `data-page="${id}"`, `${path} leads to ${id}`)
      else {
        const href = `href="${base}${to.slice(1)}?printer=`
        t.equal(body.includes(href), within === area, `${path}: ${id} beside its area only`)
      }
    }
    t.match(body, 'printer=one%20%26%20two', 'the printer is kept')
    const { imports } = JSON.parse(importMap) as { imports: Record<string, string> }
    const places = new Map(Object.entries(imports).map(([from, to]) => [pathFrom(path, from), pathFrom(path, to)]))
    const named = [...body.matchAll(/(?:href|src)="(shell\/[^"]+)"/g)].map(([, name = '']) => name)
    const known = new Set([...named, ...Object.values(imports).map(name => name.replace('./', ''))])
    for (const name of known) {
      const file = await kernel.app.inject(`/${name}`)
      t.equal(file.statusCode, 200, name)
      t.match(file.headers['cache-control'], 'immutable')
      const froms = name.endsWith('.js')
        ? [...file.body.matchAll(/^(?:import|export)\b[^'"]*from\s*["']([^"']+)["']/gm)].map(([, from = '']) => from)
        : []
      const lost = froms.filter(from => !(from in imports) && !/^\.\.?\//.test(from))
      t.same(lost, [], `what ${name} imports has a name`)
      for (const from of froms.filter(from => from.startsWith('.'))) {
        const place = pathFrom(`/${name}`, from)
        const target = places.get(place) ?? place
        t.equal((await kernel.app.inject(target)).statusCode, 200, `${name}: ${from}`)
      }
    }
  }
})

t.test('pages come in the language and the colours that are wanted', async t => {
  const { kernel } = await boot(t, { models: [] })
  const get = async (headers: Record<string, string>) => (await kernel.app.inject({ url: '/settings', headers })).body
  t.match(await get({ 'accept-language': 'de' }), /<html lang="de" data-theme="">[^]*Einstellungen/)
  t.match(await get({ 'accept-language': 'de', cookie: 'prnd-language=zh; prnd-theme=light' }),
    /<html lang="zh" data-theme="light">[^]*设置/)
})

t.test('it can be installed', async t => {
  const { kernel } = await boot(t, { models: [] })
  const { body } = await kernel.app.inject('/settings')
  const [, address = ''] = /rel="manifest" href="([^"]+)"/.exec(body) ?? []
  const { headers, body: text } = await kernel.app.inject(`/${address}`)
  t.match(headers['content-type'], 'application/manifest+json')
  const manifest = JSON.parse(text) as { start_url: string, icons: { src: string }[] }
  t.equal(new URL(manifest.start_url, `http://prnd/${address}`).pathname, '/')
  for (const { src } of manifest.icons) {
    t.equal((await kernel.app.inject(new URL(src, `http://prnd/${address}`).pathname)).statusCode, 200, src)
  }
})

t.test("a plugin's page: a folder and one value", async t => {
  const files = testFolder(t)
  await writeFile(join(files, 'index.html'), '<main class="page"><h1>{{hello.title}}</h1><p>{{hello.text}}</p></main>')
  await writeFile(join(files, 'main.js'), "import { t } from 'shell'\ndocument.title = t('hello.title')\n")
  const hello = definePage({
    id: 'hello',
    path: '/hello',
    icon: 'info',
    order: 55,
    texts: { en: { 'hello.title': 'Hello <b>', 'hello.text': 'Good day' }, de: { 'hello.title': 'Hallo' } },
    content: { files }
  })
  const plugin = definePlugin({ name: 'hello', version: '1.0.0', kernel: '^2.0.0', contributes: { pages: [hello] } })
  const { kernel } = await boot(t, { models: [], plugins: [plugin] })
  const page = await kernel.app.inject({ url: '/hello', headers: { 'accept-language': 'de' } })
  t.match(page.body, '<h1>Hallo</h1><p>Good day</p>', 'what a language lacks is English')
  const [script = ''] = /shell\/hello-\w+\/main\.js/.exec(page.body) ?? []
  const served = await kernel.app.inject(`/${script}`)
  t.match(served, { statusCode: 200, body: /^import/, headers: { 'cache-control': /immutable/ } })
  t.match(page.headers, { 'content-encoding': undefined })
  const packed = await kernel.app.inject({ url: '/hello', headers: { 'accept-encoding': 'gzip' } })
  t.equal(gunzipSync(packed.rawPayload).toString(), (await kernel.app.inject('/hello')).body, 'large ones are compressed')
  t.equal((await kernel.app.inject({ method: 'HEAD', url: `/${script}` })).statusCode, 200)
  for (const name of ['other.js', 'index.html', '..%2f..%2fmain.js', 'constructor', '%00main.js', '']) {
    const { statusCode } = await kernel.app.inject(`/${script.replace('main.js', name)}`)
    t.equal(statusCode, 404, `'${name}' is not served`)
  }
  const other = (await kernel.app.inject('/settings')).body
  t.match(other, /<a href="hello" data-page="hello"[^]*<span>Hello &lt;b&gt;<\/span>/)
  t.notMatch(other, 'Hello <b>', 'not in the data either')
  const bad = definePlugin({ name: 'bad', version: '1.0.0', kernel: '^2.0.0', contributes: { pages: [{ ...hello, id: 'No' }] } })
  await t.rejects(boot(t, { models: [], plugins: [bad] }), { message: /Page 'No' of plugin 'bad'/ })
})

t.test('below a path of a page, links are relative to it', async t => {
  const page = definePage({
    id: 'deep', path: '/plugins/deep', icon: 'info', order: 1, texts: { en: { 'deep.title': 'Deep' } }, content: { files: 'shell', html: 'settings.html', script: 'settings.js' }
  })
  const plugin = definePlugin({ name: 'deep', version: '1.0.0', kernel: '^2.0.0', contributes: { pages: [page] } })
  const { kernel } = await boot(t, { models: [], plugins: [plugin] })
  const { body } = await kernel.app.inject('/plugins/deep')
  t.match(body, /href="\.\.\/settings" data-page="settings"/)
  t.match(body, /"shell":"\.\/\.\.\/shell\//)
})
