import t from 'tap'
import { boot } from '../../helpers/boot.js'
import { testFolder } from '../../helpers/folder.js'
import { browse, noBrowser } from '../charts/chromium.js'
import { barriers } from '../web/desk.js'

t.test('an example is adapted, checked as it is written, and accepted after its consequence was read', { skip: noBrowser }, async t => {
  const { kernel, http } = await boot(t, {
    models: [{ model: 'X1C', name: 'x1c', reportEveryMs: 300 }],
    listen: true,
    config: { dataDir: testFolder(t), api: { host: '127.0.0.1' } }
  })
  const accepted = async () => (await http('GET', '/api/plate-change/status', { printer: 'x1c' })).body.recipes as object[]
  const { page, pageErrors } = await browse(t)
  await page.goto(`http://127.0.0.1:${kernel.apiPort}/plate-change`)
  await page.getByText('No recipe is accepted here: nothing is changed.').waitFor()
  t.same(await barriers(page), [], 'nothing yet')

  await page.getByRole('button', { name: 'Example: push the part to the front' }).click()
  await page.getByText('an example cannot be saved as it is').waitFor()
  t.ok(await page.getByRole('button', { name: 'Save' }).isDisabled(), 'what moves is adapted first')
  await page.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('button', { name: 'New recipe' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('<b>Push</b>')
  const end = page.getByRole('textbox', { name: 'G-code after the print' })
  await end.fill('G90\nM104 S999')
  await page.getByText(/^Line 2: /).first().waitFor()
  t.same(await barriers(page), [], 'a recipe with a problem')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').waitFor()
  t.same((await http('GET', '/api/plate-change/recipes')).body.recipes, [], 'what is refused is not stored')
  await end.fill('G90\nG1 Z{print_height_mm+10} F900')
  await page.getByText('Nothing speaks against it on x1c.').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('<b>Push</b>').first().waitFor()
  t.same(await accepted(), [], 'a stored recipe does nothing')

  await page.getByRole('button', { name: 'Accept for x1c' }).click()
  const dialog = page.getByRole('dialog')
  const [{ consequence }] = (await http('GET', '/api/plate-change/recipes')).body.recipes as [{ consequence: string }]
  await dialog.getByText(consequence).waitFor()
  t.same(await barriers(page), [], 'the question')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  t.same(await accepted(), [], 'nothing is accepted by closing the question')
  await page.getByRole('button', { name: 'Accept for x1c' }).click()
  await dialog.getByRole('button', { name: 'Accept' }).click()
  await page.getByText(/^Accepted here by/).waitFor()
  t.match(await accepted(), [{ name: '<b>Push</b>' }])
  await page.setViewportSize({ width: 390, height: 844 })
  t.equal(await page.evaluate('document.documentElement.scrollWidth'), 390, 'nothing is wider than a phone')
  t.same(await barriers(page), [], 'a phone')
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await page.getByText('No recipe is accepted here: nothing is changed.').waitFor()
  t.same(await accepted(), [])
  t.equal(pageErrors.length, 1)
  t.match(pageErrors[0], /422/, 'only what was refused')
})
