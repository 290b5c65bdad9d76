import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import openapi from '../../../plugins/openapi/index.js'
import { A1_SERIAL, bootCamera, CODE } from '../camera/helpers/boot.js'
import { showing, startJpegPeer } from '../camera/helpers/jpeg-peer.js'
import { picture } from '../camera/helpers/pictures.js'
import { browse, noBrowser } from '../charts/chromium.js'
import { barriers } from '../web/desk.js'

const TOKEN = 'a-long-token'

/** A page of another site that leads to `target`. */
async function otherSite (t: Test, target: string): Promise<string> {
  const server: Server = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end(`<a id="there" href="${target}">there</a>`))
  await new Promise<void>(resolve => { server.listen(0, 'localhost', resolve) })
  t.teardown(() => new Promise(resolve => { server.close(resolve); server.closeAllConnections() }))
  return `http://localhost:${(server.address() as AddressInfo).port}/`
}

t.test('one login in a browser: pages, streams on their own ports, links from other sites, logging out', { skip: noBrowser }, async t => {
  const peer = await startJpegPeer(t, A1_SERIAL, CODE, showing([await picture()]))
  const { kernel } = await bootCamera(t, {
    listen: true,
    more: [openapi],
    printers: [{ ports: { camera: peer.port } }],
    config: { api: { host: '127.0.0.1', token: TOKEN } }
  })
  const started = await kernel.app.inject({ method: 'POST', url: '/api/start_stream', headers: { authorization: `Bearer ${TOKEN}` } })
  const stream = String(started.json().url).replace('localhost', '127.0.0.1')
  const api = `http://127.0.0.1:${kernel.apiPort}`
  const { page, pageErrors } = await browse(t)
  const field = page.locator('#token')

  await page.goto(`${api}/api/docs/`)
  await field.waitFor() // behind a page that calls itself once
  t.same(await barriers(page), [], 'the login page')
  await field.fill('not the token')
  await page.keyboard.press('Enter')
  await page.getByText('That is not the token').waitFor()
  t.same(pageErrors.filter(text => !text.includes('401')), [], 'the page keeps to its own policy')
  await field.fill(TOKEN)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${api}/api/docs/`)
  t.equal(await page.evaluate('document.cookie'), '', 'scripts cannot read the cookie')

  await page.goto(stream)
  t.match(await page.title(), 'cam', 'the same cookie holds on the port of the stream')
  const shown = await page.evaluate(`(async () => {
    const image = new Image()
    image.src = ${JSON.stringify(`${stream}snapshot`)}
    await image.decode()
    return image.naturalWidth
  })()`)
  t.equal(shown, 1280)

  await page.goto(await otherSite(t, stream))
  await page.click('#there')
  await page.waitForURL(stream)
  t.match(await page.title(), 'cam', 'a link from another site asks nobody who is logged in')

  await page.goto(`${api}/login`)
  await page.getByRole('button', { name: 'Log out' }).click()
  await field.waitFor()
  await page.goto(`${api}/api/docs/`)
  await field.waitFor()
  t.match(page.url(), '/login?asked=1')
})
