import t from 'tap'
import { boot } from '../../helpers/boot.js'
import { testFolder } from '../../helpers/folder.js'
import { browse, noBrowser } from '../charts/chromium.js'
import { barriers, read } from '../web/desk.js'
import { startReceiver } from './receiver.js'

t.test('messages are set up in the browser: a test that fails, one that arrives, and what is stored', { skip: noBrowser }, async t => {
  const { url, received, answer } = await startReceiver(t, (_, response) => response.writeHead(403).end())
  const { kernel } = await boot(t, {
    models: [{ model: 'P1S', name: 'p1s' }],
    listen: true,
    config: { api: { host: '127.0.0.1' }, dataDir: testFolder(t) }
  })
  const { page, pageErrors } = await browse(t)
  const dialog = page.getByRole('dialog')
  const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click()
  await page.goto(`http://127.0.0.1:${kernel.apiPort}/settings`)
  await page.getByRole('link', { name: 'Messages' }).click()
  await page.getByText('No messages yet').waitFor()
  t.same(await barriers(page), [], 'without a place')

  await page.getByRole('button', { name: 'E-mail' }).click()
  await dialog.getByLabel('Server for outgoing mail').fill('127.0.0.1')
  await dialog.getByLabel('Sender').fill('a@example.org')
  await dialog.getByLabel('Recipients').fill('nonsense')
  await press('Save')
  await dialog.getByText('This does not look right').waitFor()
  t.same(await barriers(page), [], 'a field that is wrong')
  await press('Other kind')
  await press('Webhook A program that accepts HTTP requests.')
  await dialog.getByLabel('Address').fill(`${url}/hidden-path`)
  await press('Test')
  await dialog.getByText('the key or password was refused').waitFor()
  answer((_, response) => response.writeHead(204).end())
  await press('Test')
  await dialog.getByText('A test message was accepted').waitFor()
  await dialog.getByRole('checkbox', { name: 'Print paused' }).uncheck()
  await press('Save')
  await page.getByText('Print finished, Print failed, Fault, The print looks worse').waitFor()
  await page.getByRole('button', { name: 'Test Webhook' }).click()
  await page.getByText('Works', { exact: true }).waitFor()
  t.equal(received.length, 3)

  await page.getByRole('button', { name: 'Edit Webhook' }).click()
  await dialog.getByText('Saved. Leave it empty to keep it.').waitFor()
  t.equal(await dialog.getByLabel('Address').inputValue(), '', 'what is stored is not shown')
  await press('Test')
  await dialog.getByText('A test message was accepted').waitFor()
  t.match(received.at(-1), { path: '/hidden-path' })
  await press('Save')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('checkbox', { name: 'Keep quiet at night' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  for (const [width, height] of [[390, 844], [1280, 900]] as const) {
    await page.setViewportSize({ width, height })
    t.same(await barriers(page), [], `${width} px`)
    t.notOk(await read(page, 'document.documentElement.scrollWidth > innerWidth'), `${width} px`)
  }
  await page.getByRole('button', { name: 'Remove Webhook' }).click()
  await press('Remove')
  await page.getByText('No messages yet').waitFor()
  t.match(pageErrors, [/400/, /502/])
})
