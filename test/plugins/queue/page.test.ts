import type { Page } from 'playwright-core'
import t from 'tap'
import { testFolder } from '../../helpers/folder.js'
import { eventually } from '../../helpers/eventually.js'
import { browse, noBrowser } from '../charts/chromium.js'
import { barriers, read } from '../web/desk.js'
import { add, FAST, fastDaemon, queueOf, sent, sliced, start, until, upload } from './helpers.js'

/** Lets go of a file above the page, as a file manager does. */
const drop = (page: Page, name: string, content: Buffer) => read(page, `{
  const bytes = Uint8Array.from(atob('${content.toString('base64')}'), one => one.charCodeAt(0))
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File([bytes], '${name}'))
  document.querySelector('h1').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
}`)

t.test('jobs are shown with their reasons, moved by keyboard, added by dropping, and plates confirmed',
  { skip: noBrowser }, async t => {
    const booted = await start(t, {
      preset: fastDaemon,
      models: [{ model: 'X1C', name: 'x1c', ...FAST }, { model: 'P1S', name: 'p1s', ...FAST }],
      listen: true,
      config: { dataDir: testFolder(t), api: { host: '127.0.0.1' } }
    })
    const [printer] = booted.printers
    if (!printer) throw new Error('there is no printer')
    await upload(booted, sliced())
    const jobs = []
    for (const name of ['first', '<b>second</b>', 'third']) {
      jobs.push(await add(booted, { file: 'cube.gcode.3mf', job_name: name, printers: ['x1c'] }))
    }
    const { page, pageErrors } = await browse(t)
    await page.goto(`http://127.0.0.1:${booted.kernel.apiPort}/queue`)
    const names = () => page.locator('.job h3').allTextContents()
    await eventually(async () => (await names()).length === 3)
    t.same(await names(), ['first', '<b>second</b>', 'third'], 'names are text')

    t.match(await page.locator('.job .story').first().textContent(), /starts when the plate of x1c is clear, takes 10 min/)
    await page.getByRole('button', { name: 'first' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('summary').click()
    await dialog.locator('.reasons').getByText('plate not confirmed clear').waitFor()
    t.match(await dialog.textContent(), /somebody on the service’s machine/)
    t.same(await barriers(page), [], 'a job')
    await dialog.getByRole('button', { name: 'Close' }).click()

    const order = async () => (await queueOf(booted)).jobs.map(({ id }) => id)
    const [first, second, third] = jobs.map(({ id }) => id)
    await page.getByRole('button', { name: 'Move third up' }).press('Enter')
    await page.getByText('third is now 2 of 3').waitFor({ state: 'attached' })
    t.same(await order(), [first, third, second])
    t.equal(await read(page, 'document.activeElement.ariaLabel'), 'Move third up', 'the focus stays')
    await page.keyboard.press('Enter')
    await page.getByText('third is now 1 of 3').waitFor({ state: 'attached' })
    t.equal(await read(page, 'document.activeElement.ariaLabel'), 'Move third down', 'at the end it is at the other one')
    await page.locator('.job').nth(2).dragTo(page.locator('.job').first(), { targetPosition: { x: 60, y: 4 } })
    await eventually(async () => (await order())[0] === second)
    t.same(await order(), [second, third, first])

    for (const [width, height] of [[390, 844], [1200, 900]] as const) {
      await page.setViewportSize({ width, height })
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        t.same(await barriers(page), [], `${width} px, ${colorScheme}`)
      }
      const isCut = await read(page, 'document.documentElement.scrollWidth > innerWidth')
      t.notOk(isCut, `${width} px: nothing is cut off`)
    }

    await drop(page, 'notes.txt', Buffer.from('x'))
    await page.getByText('notes.txt cannot be printed').waitFor()
    await drop(page, 'broken.3mf', Buffer.from('x'))
    await page.getByText('broken.3mf is damaged or not complete').waitFor()
    await drop(page, 'vase.gcode.3mf', sliced({ plates: 2, salt: 'vase', bed: 'textured_plate' }))
    await dialog.getByRole('radio', { name: /^Plate 2/ }).check()
    t.match(await dialog.textContent(), /Textured PEI plate/, 'the build plate that has to lie in the printer')
    await dialog.getByRole('spinbutton', { name: 'Copies' }).fill('2')
    await dialog.getByRole('checkbox', { name: 'p1s' }).check()
    await dialog.getByText('More about the job').click()
    await dialog.getByRole('combobox', { name: 'Material' }).selectOption('exact')
    await dialog.getByRole('checkbox', { name: /A spool may run out/ }).check()
    await dialog.getByRole('textbox', { name: 'Note' }).fill('for <b>Ann</b>')
    t.same(await barriers(page), [], 'the dialog')
    t.equal((await queueOf(booted)).jobs.length, 3, 'nothing is queued before it is confirmed')
    await dialog.getByRole('button', { name: 'Queue', exact: true }).click()
    await eventually(async () => (await names()).includes('vase'))
    t.match((await queueOf(booted)).jobs[3],
      { copies: 2, wanted_printers: ['p1s'], files: [{ plate: 2, bed_type: 'textured_plate' }], allow_low: true, note: 'for <b>Ann</b>' })
    await page.getByRole('button', { name: 'vase' }).first().click()
    await dialog.getByText(/build plate: Textured PEI plate · only on p1s · a spool may run out/).waitFor()
    await dialog.getByText('for <b>Ann</b>').waitFor()
    await dialog.getByRole('spinbutton', { name: 'Copies' }).fill('3')
    await dialog.getByRole('button', { name: 'Change' }).click()
    await page.getByText('0 of 3 done').waitFor()

    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    await page.getByText('The queue is paused: nothing').waitFor()
    const clear = page.getByRole('button', { name: 'Plate is clear: x1c' })
    t.ok(((await clear.boundingBox())?.height ?? 0) >= 36, 'as high as a pointer needs')
    await clear.click()
    await dialog.getByRole('button', { name: 'Back' }).click()
    await dialog.waitFor({ state: 'detached' })
    t.equal((await queueOf(booted)).printers.find(one => one.printer === 'x1c')?.plate, 'used')
    await clear.click()
    await dialog.getByRole('button', { name: 'Plate is clear', exact: true }).click()
    await page.locator('[data-printer=x1c]').getByText('Confirmed clear').waitFor()
    t.equal(sent(printer).length, 0, 'a paused queue starts nothing')

    await page.getByRole('checkbox', { name: 'Select third' }).check()
    await page.getByRole('toolbar').getByRole('button', { name: 'Cancel job' }).click()
    await dialog.getByRole('button', { name: 'Cancel job', exact: true }).click()
    await eventually(async () => !(await names()).includes('third'))
    await page.getByRole('button', { name: 'Resume', exact: true }).click()
    await dialog.getByRole('button', { name: 'Resume', exact: true }).click()
    await until(booted, second ?? '', ({ state }) => state === 'done')
    await eventually(async () => !(await names()).includes('<b>second</b>'))
    t.equal(sent(printer).length, 1)

    await clear.click()
    printer.startJob({ name: 'foreign', minutes: 600 })
    await dialog.getByText('The printer has changed meanwhile').waitFor()
    t.ok(await dialog.getByRole('button', { name: 'Plate is clear', exact: true }).isDisabled())
    await dialog.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('button', { name: 'Timeline' }).click()
    await page.getByRole('button', { name: /^foreign on x1c: \d+ % printed, until / }).waitFor()
    t.same(await barriers(page), [], 'the timeline')
    t.same(pageErrors.filter(error => !/picture|40[04]/.test(error)), [], 'but the file that was no sliced one')
  })

t.test('where nobody knows what became of a copy, its outcome is told with the plate', { skip: noBrowser }, async t => {
  const booted = await start(t, { preset: fastDaemon, listen: true, config: { dataDir: testFolder(t), api: { host: '127.0.0.1' } } })
  const { page } = await browse(t, { width: 390, height: 844 })
  const told: unknown[] = []
  await page.route('**/api/queue/board?*', async route => {
    const response = await route.fetch()
    const queue = await response.json() as { printers: object[] }
    const printers = queue.printers.map(printer => ({ ...printer, outcome_wanted: true }))
    await route.fulfill({ response, json: { ...queue, printers } })
  })
  await page.route('**/api/queue/plate_clear', async route => {
    told.push(route.request().postDataJSON())
    await route.fulfill({ status: 409, json: { reason: 'the printer prints' } })
  })
  await page.goto(`http://127.0.0.1:${booted.kernel.apiPort}/queue`)
  await page.getByRole('button', { name: 'It was not printed: x1c' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('The copy waits again').waitFor()
  t.same(told, [])
  await dialog.getByRole('button', { name: 'Plate is clear' }).click()
  await dialog.getByText('Not done: the printer prints.').waitFor()
  t.match(told, [{ printer: 'x1c', outcome: 'not_printed', seen: /^[0-9a-f]{12}$/ }])
  await page.unrouteAll({ behavior: 'ignoreErrors' }) // the page may be asking again
})

t.test('the plates of a room are confirmed in one list, except those that were left out', { skip: noBrowser }, async t => {
  const booted = await start(t, {
    preset: fastDaemon,
    models: ['one', 'two', 'three'].map(name => ({ model: 'P1S', name, ...FAST })),
    listen: true,
    config: { dataDir: testFolder(t), api: { host: '127.0.0.1' } }
  })
  const plates = async () => (await queueOf(booted)).printers.map(({ plate }) => plate)
  const { page } = await browse(t)
  await page.goto(`http://127.0.0.1:${booted.kernel.apiPort}/queue`)
  await page.getByRole('button', { name: 'All 3 are clear' }).click()
  const dialog = page.getByRole('dialog')
  t.same(await barriers(page), [], 'the question')
  await dialog.getByRole('checkbox', { name: /^two/ }).uncheck()
  t.same(await plates(), ['used', 'used', 'used'], 'nothing is confirmed by asking')
  await dialog.getByRole('button', { name: 'These 2 plates are clear' }).click()
  await eventually(async () => (await plates()).join() === 'clear,used,clear')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('heading', { name: 'One plate to look at' }).waitFor()
})

t.test('why something waits is said in the language of the page', { skip: noBrowser }, async t => {
  const booted = await start(t, { preset: fastDaemon, listen: true, config: { dataDir: testFolder(t), api: { host: '127.0.0.1' } } })
  await upload(booted, sliced())
  const { id } = await add(booted, { file: 'cube.gcode.3mf', printers: ['x1c'] })
  await booted.http('PATCH', `/api/queue/jobs/${id}`, { act: 'hold' })
  const { page } = await browse(t)
  const words = [['en', 'plate not confirmed clear', 'held'], ['de', 'Platte nicht als frei bestätigt', 'zurückgestellt'],
    ['zh', '打印板未确认已清空', '已搁置']] as const
  for (const [language, plate, job] of words) {
    await page.setExtraHTTPHeaders({ 'accept-language': language })
    await page.goto(`http://127.0.0.1:${booted.kernel.apiPort}/queue`)
    await page.locator('[data-printer=x1c]').getByText(plate).waitFor()
    await page.locator('.job .name').click()
    await page.locator('dialog .why').getByText(job, { exact: true }).waitFor()
    await page.locator('dialog summary').click()
    await page.locator('dialog .reasons').getByText(plate).waitFor()
    t.equal((await queueOf(booted)).jobs.length, 1, language)
  }
})
