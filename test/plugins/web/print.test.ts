import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { browse, noBrowser } from '../charts/chromium.js'
import { make3mf } from '../projects/make-3mf.js'
import { CHANGED, OUTSIDE } from '../toolpath/faulty-plates.js'
import { addressOf, bootWeb } from './boot.js'
import { barriers, card, jobIs, read, received, receives, said } from './desk.js'

const SAMPLE = '/desk-organiser.gcode.3mf'

/** Drops a file as a mouse does. */
async function drop (page: Page, name: string, bytes: Buffer) {
  const dataTransfer = await page.evaluateHandle(`(() => {
    const data = new DataTransfer()
    data.items.add(new File([Uint8Array.from(atob('${bytes.toString('base64')}'), one => one.charCodeAt(0))], '${name}'))
    return data
  })()`)
  await page.dispatchEvent('main', 'dragover', { dataTransfer })
  await page.dispatchEvent('main', 'drop', { dataTransfer })
}

/** Before the page of a printer, with a sliced project at hand. */
async function sit (
  t: Test, pace: { readonly reportEveryMs: number, readonly speed: number }, model: 'P1S' | 'X1C' = 'P1S'
) {
  const models = [{ model, name: model.toLowerCase(), ...pace, sdCard: { samples: true } }] as const
  const booted = await bootWeb(t, { models, camera: false })
  const { printer, http } = booted
  const bytes = await printer.card.get(SAMPLE)
  if (bytes === undefined) throw new Error('the sample is not on the card')
  const { page, pageErrors } = await browse(t, { width: 1440, height: 900 })
  await page.goto(addressOf(booted))
  await page.getByText('Live', { exact: true }).waitFor()
  const dialog = page.getByRole('dialog')
  const start = dialog.getByRole('button', { name: 'Start print' })
  const starts = () => received(printer, 'project_file').length
  return { printer, http, bytes, page, pageErrors, dialog, start, starts }
}

t.test('from a file to a print: at once, or by the queue', { skip: noBrowser }, async t => {
  const { printer, ...desk } = await sit(t, { reportEveryMs: 300, speed: 8 })
  const { http, bytes, page, pageErrors, dialog, start, starts } = desk

  await drop(page, 'vase.gcode.3mf', bytes)
  await eventually(() => start.isEnabled(), 60_000)
  t.equal(starts(), 0, 'a file that is dropped starts nothing')
  t.same(await printer.card.get('/vase.gcode.3mf'), bytes)
  await dialog.getByText('p1s heats up, moves and prints plate 1 at once.', { exact: false }).waitFor()
  await dialog.getByText(/\d g$/).first().waitFor()
  t.same(await barriers(page), [])
  await start.click()
  t.match(await receives(printer, 'project_file'), { url: /vase/, param: 'Metadata/plate_1.gcode' })
  await jobIs(page, 'Printing')
  await dialog.waitFor({ state: 'detached' })

  await drop(page, 'later.gcode.3mf', bytes)
  await dialog.getByText('p1s is printing.', { exact: false }).waitFor()
  t.ok(await start.isDisabled(), 'not while another job runs')
  await dialog.getByRole('radio', { name: 'By the queue' }).check()
  await dialog.getByRole('button', { name: 'Add to the queue' }).click()
  await said(page, 'Added to the queue')
  t.match((await http('GET', '/api/queue')).body, { jobs: [{ name: 'later', files: [{ plate: 1 }] }] })

  t.same(pageErrors, [])
})

