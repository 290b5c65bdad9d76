import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { browse, noBrowser } from '../charts/chromium.js'
import { CLIENT, serve, startProvider } from '../people/openid.js'
import { barriers, read } from '../web/desk.js'
import { ask, challengeOf, PASSWORD, start, statusOf, verifierOf } from './oauth.js'

const NAME = '<b id=x onclick=alert(1)>Agent</b>'
/** Without signs of addresses. */
const SHOWN = '<b id x onclick alert(1)>Agent< b>'

t.test('in a browser: from the site of an agent to the consent page and back, and the list of programs', { skip: noBrowser }, async t => {
  const { kernel, cookie } = await start(t, {
    models: ['P1S', 'X1C'], listen: true, config: { api: { host: '127.0.0.1' }, dataDir: testFolder(t) }
  })
  const base = `http://127.0.0.1:${kernel.apiPort}`
  const host = `127.0.0.1:${kernel.apiPort}`
  const verifier = verifierOf()
  let consentUrl = ''
  const site = await serve(t, (request, response) => {
    const frame = request.url === '/frame' ? `<iframe src="${consentUrl}"></iframe>` : `<a href="${consentUrl}">connect</a>`
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>agent</title>${frame}`)
  })
  const redirect = `http://localhost:${site.port}/callback`
  const { body: { client_id: client } } = await ask(kernel, '/register', {
    json: { client_name: NAME, redirect_uris: [redirect] }, headers: { host }
  })
  consentUrl = `${base}/authorize?${new URLSearchParams({
    client_id: client, redirect_uri: redirect, response_type: 'code', code_challenge: challengeOf(verifier), code_challenge_method: 'S256', state: 's'
  })}`
  const { page, pageErrors, context } = await browse(t, { width: 390, height: 844 })
  const [name = '', value = ''] = cookie.split('=')
  await context.addCookies([{ name, value, url: base, httpOnly: true, sameSite: 'Strict' }])

  await page.goto(`${site.issuer}/`)
  await page.getByText('connect').click()
  await page.getByRole('heading', { name: `${SHOWN} wants to use your printers` }).waitFor()
  t.equal(new URL(page.url()).pathname, '/authorize', 'its cookie is strict, and comes along all the same')
  t.equal(await page.locator('#sent-to').textContent(), `localhost:${site.port}`)
  t.equal(await page.locator('#x').count(), 0, 'the name is text')
  await page.getByText('Nobody vouches for this name').waitFor()
  await page.getByText('A program on this device').waitFor()
  for (const [width, height] of [[390, 844], [1280, 900]] as const) {
    await page.setViewportSize({ width, height })
    t.same(await barriers(page), [], `${width} px`)
    t.notOk(await read(page, 'document.documentElement.scrollWidth > innerWidth'), `${width} px`)
  }
  t.ok(await page.getByRole('radio', { name: /^View/ }).isChecked(), 'the least is chosen')
  await page.getByRole('checkbox', { name: 'All that I may use' }).uncheck()
  await page.getByLabel('Your password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('Choose at least one printer').waitFor()
  await page.getByRole('checkbox', { name: 'p1s' }).check()
  await page.getByRole('radio', { name: /^Operate/ }).check()
  await page.getByLabel('Until when').selectOption('day')
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(`${redirect}?**`)
  const answer = new URL(page.url()).searchParams
  t.same([answer.get('state'), answer.get('iss')], ['s', base])
  const { body } = await ask(kernel, '/token', {
    form: { grant_type: 'authorization_code', code: answer.get('code'), client_id: client, code_verifier: verifier, redirect_uri: redirect },
    headers: { host }
  })
  t.equal(await statusOf(kernel, body.access_token, { host }), 200)

  await page.goto(consentUrl)
  await page.getByRole('button', { name: 'Refuse' }).click()
  await page.waitForURL(`${redirect}?**`)
  t.equal(new URL(page.url()).searchParams.get('error'), 'access_denied')

  await page.goto(`${base}/authorize`)
  await page.getByText('A program opens this page').waitFor()
  await page.goto(`${base}/authorize?client_id=unknown`)
  await page.getByText('This program cannot be connected').waitFor()
  await page.goto(`${consentUrl}&response_type=token`.replace('response_type=code&', ''))
  await page.getByRole('button', { name: 'Back to the program' }).click()
  await page.waitForURL(/error=unsupported_response_type/)

  await page.goto(`${base}/settings`)
  await page.getByRole('link', { name: 'Connected programs' }).click()
  await page.getByText(SHOWN, { exact: true }).waitFor()
  for (const [width, height] of [[390, 844], [1280, 900]] as const) {
    await page.setViewportSize({ width, height })
    t.same(await barriers(page), [], `${width} px`)
  }
  await page.getByRole('button', { name: 'Disconnect' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await page.getByText('No program is connected.').waitFor()
  t.equal(await statusOf(kernel, body.access_token, { host }), 401)
  t.same(pageErrors.filter(error => !/status of (400|404)|favicon/.test(error)), [])

  await page.goto(`${site.issuer}/frame`)
  await eventually(() => pageErrors.some(error => /frame-ancestors/.test(error)))
  t.equal(await page.getByRole('button', { name: 'Allow' }).count(), 0, 'no other site shows it in a frame')
})

t.test('in a browser: users of an OpenID provider log in there, and then consent', { skip: noBrowser }, async t => {
  const { issuer } = await startProvider(t, { u1: { preferred_username: 'anna' } })
  const dataDir = testFolder(t)
  await writeFile(join(dataDir, 'secret'), CLIENT.secret)
  const openid = { issuer, clientId: CLIENT.id, clientSecret: { file: join(dataDir, 'secret') }, defaultRole: 'view' }
  const { kernel } = await boot(t, {
    models: [], listen: true, config: { dataDir, api: { host: '127.0.0.1' }, plugins: { people: { openid } } }
  })
  const host = `127.0.0.1:${kernel.apiPort}`
  const redirect = 'http://localhost:1/callback'
  const { body: { client_id: client } } = await ask(kernel, '/register', {
    json: { client_name: 'Agent', redirect_uris: [redirect] }, headers: { host }
  })
  const { page } = await browse(t)
  await page.goto(`http://${host}/authorize?${new URLSearchParams({
    client_id: client,
    redirect_uri: redirect,
    response_type: 'code',
    code_challenge: challengeOf(verifierOf()),
    code_challenge_method: 'S256',
    state: 'long'.repeat(100),
    resource: `http://${host}/mcp`,
    scope: 'view operate'
  })}`)
  await page.getByRole('link', { name: /OpenID|Log in/ }).click()
  await page.locator('input[name=login]').fill('u1')
  await page.locator('input[name=password]').fill('any')
  await page.locator('button[type=submit]').click()
  await page.locator('button[type=submit]').click() // what the service may know
  await page.getByRole('heading', { name: 'Agent wants to use your printers' }).waitFor()
  await page.getByText('in your name, anna').waitFor()
  t.equal(await page.getByRole('radio').count(), 1, 'nobody gives more than they have')
})
