import t from 'tap'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { browse, noBrowser } from '../charts/chromium.js'
import { make3mf } from '../projects/make-3mf.js'
import { sliced } from '../queue/helpers.js'
import { barriers, read } from '../web/desk.js'

/** The module is written for browsers, and needs none. */
const { fileProblem } = await import(new URL('../../../plugins/shell/page/sliced-file.js', import.meta.url).href) as
  { fileProblem: (file: File) => Promise<string> }

t.test('what is wrong with a file is known before it is uploaded', async t => {
  const good = sliced()
  const about = (name: string, bytes: Uint8Array) => fileProblem(new File([bytes], name))
  t.equal(await about('cube.gcode.3mf', good), '')
  t.equal(await about('cube.3mf', good.subarray(0, good.length - 40)), 'damaged')
  t.equal(await about('cube.3mf', Buffer.from('a page that says 404')), 'damaged')
  t.equal(await about('cube.3mf', Buffer.alloc(0)), 'empty')
  t.equal(await about('cube.3mf', make3mf([{ number: 1, sliced: false }])), 'unsliced')
  t.equal(await about('cube.STL', good), 'model')
  t.equal(await about('cube.gcode', good), 'gcode')
  t.equal(await about('holiday.jpg', good), 'other')
})

t.test('a file that is dropped on any page is printed in two steps', { skip: noBrowser }, async t => {
  const { kernel } = await boot(t, {
    models: [{ model: 'P1S', name: 'p1s' }], listen: true, config: { api: { host: '127.0.0.1' } }
  })
  const { page, pageErrors } = await browse(t)
  const drop = (name: string, bytes: Buffer) => read(page, `{
    const dataTransfer = new DataTransfer()
    const bytes = Uint8Array.from(atob('${bytes.toString('base64')}'), one => one.charCodeAt(0))
    dataTransfer.items.add(new File([bytes], '${name}'))
    document.querySelector('h1').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  }`)
  await page.goto(`http://127.0.0.1:${kernel.apiPort}/settings`)
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  await drop('cube.stl', Buffer.from('solid'))
  await page.getByRole('link', { name: 'Slice it' }).waitFor()
  t.equal(await page.getByRole('link', { name: 'Print on p1s' }).count(), 0)
  await drop('cube.gcode.3mf', sliced())
  await page.getByRole('link', { name: 'Print on p1s' }).waitFor()
  t.same(await barriers(page), [])
  await page.getByRole('link', { name: 'Print on p1s' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Start print' }).waitFor()
  t.notMatch(page.url(), 'file=', 'a reload does not print it again')
  t.same(pageErrors.filter(error => !/404/.test(error)), [], 'a new plate may have no picture')
})

t.test('without a network the pages say what was known last', { skip: noBrowser }, async t => {
  const { kernel, http, printers: [printer] } = await boot(t, {
    models: [{ model: 'P1S', name: 'p1s', reportEveryMs: 200 }], listen: true, config: { api: { host: '127.0.0.1' } }
  })
  const { page, context } = await browse(t, { hasWorker: true })
  const base = `http://127.0.0.1:${kernel.apiPort}`
  await page.goto(`${base}/fleet`)
  await page.getByRole('link', { name: /^p1s/ }).first().waitFor()
  printer?.patch({ print_error: 0x03004001 })
  await eventually(async () => (await http('GET', '/api/fleet/summary')).body.needs_person === 1)
  await page.reload()
  await eventually(async () => /^\(1\) /.test(await page.title()))
  t.match(await read(page, 'document.querySelector("link[rel=icon]").href'), /^data:image\/svg/)
  await eventually(async () => await read(page, `(async () => {
    for (const name of await caches.keys()) {
      const keys = (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)
      if (keys.includes('/fleet') && keys.includes('/api/fleet')) return true
    }
    return false
  })()`))
  await page.goto(`${base}/history`)
  await page.getByRole('heading', { name: 'History' }).waitFor()
  await eventually(async () => await read(page, `caches.match('${base}/history').then(found => found !== undefined)`))
  t.notOk(await read(page, `caches.match('${base}/api/server_info').then(found => found !== undefined)`), 'only what is listed')
  await context.setOffline(true)
  await page.goto(`${base}/history`)
  await page.getByText(/The service does not answer\. What you see is from \d/).waitFor()
  await page.goto(`${base}/fleet`)
  await page.getByText(/The service does not answer\. What you see is from \d/).waitFor()
  await page.getByRole('link', { name: /^p1s/ }).first().waitFor()
  t.same(await barriers(page), [])
  await context.setOffline(false)
  await page.reload()
  await page.getByRole('link', { name: /^p1s/ }).first().waitFor()
  t.equal(await page.getByText('The service does not answer').count(), 0)
})
