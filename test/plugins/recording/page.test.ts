import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { browse, noBrowser } from '../charts/chromium.js'
import { bootRecording, VIDEO } from './boot.js'

const LISTEN = { models: [VIDEO], listen: true, config: { api: { host: '127.0.0.1' } } }

t.test('records, plays, changes settings and deletes', { skip: noBrowser }, async t => {
  const { kernel, name, list, http } = await bootRecording(t, LISTEN)
  const { page, pageErrors } = await browse(t)
  await page.goto(`http://127.0.0.1:${kernel.apiPort}/recordings?printer=${name}`)
  await page.getByText('Nothing recorded yet.').waitFor()
  await page.getByRole('button', { name: 'Record a minute' }).click()
  await page.getByText(/^On demand of x1c/).waitFor()
  let units = 0
  kernel.services.camera.tap(kernel.printers.resolve(name), { onUnit: () => { units++ } })
  await eventually(() => units > 15, 30_000)
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('button', { name: 'Play' }).click()
  const played = () => page.evaluate<{ seconds: number, at: number, problem: string | undefined }>(
    "(({ duration: seconds, currentTime: at, error }) => ({ seconds, at, problem: error?.message }))(document.querySelector('video'))")
  await eventually(async () => (await played()).at > 0.2, 20_000)
  const { seconds, problem } = await played()
  t.equal(problem, undefined)
  t.ok(Number.isFinite(seconds) && seconds > 0.5, `its length is known: ${seconds}`)

  const answers: (() => void)[] = []
  await page.route(url => url.pathname.endsWith('/recording_settings'), async route => {
    const asked = route.request().postData() ?? ''
    const response = await route.fetch()
    if (asked.includes('interval_s')) await new Promise<void>(resolve => answers.push(resolve))
    await route.fulfill({ response })
    if (asked.includes('evidence')) answers.forEach(answer => answer())
  })
  await page.getByRole('combobox', { name: 'Timelapse' }).selectOption('interval')
  const late = page.waitForResponse(response => (response.request().postData() ?? '').includes('interval_s'))
  await page.getByRole('spinbutton').fill('30')
  await page.getByRole('spinbutton').press('Tab')
  await page.getByRole('checkbox', { name: /failures/ }).uncheck()
  await eventually(async () => (await http('GET', '/api/recording_settings', { printer: name })).body.evidence === false)
  t.match((await http('GET', '/api/recording_settings', { printer: name })).body,
    { evidence: false, timelapse: 'interval', interval_s: 30, keep_connected: false })

  const evidence = page.getByRole('checkbox', { name: /failures/ })
  await (await late).finished()
  await page.waitForTimeout(200)
  t.notOk(await evidence.isChecked(), 'the answer to the interval came last and undid nothing')

  page.on('dialog', dialog => { void dialog.accept() })
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Nothing recorded yet.').waitFor()
  t.same(await list(), [])
  t.same(pageErrors.filter(error => !error.endsWith('/file')), [], 'a player may break off what it loads')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})
