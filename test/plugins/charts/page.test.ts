import t from 'tap'
import { DAY_MS } from '../../../plugins/history/sums.js'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { madeUp } from '../history/rows.js'
import { barriers, read } from '../web/desk.js'
import { browse, noBrowser } from './chromium.js'

const PRINTS = 70
const SECONDS = Array.from({ length: 100 }, (_, at) => at * 30)

t.test('the charts answer questions, and lead to the prints that they count', { skip: noBrowser }, async t => {
  const { kernel, http } = await boot(t, {
    models: [], listen: true, config: { dataDir: testFolder(t), api: { host: '127.0.0.1' } }
  })
  const { page, pageErrors } = await browse(t, { width: 1440, height: 900 })
  const answer = async (id: string) =>
    (await page.locator(`#${id} .answer`).textContent())?.replaceAll('\u00a0', ' ')
  await page.goto(`http://127.0.0.1:${kernel.apiPort}/charts`)
  await page.getByRole('heading', { name: 'Nothing to count yet' }).waitFor()

  const began = Date.now() - PRINTS * DAY_MS
  for (let number = 0; number < PRINTS; number++) {
    for (const row of madeUp(number, began, DAY_MS, 3)) kernel.services.database.put(row)
  }
  const { finished, failed } = (await http('GET', '/api/history/statistics')).body as Record<string, number>
  await page.reload()
  await eventually(async () => /were good/.test(await answer('reliable') ?? ''))
  t.match(await answer('reliable'), `${finished} of ${Number(finished) + Number(failed)} prints were good.`)
  t.match(await answer('amounts'), /^70 prints took 61 h and 1\.15 kg of filament\./)
  t.match(await answer('cost'), /in the currency of your prices/)
  t.match(await answer('time'), /^The 3 printers printed/)
  for (const [width, height] of [[390, 844], [1440, 900]] as const) {
    await page.setViewportSize({ width, height })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      t.same(await barriers(page), [], `${width} px, ${colorScheme}`)
    }
    t.notOk(await read(page, 'document.documentElement.scrollWidth > innerWidth'), `${width} px: nothing is cut off`)
  }

  const [newest] = ((await http('GET', '/api/history')).body as { prints: { id: string, started_at: number }[] }).prints
  const { writeTelemetry } = await import('../../../plugins/history/details/queries.js')
  await kernel.services.database.query<any, void>(db => writeTelemetry(db, newest?.id ?? '', newest?.started_at ?? 0, {
    tool: SECONDS.map(at => [at, 216 + at % 8]), tool_target: [[0, 220]], chamber: SECONDS.map(at => [at, 31])
  }))
  await page.goto(`http://127.0.0.1:${kernel.apiPort}/charts?print=${newest?.id}`)
  await page.locator('#warm canvas').waitFor()
  t.equal(await answer('warm'), 'Once warm, the greatest distance from the target was 4 °C (Nozzle). Chamber: 31 °C.')
  await page.locator('#warm .u-over').hover()
  await eventually(async () => /Nozzle 2\d\d\s°C \/ 220\s°C/.test(await page.locator('#warm .readout').textContent() ?? ''))
  t.same(await barriers(page), [], 'temperatures')

  await page.getByRole('button', { name: 'Material' }).first().click()
  const row = page.locator('#reliable .row').filter({ hasText: 'PETG' })
  const link = row.getByRole('link', { name: /failed/ })
  const count = Number.parseInt(await link.textContent() ?? '', 10)
  await link.click()
  await page.waitForURL(/\/history\?/)
  await eventually(async () => await page.locator('[data-print]').count() === count)
  t.equal(await page.getByLabel('Material').inputValue(), 'PETG', 'its filters are set')
  t.same(pageErrors.filter(error => !/thumbnail|picture|404/.test(error)), [])
})
