import t from 'tap'
import { Type } from 'typebox'
import { definePage, definePlugin, operation, route } from '../../../core/index.js'
import { TEMPLATE } from '../../../presets/cli/plugin-template.data.js'
import { eventually } from '../../helpers/eventually.js'
import { boot } from '../../helpers/boot.js'
import { testFolder } from '../../helpers/folder.js'
import { browse, noBrowser } from '../charts/chromium.js'
import { barriers, read } from '../web/desk.js'

const options = { skip: noBrowser }
const LISTEN = { models: [{ model: 'P1S', name: 'p1s', reportEveryMs: 500 }], listen: true, config: { api: { host: '127.0.0.1' } } } as const

t.test('the keyboard leads everywhere', options, async t => {
  const { kernel } = await boot(t, LISTEN)
  const base = `http://127.0.0.1:${kernel.apiPort}`
  const { page, pageErrors } = await browse(t)
  await page.goto(`${base}/settings?printer=p1s`)
  await page.keyboard.press('Tab')
  t.equal(await read(page, 'document.activeElement.textContent'), 'Skip to content')
  await page.keyboard.press('Enter')
  t.equal(await read(page, 'document.activeElement.id'), 'content')
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Shortcuts' })
  await keys.getByText('Recordings').waitFor()
  t.same(await barriers(page), [], 'the list of shortcuts')
  await page.keyboard.press('Escape')
  await keys.waitFor({ state: 'detached' })
  await page.keyboard.press('g')
  await page.keyboard.press('r')
  await page.getByRole('heading', { name: 'Recordings', level: 1 }).waitFor()
  t.match(page.url(), '/recordings?printer=p1s', 'the printer comes along')
  await page.getByRole('combobox', { name: 'Kind' }).focus()
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  t.match(page.url(), '/recordings', 'what is typed into a field is no shortcut')
  await page.goto(`${base}/settings`)
  await page.getByRole('checkbox', { name: 'Keyboard shortcuts' }).uncheck()
  await page.locator('body').click()
  await page.keyboard.press('?')
  t.equal(await page.getByRole('dialog').count(), 0, 'shortcuts can be turned off')
  t.same(pageErrors, [])
})

t.test('colours and language are chosen once for all pages', options, async t => {
  const { kernel } = await boot(t, LISTEN)
  const base = `http://127.0.0.1:${kernel.apiPort}`
  const { page, pageErrors } = await browse(t, { scheme: 'dark' })
  const ground = () => read<string>(page, 'getComputedStyle(document.body).backgroundColor')
  await page.goto(`${base}/settings`)
  const dark = await ground()
  await page.getByRole('combobox', { name: 'Colours' }).selectOption('light')
  t.not(await ground(), dark, 'at once')
  const light = await ground()
  await page.goto(`${base}/recordings`)
  t.equal(await ground(), light, 'and on the next page')
  await page.goto(`${base}/settings`)
  await page.getByRole('combobox', { name: 'Language' }).selectOption('de')
  await page.getByRole('heading', { name: 'Einstellungen' }).waitFor()
  await page.getByRole('link', { name: 'Aufnahmen' }).click()
  await page.getByText('Es wurde noch nichts aufgenommen.').waitFor()
  t.same(pageErrors, [])
})

/** Widths in px. Each scheme is looked at on one size: colours do not depend on it. */
const SIZES = [[390, 844, 'light'], [768, 1024, undefined], [1440, 900, 'dark']] as const

t.test('everyone can use every page, on every size', options, async t => {
  const { kernel } = await boot(t, LISTEN)
  const { page, pageErrors } = await browse(t)
  for (const [at, { id, path }] of kernel.services.shell.pages.entries()) {
    await page.goto(`http://127.0.0.1:${kernel.apiPort}${path}?printer=p1s`)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    for (const [width, height, scheme] of SIZES) {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme: scheme ?? 'light' })
      // Each page's own tests look at both schemes; here one of them, in turn.
      if (scheme === ['light', 'dark'][at % 2]) t.same(await barriers(page), [], `${id}, ${width} px, ${scheme}`)
      await eventually(async () => !await read(page, 'document.documentElement.scrollWidth > innerWidth'))
    }
  }
  t.same(pageErrors.filter(error => !/stream|snapshot/.test(error)), [], 'a picture may be broken off')
})

t.test('on a phone what has no room is behind one button', options, async t => {
  const { kernel } = await boot(t, LISTEN)
  const { page } = await browse(t, { width: 390, height: 844 })
  await page.goto(`http://127.0.0.1:${kernel.apiPort}/recordings`)
  const links = page.getByRole('navigation').getByRole('link')
  const pages = kernel.services.shell.pages.filter(({ within, unlisted }) => within === undefined && unlisted !== true)
  const more = page.getByRole('button', { name: 'More' })
  t.equal(await more.isVisible(), pages.length > 4)
  t.equal(await links.count(), Math.min(4, pages.length))
  if (pages.length > 4) {
    await more.click()
    t.equal(await links.count(), pages.length)
    await page.keyboard.press('Escape')
    t.equal(await links.count(), 4)
  }
})

