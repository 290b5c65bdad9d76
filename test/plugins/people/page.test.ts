import t from 'tap'
import { boot } from '../../helpers/boot.js'
import { testFolder } from '../../helpers/folder.js'
import { browse, noBrowser } from '../charts/chromium.js'
import { barriers, read } from '../web/desk.js'
import { ask, ELSEWHERE, logIn, PASSWORD } from './people.js'

t.test('the page of people, from the first administrator to the record of what was done', { skip: noBrowser }, async t => {
  const { kernel } = await boot(t, {
    models: [{ model: 'P1S', name: 'p1s' }],
    listen: true,
    config: { api: { host: '127.0.0.1' }, dataDir: testFolder(t) }
  })
  const base = `http://127.0.0.1:${kernel.apiPort}`
  t.notMatch((await ask(kernel, 'GET', '/settings', undefined, { from: ELSEWHERE })).text, 'data-page="people"',
    'who may not use the page has no entry for it')

  const { page, pageErrors } = await browse(t)
  let heard = 0
  const complaints = () => {
    const news = pageErrors.slice(heard)
    heard = pageErrors.length
    return news
  }
  const dialog = page.getByRole('dialog')
  const send = (name: string) => dialog.getByRole('button', { name, exact: true }).click()
  await page.goto(`${base}/settings`)
  t.notOk(await page.getByRole('button', { name: 'Log out' }).isVisible(), 'nobody has to be logged in')
  await page.getByRole('link', { name: 'People' }).click()
  await page.getByText('With the first user everyone has to log in').waitFor()
  t.same(await barriers(page), [], 'with nobody')

  await page.getByRole('button', { name: 'Add the first administrator' }).click()
  await dialog.getByLabel('Name').fill('anna')
  await dialog.getByLabel('Password (').fill(PASSWORD)
  await dialog.getByLabel('Password again').fill(`${PASSWORD}!`)
  await send('Add user')
  await dialog.getByText('The two passwords differ.').waitFor()
  await dialog.getByLabel('Password again').fill(PASSWORD)
  await send('Add user')

  await page.waitForURL(/\/login\?next=/)
  t.same(complaints().filter(text => !text.includes('401')), [], 'only that one has to log in')
  await page.getByLabel('Name').fill('anna')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button').first().click()
  await page.getByText('All printers').waitFor()

  await page.getByRole('button', { name: 'Remove: anna' }).click()
  await send('Remove')
  await dialog.getByText("'anna' is the last administrator.").waitFor()
  t.match(complaints(), [/409/], 'a refusal stands in the dialogue')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  t.equal(await read(page, 'document.activeElement.ariaLabel'), 'Remove: anna', 'the focus is back')

  await page.getByRole('button', { name: 'Add key' }).click()
  await dialog.getByLabel('Name').fill('grafana')
  await dialog.getByRole('checkbox', { name: 'All printers' }).uncheck()
  await send('Add key')
  await dialog.getByText('Choose at least one printer').waitFor()
  await dialog.getByRole('checkbox', { name: 'p1s' }).check()
  await dialog.getByLabel('Days').fill('30')
  t.same(await barriers(page), [], 'the dialogue')
  await send('Add key')
  const key = await dialog.getByRole('textbox', { name: 'Key grafana' }).inputValue()
  t.match((await ask(kernel, 'GET', '/api/people/me', undefined, { key })).body, { name: 'key grafana', printers: ['p1s'] })
  await send('Done')

  await page.getByText('belongs to anna').waitFor()
  await page.getByText('make a key').waitFor()
  for (const [width, height] of [[390, 844], [1280, 900]] as const) {
    await page.setViewportSize({ width, height })
    t.same(await barriers(page), [], `${width} px`)
    t.notOk(await read(page, 'document.documentElement.scrollWidth > innerWidth'), `${width} px`)
  }
  const record = page.getByRole('list', { name: 'Who did what' })
  await page.getByLabel('Who', { exact: true }).fill('nobody')
  await page.keyboard.press('Enter')
  await page.getByText('Nothing is recorded.').waitFor()
  await page.getByLabel('Who', { exact: true }).fill('anna')
  await page.keyboard.press('Enter')
  await record.getByText('remove a user').waitFor()

  await page.getByRole('button', { name: 'Budget: grafana' }).click()
  await dialog.getByLabel('Prints', { exact: true }).fill('3')
  await dialog.getByLabel('Prints: Counted').selectOption('day')
  t.same(await barriers(page), [], 'the budget')
  await send('Save')
  await page.getByText('3 of 3 prints in 24 hours left').waitFor()

  await page.getByRole('button', { name: 'Revoke: grafana' }).click()
  await send('Revoke')
  await page.getByText('No keys.').waitFor()
  t.equal((await ask(kernel, 'GET', '/api/people/me', undefined, { key })).status, 401)

  await page.goto(`${base}/settings`)
  await page.getByText('Logged in as anna').waitFor()
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.waitForURL(/\/login\b/)
  t.same(complaints(), [])
  const { cookie } = await logIn(kernel, 'anna', PASSWORD)
  t.match((await ask(kernel, 'GET', '/people', undefined, { cookie })).text, 'data-page="people"')
})
