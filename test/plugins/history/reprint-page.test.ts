import t from 'tap'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { browse, noBrowser } from '../charts/chromium.js'
import { CHANGED } from '../toolpath/faulty-plates.js'
import { barriers, received, receives } from '../web/desk.js'

const FILE = '/vase.gcode.3mf'

t.test('what is wrong with the plate of a reprint is shown, and asked about if it may be printed', { skip: noBrowser }, async t => {
  const { kernel, http, printer } = await boot(t, {
    models: [{ model: 'X1C', name: 'x1c', speed: 60, reportEveryMs: 100 }],
    listen: true,
    config: { api: { host: '127.0.0.1' }, plugins: { queue: false } }
  })
  await printer.card.put(FILE, CHANGED)
  const started = await http('POST', '/api/print_3mf', {
    printer: 'x1c', filename: FILE, use_ams: true, accept_mismatch: true, accept_findings: ['md5_mismatch']
  } as never)
  t.equal(started.status, 200, JSON.stringify(started.body))
  const newest = async () => (await http('GET', '/api/history')).body.prints[0]
  await eventually(async () => Boolean((await newest())?.project_path), 60_000)
  printer.stopJob()
  await eventually(async () => (await newest()).result !== 'running', 60_000)
  const { id } = await newest()

  const { page } = await browse(t, { width: 390, height: 844 })
  await page.goto(`http://127.0.0.1:${kernel.apiPort}/history?printer=x1c#${id}`)
  const dialog = page.getByRole('dialog')
  const again = () => dialog.getByRole('button', { name: 'Print again' })
  const open = () => page.getByRole('button', { name: 'Print again' }).click()

  await open()
  await again().click()
  await dialog.locator('.findings').getByText(/MD5/).waitFor({ timeout: 60_000 })
  t.same(await barriers(page), [])
  t.ok(await again().isDisabled(), 'not before it is accepted')
  await dialog.getByRole('checkbox', { name: 'Print all the same' }).check()
  await again().click()
  await receives(printer, 'project_file', 2)
  await dialog.waitFor({ state: 'detached' })
  t.equal(received(printer, 'project_file').length, 2)
})
