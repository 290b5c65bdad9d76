import type { Locator } from 'playwright-core'
import t, { type Test } from 'tap'
import { createVirtualPrinter, type VirtualPrinter } from '../../../plugins/emulator/index.js'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { freePort } from '../../helpers/ports.js'
import { testFolder } from '../../helpers/folder.js'
import { browse, noBrowser } from '../charts/chromium.js'
import { barriers, read } from '../web/desk.js'

const options = { skip: noBrowser }
const CODE = '87654321'

const detectPorts = ({ detectPorts: { detect, detectTls } }: VirtualPrinter) =>
  ({ detectPort: detect, detectTlsPort: detectTls })

/** A service without printers, and a printer on its network that says so. */
async function start (t: Test) {
  const [main, old] = [await freePort(), await freePort()]
  const announce = { to: '127.0.0.1', port: main, everyMs: 100 }
  const printer = createVirtualPrinter({ model: 'P1S', name: 'workshop', accessCode: CODE, announce })
  await printer.start()
  t.teardown(() => printer.stop())
  const { kernel } = await boot(t, {
    models: [],
    listen: true,
    config: {
      api: { host: '127.0.0.1' },
      dataDir: testFolder(t),
      plugins: { management: { discoveryPort: main, oldDiscoveryPort: old, ...detectPorts(printer) } }
    }
  })
  const { page, pageErrors } = await browse(t, { width: 1280, height: 900 })
  return { kernel, printer, page, pageErrors, base: `http://127.0.0.1:${kernel.apiPort}` }
}

/** Typing an address fills in what its printer says, as long as nobody has typed it. */
async function proposes (dialog: Locator, { serial, name }: VirtualPrinter) {
  const shown = (label: string) => dialog.getByLabel(label).inputValue()
  const filled = (wanted: string[]) => eventually(async () =>
    [await shown('Serial number'), await shown('Name')].join() === wanted.join())
  await dialog.getByLabel('Address').fill('127.0.0.1')
  await dialog.getByLabel('Access code').focus()
  await dialog.getByText('Found there: P1S').waitFor()
  await filled([serial, name])
  await dialog.getByLabel('Address').fill('127.0.0.9')
  await dialog.getByLabel('Name').fill('mine')
  await filled(['', 'mine'])
  await dialog.getByLabel('Address').fill('127.0.0.1')
  await dialog.getByLabel('Access code').focus()
  await filled([serial, 'mine'])
  await dialog.getByLabel('Name').fill('')
}

t.test('a printer that was found is added after a wrong code, edited and removed', options, async t => {
  const { kernel, printer, page, pageErrors, base } = await start(t)
  const dialog = page.getByRole('dialog')
  const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click()
  await page.goto(`${base}/settings`)
  await page.getByRole('link', { name: 'Printers' }).click()
  await page.getByRole('button', { name: 'Add workshop' }).click()
  t.equal(await dialog.getByLabel('Serial number').inputValue(), printer.serial)
  t.equal(await read(page, 'document.activeElement.name'), 'access_code', 'what is missing has the focus')
  // The usual port is taken by other tests.
  await dialog.getByLabel('Address').fill(`127.0.0.1:${printer.ports.mqtt}`)
  await dialog.getByLabel('Access code').fill('11111111')
  await press('Test')
  await dialog.getByRole('alert').filter({ hasText: 'refuses this access code' }).waitFor()
  t.equal(await dialog.getByLabel('Access code').getAttribute('aria-invalid'), 'true')
  t.same(await barriers(page), [], 'the form with a failure')
  await press('Add printer')
  await dialog.getByRole('alert').filter({ hasText: 'refuses this access code' }).waitFor()
  t.same(kernel.printers.names, [])
  await dialog.getByLabel('Access code').fill(CODE)
  await press('Add printer')
  await page.getByText('workshop is set up and connected.').waitFor()
  await eventually(() => kernel.printers.get('workshop')?.live)
  t.notMatch(await page.content(), CODE)

  await page.getByRole('button', { name: 'Edit: workshop' }).click()
  await dialog.getByLabel('Name').fill('bench')
  await dialog.getByText('Past prints, spools and alerts stay').waitFor()
  await press('Save')
  await page.getByText('bench is changed and connected.').waitFor()
  await page.getByText('Connected', { exact: true }).waitFor()
  for (const [width, height] of [[390, 844], [1280, 900]] as const) {
    await page.setViewportSize({ width, height })
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme })
      t.same(await barriers(page), [], `${width} px, ${scheme}`)
    }
    t.notOk(await read(page, 'document.documentElement.scrollWidth > innerWidth'), `${width} px: nothing is cut off`)
  }
  await page.locator('input[type=file]').setInputFiles({
    name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(`name,host,serial,access_code\nbench,10.0.0.1,${printer.serial},${CODE}\n`)
  })
  await dialog.getByText('Already set up').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Remove: bench' }).click()
  await dialog.getByText('A running print goes on').waitFor()
  await press('Remove')
  await page.getByText('bench is removed.').waitFor()
  t.same(kernel.printers.names, [])
  t.same(pageErrors.filter(text => !/40[09]/.test(text)), [], 'only the wrong code was refused')
})

t.test('the first start leads from the printer to the people, and is over once a printer is there', options, async t => {
  const { kernel, printer, page, base } = await start(t)
  const dialog = page.getByRole('dialog')
  await page.goto(`${base}/fleet`)
  await page.getByText('npm start -- --demo p1s').waitFor()
  await page.getByRole('button', { name: 'Do this later' }).click()
  await page.waitForURL(`${base}/`)
  await page.goto(`${base}/fleet`)
  t.match(page.url(), /\/fleet$/, 'who skips it is not led there again')
  await page.context().clearCookies()
  await page.goto(`${base}/`)
  t.match(page.url(), /\/welcome$/)
  await page.getByRole('button', { name: 'Skip this step' }).click()
  await page.getByRole('radio', { name: /^Only this machine/, checked: true }).waitFor()
  t.same(await barriers(page), [], 'the people')
  await page.getByRole('button', { name: 'Printer' }).click()
  await page.getByRole('button', { name: 'Add by address' }).click()
  await proposes(dialog, printer)
  await dialog.getByLabel('Address').fill(`127.0.0.1:${printer.ports.mqtt}`)
  await dialog.getByLabel('Serial number').fill('01P00A999999999')
  await dialog.getByLabel('Access code').fill(CODE)
  await dialog.getByRole('button', { name: 'Add printer' }).click()
  await dialog.getByRole('alert').filter({ hasText: 'another serial number' }).waitFor()
  await dialog.getByLabel('Serial number').fill(printer.serial)
  await dialog.getByRole('button', { name: 'Add printer' }).click()
  await page.getByText('Printer is set up and connected.').waitFor()
  t.same(await barriers(page), [], 'done')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('People with passwords').check()
  await page.getByLabel('Your name').fill('ann')
  await page.locator('input[name=password]').fill('correct horse battery')
  await page.getByLabel('Password again').fill('correct horse batteries')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The two passwords differ.').waitFor()
  await page.getByLabel('Password again').fill('correct horse battery')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Everyone has to log in').waitFor()
  t.equal((await fetch(`${base}/api/setup/printers`)).status, 401)
  await page.goto(`${base}/`)
  t.notMatch(page.url(), /welcome|login/)
  await eventually(() => kernel.printers.get('Printer')?.live)
})
