import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { browse, noBrowser } from '../charts/chromium.js'
import { addressOf, bootWeb } from './boot.js'
import { barriers, card, openTab, read } from './desk.js'

const options = { skip: noBrowser }

t.test('the page fits every screen, in every light and language, and says why a printer is away', options, async t => {
  const models = [{ model: 'P1S', name: 'p1s', reportEveryMs: 300, sdCard: { samples: true } }] as const
  const booted = await bootWeb(t, { models, camera: false })
  const { page, pageErrors, context } = await browse(t, { width: 1440, height: 900 })
  await page.goto(addressOf(booted))
  await page.getByText('Live', { exact: true }).waitFor()
  for (const [width, height] of [[1440, 900], [768, 1024], [390, 844]] as const) {
    await page.setViewportSize({ width, height })
    t.notOk(await read(page, 'document.documentElement.scrollWidth > innerWidth'), `nothing is cut off at ${width} px`)
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      t.same(await barriers(page), [], `${width} px, ${colorScheme}`)
    }
  }

  await page.getByRole('tab', { name: 'Files' }).focus()
  for (const name of ['Controls', 'Move', 'Settings', 'History', 'Advanced']) {
    await page.keyboard.press('ArrowRight')
    t.equal(await page.getByRole('tab', { selected: true }).textContent(), name)
    await card(page, name).waitFor()
    if (name === 'Move') t.same(await barriers(page), [], 'moving by hand')
  }
  t.match(page.url(), /#advanced$/)
  await openTab(page, 'History')
  await card(page, 'History').getByText('No prints yet.').waitFor()

  await booted.printer.stop()
  const away = card(page, 'Connection')
  await away.getByText(/Last report:/).waitFor({ timeout: 20_000 })
  t.same(await barriers(page), [], 'offline')
  await away.getByRole('button', { name: 'Test the connection' }).click()
  await away.getByRole('listitem').filter({ hasText: /p1s|127\.0\.0\.1/ }).first().waitFor({ timeout: 20_000 })
  await away.getByRole('button', { name: /^Change address/ }).click()
  const save = page.getByRole('dialog').getByRole('button', { name: 'Save' })
  t.ok(await save.isDisabled(), 'nothing is changed yet')
  await page.getByRole('textbox', { name: 'Address' }).fill('127.0.0.1')
  t.ok(await save.isEnabled())
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await context.addCookies([{ name: 'prnd-language', value: 'de', url: addressOf(booted) }])
  await page.goto(addressOf(booted))
  await page.getByRole('tab', { name: 'Einstellungen' }).click()
  await jobIsIn(page)
  for (const title of ['Auftrag', 'Meldungen', 'Filament', 'Verbindung']) await card(page, title).waitFor()
  t.same(pageErrors.filter(text => !text.includes('502')), [], 'only the card of a printer that is away cannot be read')
})

/** The words of states are those of all pages. */
const jobIsIn = (page: Parameters<typeof card>[0]) =>
  eventually(async () => await card(page, 'Auftrag').getByRole('status').first().innerText() === 'Bereit')
