import t from 'tap'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { browse, noBrowser } from '../charts/chromium.js'
import { ask, localPass, logIn, PASSWORD } from '../people/people.js'
import { barriers, read } from '../web/desk.js'

t.test('a user adds a passkey, logs in with it, and lets nothing else in', { skip: noBrowser }, async t => {
  const { kernel } = await boot(t, { models: [], listen: true, config: { api: { host: '127.0.0.1' }, dataDir: testFolder(t) } })
  const local = { key: await localPass(kernel) }
  await ask(kernel, 'POST', '/api/people/users', { name: 'anna', role: 'administrate', password: PASSWORD })
  await ask(kernel, 'POST', '/api/people/users', { name: 'ben', role: 'view', password: PASSWORD }, local)
  const base = `http://localhost:${kernel.apiPort}`

  const { page, pageErrors, context } = await browse(t, { width: 390, height: 844 })
  const devices = await context.newCDPSession(page)
  await devices.send('WebAuthn.enable')
  const { authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true }
  })
  const dialog = page.getByRole('dialog')
  const send = (name: string) => dialog.getByRole('button', { name, exact: true }).click()
  const enter = async () => {
    await page.getByLabel('Name').fill('ben')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in', exact: true }).first().click()
  }
  await page.goto(`${base}/account`)
  await page.getByRole('button', { name: 'Log in with a passkey' }).waitFor()
  await enter()
  await page.getByRole('heading', { name: 'ben' }).waitFor()
  t.same(await barriers(page), [], 'without a passkey')

  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await dialog.getByLabel('Name of the device').fill('<b>Phone</b>')
  await dialog.getByLabel('Current password').fill('not this one')
  await send('Continue')
  await dialog.getByText('The current password is wrong').waitFor()
  await dialog.getByLabel('Current password').fill(PASSWORD)
  await send('Continue')
  await page.getByText('not used yet').waitFor()
  t.same(await barriers(page), [], 'with one')
  t.notOk(await read(page, 'document.documentElement.scrollWidth > innerWidth'))
  const { credentials } = await devices.send('WebAuthn.getCredentials', { authenticatorId })
  t.match(credentials, [{ rpId: 'localhost', isResidentCredential: true }])

  await page.getByRole('checkbox', { name: 'My password alone is not enough' }).click()
  await dialog.getByLabel('Current password').fill(PASSWORD)
  await send('Save')
  await page.getByText('Your password alone is not enough.').waitFor()

  await page.getByRole('button', { name: 'Remove: <b>Phone</b>' }).click()
  await send('Remove')
  await dialog.getByText('let the password in again first').nth(1).waitFor()
  await page.keyboard.press('Escape')

  await context.clearCookies()
  await page.goto(`${base}/account`)
  await enter()
  const refusal = 'Name or password is wrong, or your login needs a passkey.'
  await page.getByText(refusal).waitFor()
  const [right, wrong] = [await logIn(kernel, 'ben', PASSWORD), await logIn(kernel, 'ben', 'not this one')]
  t.equal(right.cookie, '')
  t.equal(right.status, wrong.status, 'the answer does not tell whether the password is right')
  await page.getByRole('button', { name: 'Log in with a passkey' }).click()
  await page.getByText(/last used/).waitFor()
  t.equal(new URL(page.url()).pathname, '/account', 'back at the page that was asked for')

  const entries = async () => (await ask(kernel, 'GET', '/api/audit', undefined, local)).text
  await eventually(async () => (await entries()).includes('passkey'))
  t.match(await entries(), 'a passkey is required')

  await page.getByRole('button', { name: 'Change password' }).click()
  await dialog.getByLabel('Current password').fill(PASSWORD)
  await dialog.getByLabel('New password', { exact: true }).fill(`${PASSWORD} 2`)
  await dialog.getByLabel('New password again').fill(`${PASSWORD} 2`)
  await send('Change password')
  await page.getByRole('button', { name: 'Log in with a passkey' }).waitFor()

  t.match(await ask(kernel, 'DELETE', '/api/people/users/passkeys', { name: 'ben' }, local), { status: 200, body: { removed: 1 } })
  await page.getByRole('button', { name: 'Log in with a passkey' }).click()
  await page.getByText('it is not known here').waitFor()
  t.equal((await logIn(kernel, 'ben', `${PASSWORD} 2`)).status, 303, 'the password is enough again')
  t.same(pageErrors.filter(text => !/40[139]/.test(text)), [])
})