t.test('on a phone the button shows how much has to be seen behind it', options, async t => {
  const { kernel } = await boot(t, LISTEN)
  for (const code of ['HMS_0300-8016', 'HMS_0300-8017']) {
    kernel.services.alerts.raise('p1s', { type: 'hms_error_new', severity: 'high', payload: { errors: [{ code, description: code }] } })
  }
  const { page } = await browse(t, { width: 390, height: 844 })
  await page.goto(`http://127.0.0.1:${kernel.apiPort}/recordings`)
  const count = page.getByRole('button', { name: 'More' }).locator('.count')
  await eventually(async () => await count.textContent() === '2')
  t.ok(await count.isVisible())
  t.match(await count.getAttribute('title'), /^More\b.*2/)
})

t.test('settings say which plugins do not work', options, async t => {
  const dataDir = testFolder(t, {
    'left.mjs': "export default { name: 'left', version: '1.0.0', kernel: '*', setup () { throw new Error('<b>bent</b>') } }",
    'failing.mjs': "export default { name: 'failing', version: '1.0.0', kernel: '*', setup ({ printers }) { printers.each(() => { throw new Error('deaf') }) } }"
  })
  const { kernel } = await boot(t, { ...LISTEN, config: { ...LISTEN.config, dataDir, plugins: { './left.mjs': {}, './failing.mjs': {} } } })
  const { page, pageErrors } = await browse(t)
  await page.goto(`http://127.0.0.1:${kernel.apiPort}/settings`)
  const plugins = page.getByRole('region', { name: 'Plugins' })
  await plugins.getByText("Left out: Setup of plugin 'left' failed: <b>bent</b>").waitFor()
  await plugins.getByText('Fails: follower of printers: deaf').waitFor()
  t.same(await barriers(page), [])
  t.same(pageErrors, [])
})

/** Its script or its first drawing throws, or a later one, each as the address says. */
const THROWING = `import { html } from 'components'
import { render } from 'preact'
import { useState } from 'preact/hooks'
const place = document.getElementById('throws')
if (location.hash === '#script') throw new Error('<b>script</b>')
const Drawn = () => { throw new Error('<b>drawn</b>') }
const Page = () => {
  const [isOpen, setOpen] = useState(location.hash === '#drawn')
  return html\`<main class="page"><h1>Fine</h1><button onClick=\${() => setOpen(true)}>Open</button>\${isOpen && html\`<\${Drawn} />\`}</main>\`
}
place.textContent = ''
render(html\`<\${Page} />\`, place)
`

t.test('the page of a new plugin works as it is written, and one that throws says so in a frame that goes on', options, async t => {
  const fill = (text = '') => text.replaceAll('{{name}}', 'glow').replaceAll('{{snake}}', 'glow')
  const files = testFolder(t, { 'index.html': fill(TEMPLATE['page/index.html']), 'main.js': fill(TEMPLATE['page/main.js']) })
  const throwing = testFolder(t, {
    'index.html': '<div id="throws"><main class="page"><h1>Throws</h1></main></div>', 'main.js': THROWING
  })
  const glow = definePlugin({
    name: 'glow',
    version: '1.0.0',
    kernel: '*',
    contributes: {
      pages: [definePage({
        id: 'glow', path: '/glow', icon: 'heat', order: 84, texts: { en: { 'glow.title': 'Glow', 'glow.cold': 'Cold: {celsius} °C' } }, content: { files }
      }), definePage({
        id: 'throws', path: '/throws', icon: 'heat', order: 85, texts: { en: { 'throws.title': 'Throws' } }, content: { files: throwing }
      })],
      routes: [route(operation({
        name: 'glow.read',
        summary: 'Warmth',
        effect: 'read',
        input: Type.Object({}),
        output: Type.Object({ celsius: Type.Number(), warm: Type.Boolean() }),
        run: () => ({ celsius: 21.5, warm: false })
      }), { method: 'GET', path: '/glow' })]
    }
  })
  const { kernel } = await boot(t, { ...LISTEN, plugins: [glow] })
  const { page, pageErrors } = await browse(t)
  await page.goto(`http://127.0.0.1:${kernel.apiPort}/settings`)
  await page.getByRole('link', { name: 'Glow' }).click()
  await page.getByRole('status').getByText('Cold: 21.5 °C').waitFor()
  t.same(await barriers(page), [])
  t.same(pageErrors, [])

  const alert = page.getByRole('alert').filter({ hasText: 'This page cannot be shown' })
  for (const [hash, word] of [['script', 'script'], ['drawn', 'drawn'], ['', 'drawn']] as const) {
    await page.goto('about:blank')
    await page.goto(`http://127.0.0.1:${kernel.apiPort}/throws#${hash}`)
    if (hash === '') await page.getByRole('button', { name: 'Open' }).click()
    await alert.getByText(`Reason: <b>${word}</b>`).waitFor()
  }
  t.equal(await page.getByRole('main').count(), 1)
  t.same(await barriers(page), [])
  t.match(pageErrors, [/script/, /drawn/, /drawn/], 'those who look for the mistake see it')
  await alert.getByRole('button', { name: 'Reload the page' }).click()
  await page.getByRole('button', { name: 'Open' }).click()
  await alert.waitFor()
  await page.getByRole('link', { name: 'Recordings' }).click()
  await page.getByRole('heading', { name: 'Recordings', level: 1 }).waitFor()
})
