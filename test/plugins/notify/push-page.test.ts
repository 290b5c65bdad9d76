import { createECDH, randomBytes } from 'node:crypto'
import t from 'tap'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { browse, noBrowser } from '../charts/chromium.js'
import { barriers } from '../web/desk.js'

/** What a browser with a push service would return: the browser of the tests has none. */
function subscription () {
  const keys = createECDH('prime256v1')
  keys.generateKeys()
  return {
    endpoint: `https://fcm.googleapis.com/send/${randomBytes(16).toString('hex')}`,
    keys: { p256dh: keys.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') }
  }
}

t.test('a phone gets messages after four actions, and shows them without an open page', { skip: noBrowser }, async t => {
  const sent: URL[] = []
  const { kernel } = await boot(t, {
    models: [{ model: 'P1S', name: 'p1s' }],
    listen: true,
    config: { api: { host: '127.0.0.1' }, dataDir: testFolder(t) }
  })
  t.intercept(globalThis, 'fetch', {
    value: async (url: URL) => {
      sent.push(url)
      return new Response(null, { status: 201 })
    }
  })
  const { page, pageErrors } = await browse(t, { hasWorker: true })
  const base = `http://127.0.0.1:${kernel.apiPort}`
  await page.context().grantPermissions(['notifications'], { origin: base })
  await page.addInitScript(`
    Notification.requestPermission = async () => 'granted'
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
    PushManager.prototype.subscribe = async () => ({ toJSON: () => (${JSON.stringify(subscription())}) })
  `)
  await page.goto(base)
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Messages' }).click()
  await page.getByRole('button', { name: 'Notify this device' }).click() // the fourth is to allow it
  await page.getByText('A test message is on its way').waitFor()
  t.equal(sent.length, 1, 'the test needs no further action')
  await page.getByRole('button', { name: 'Test Chrome' }).click()
  await eventually(() => sent.length === 2)
  t.same(await barriers(page), [])

  const [worker] = page.context().serviceWorkers()
  const message = JSON.stringify({ id: 'a', title: 'p1s: Print finished', text: 'cube', printer: 'p1s' })
  const shown = await worker?.evaluate(`new Promise(resolve => {
    registration.showNotification = async (title, { body, data }) => resolve([title, body, data.printer])
    dispatchEvent(new PushEvent('push', { data: ${JSON.stringify(message)} }))
  })`)
  t.same(shown, ['p1s: Print finished', 'cube', 'p1s'])
  t.same(pageErrors, [])
})