t.test('from a file to a finished print, with the mouse alone and with the keyboard alone', { skip: noBrowser }, async t => {
  const desk = await sit(t, { reportEveryMs: 200, speed: 1_200 })
  const { http, bytes, page, pageErrors, dialog, start, starts } = desk
  const prints = async () => (await http('GET', '/api/history')).body.prints
    .map(({ name, result, percent }: { name: string, result: string, percent: number }) => `${name} ${result} ${percent}`)
  /** @param name of the file. @returns whether the page and the record tell that it is done */
  const isFinished = async (name: string) => {
    await card(page, 'Job').getByText(name, { exact: true }).waitFor()
    await jobIs(page, 'Finished')
    await card(page, 'Job').getByText('100 %', { exact: true }).waitFor()
    await eventually(async () => (await prints()).includes(`${name} finished 100`))
  }

  let actions = 0
  const act = async (work: () => Promise<unknown>) => { actions++; await work() }
  await act(() => drop(page, 'mouse.gcode.3mf', bytes))
  await eventually(() => start.isEnabled(), 60_000)
  await act(() => start.click())
  await isFinished('mouse')
  t.equal(actions, 2, 'by mouse: drop, start')

  await page.reload()
  await page.getByText('Live', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Print a file …' }).waitFor()
  // Asked for well before the key: a dialogue that opens before the browser is told to pass it on is never seen.
  const asks = page.waitForEvent('filechooser', { timeout: 60_000 })
  let keys = 0
  const press = async (key: string) => { keys++; await page.keyboard.press(key) }
  const focused = () => read<string>(page, 'document.activeElement.textContent')
  const walkTo = async (name: string, key: string) => {
    for (let steps = 0; steps < 30 && await focused() !== name; steps++) await press(key)
  }
  await press('Tab')
  await press('Enter') // the link to the content
  await walkTo('Print a file …', 'Tab')
  t.equal(await focused(), 'Print a file …')
  await press('Enter')
  await (await asks).setFiles({ name: 'keys.gcode.3mf', mimeType: 'model/3mf', buffer: bytes })
  await eventually(() => start.isEnabled(), 60_000)
  await walkTo('Start print', 'Shift+Tab')
  await press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await isFinished('keys')
  t.ok(keys <= 12, `by keyboard: ${keys} keys`)
  t.equal(starts(), 2)
  t.same(await prints(), ['keys finished 100', 'mouse finished 100'])
  t.same(pageErrors, [])
})

t.test('what is wrong with a plate is shown, and asked about if it may be printed', { skip: noBrowser }, async t => {
  const { printer, page, pageErrors, dialog, start, starts } = await sit(t, { reportEveryMs: 300, speed: 8 }, 'X1C')
  const findings = dialog.locator('.findings')

  await drop(page, 'outside.gcode.3mf', OUTSIDE)
  await findings.getByText(/Line \d+, layer 2: .*300/).waitFor({ timeout: 60_000 })
  t.ok(await start.isDisabled(), 'nobody may print it')
  t.equal(await findings.getByRole('checkbox').count(), 0)
  t.match(await findings.getByRole('link', { name: 'Show it' }).getAttribute('href'), /plate\?.*file=%2Foutside.*plate=1.*layer=2&line=\d+/)
  await findings.getByRole('link', { name: 'Look at it layer by layer' }).waitFor()
  t.same(await barriers(page), [])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  await drop(page, 'changed.gcode.3mf', CHANGED)
  await findings.getByText(/MD5/).waitFor({ timeout: 60_000 })
  t.ok(await start.isDisabled())
  await findings.getByRole('checkbox', { name: 'Print in spite of this' }).check()
  await start.click()
  await receives(printer, 'project_file')
  t.equal(starts(), 1)
  t.same(pageErrors.filter(text => !text.includes('404')), [], 'these files have no pictures')
})

t.test('what is not sliced is not printed, and an upload can be ended', { skip: noBrowser }, async t => {
  const booted = await bootWeb(t, { camera: false })
  const { printer } = booted
  const { page, pageErrors } = await browse(t, { width: 390, height: 844 })
  await page.goto(addressOf(booted))
  await page.getByText('Live', { exact: true }).waitFor()
  const dialog = page.getByRole('dialog')
  const filaments = [{ id: 1, type: 'PLA', color: '#FFFFFF' }] as const

  await drop(page, 'some.3mf', make3mf([{ number: 1, filaments }, { number: 2, sliced: false }]))
  await dialog.getByText('not sliced', { exact: true }).waitFor()
  t.ok(await dialog.getByRole('radio', { name: 'Plate 2' }).isDisabled())
  t.notOk(await read(page, 'document.documentElement.scrollWidth > innerWidth'), 'nothing is cut off on a phone')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  await drop(page, 'none.3mf', make3mf([{ number: 1, sliced: false }]))
  await said(page, /none\.3mf is a project that is not sliced/)
  t.equal(await printer.card.get('/none.3mf'), undefined, 'it is not sent to the card')

  await drop(page, 'notes.txt', Buffer.from('x'))
  await said(page, /notes\.txt cannot be printed/)

  await page.route(/upload_file_to_host/, () => {}) // it never answers
  await drop(page, 'slow.3mf', make3mf([{ number: 1, filaments }]))
  await dialog.getByRole('button', { name: 'Abort' }).click()
  await dialog.waitFor({ state: 'detached' })
  t.equal(await printer.card.get('/slow.3mf'), undefined)
  t.equal(received(printer, 'project_file').length, 0)
  t.same(pageErrors.filter(text => !/upload_file_to_host|404|400/.test(text)), [], 'these plates have no pictures')
})

t.test('another printer is chosen in the dialogue, and why one cannot be is told', { skip: noBrowser }, async t => {
  const models = [
    { model: 'P1S', name: 'left', reportEveryMs: 300, sdCard: { samples: true } },
    { model: 'P1S', name: 'right', reportEveryMs: 300, sdCard: { samples: true } },
    { model: 'A1', name: 'small', reportEveryMs: 300 }
  ] as const
  const booted = await bootWeb(t, { models, camera: false })
  const { printers: [left, right], http } = booted
  const bytes = await left?.card.get(SAMPLE)
  if (!left || !right || bytes === undefined) throw new Error('the sample is not on the card')
  const { page, pageErrors } = await browse(t, { width: 390, height: 844 })
  await http('POST', '/api/print_3mf', {
    printer: 'left', filename: SAMPLE, platenum: 1, plate: 'auto', use_ams: false, accept_mismatch: true
  })
  await receives(left, 'project_file')
  await page.goto(addressOf(booted, 'printer?printer=right'))
  await page.getByText('Live', { exact: true }).waitFor()
  await drop(page, 'moved.gcode.3mf', bytes)
  const dialog = page.getByRole('dialog')
  const choice = (name: RegExp) => dialog.getByRole('radio', { name })

  await choice(/^On left P1S (Printing|Preparing)/).waitFor()
  t.ok(await choice(/^On left/).isDisabled(), 'one that prints')
  t.ok(await choice(/^On small A1 .*sliced for P1S/).isDisabled(), 'one of another model')
  t.ok(await choice(/^Now, on right/).isChecked())
  t.notOk(await read(page, 'document.documentElement.scrollWidth > innerWidth'), 'nothing is cut off on a phone')
  t.same(await barriers(page), [])

  await http('POST', '/api/stop_printing', { printer: 'left' })
  await eventually(() => choice(/^On left P1S Cancelled its plate has to be cleared/).isEnabled())
  await choice(/^On left/).check()
  t.equal(await left.card.get('/moved.gcode.3mf'), undefined, 'to choose it sends nothing')
  await dialog.getByRole('button', { name: 'Send to left' }).click()
  await choice(/^Now, on left/).waitFor()
  t.match(page.url(), /printer=left/)
  t.same(await left.card.get('/moved.gcode.3mf'), bytes)
  const start = dialog.getByRole('button', { name: 'Start print' })
  await eventually(() => start.isEnabled(), 60_000)
  await start.click()
  await receives(left, 'project_file', 2)
  t.match(received(left, 'project_file').at(-1), { url: /moved/ })
  t.equal(received(right, 'project_file').length, 0, 'nothing on the printer that it was dropped for')
  await dialog.waitFor({ state: 'detached' })

  await page.locator('.chooser select').selectOption('right')
  await page.getByText('Live', { exact: true }).waitFor()
  t.equal(await dialog.count(), 0, 'what was printed does not come back')
  t.same(pageErrors, [])
})
