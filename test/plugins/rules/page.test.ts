import t from 'tap'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { browse, noBrowser, type Look } from '../charts/chromium.js'
import { barriers, read } from '../web/desk.js'

const models = [{ model: 'X1C', name: 'x1c', reportEveryMs: 300 }, { model: 'P1S', name: 'p1s', reportEveryMs: 300 }] as const

async function open (t: Parameters<typeof boot>[0], hash = '', look: Look = {}) {
  const { kernel, http } = await boot(t, {
    models: [...models], listen: true, config: { dataDir: testFolder(t), api: { host: '127.0.0.1' } }
  })
  const { page, pageErrors } = await browse(t, look)
  const at = `http://127.0.0.1:${kernel.apiPort}/rules`
  await page.goto(`${at}#${hash}`)
  const rules = async (): Promise<any[]> => ((await http('GET', '/api/rules')).body as any).rules
  return { page, pageErrors, http, rules, at }
}

t.test('every template on the page is accepted and saved as it is', { skip: noBrowser }, async t => {
  const { page, pageErrors, rules, http, at: address } = await open(t)
  const plug = { name: 'Shelf', kind: 'tasmota', settings: { topic: 'plug1' }, printer: 'x1c' }
  t.equal((await http('POST', '/api/energy/plugs', plug)).status, 200)
  await page.goto(`${address}?again`)
  await page.getByRole('heading', { name: 'No rules yet' }).waitFor()
  t.same(await barriers(page), [], 'without rules')
  const ids = await page.locator('.template').evaluateAll(all => all.map(one => String((one as any).hash).split('/')[1]))
  const templates = ids.filter(id => id !== 'empty')
  t.ok(templates.length >= 12, templates.join(' '))
  for (const [at, id] of templates.entries()) {
    await read(page, `location.hash = 'new/${id}'`)
    await page.getByRole('button', { name: 'Save' }).and(page.locator(':disabled')).waitFor()
    await page.getByRole('checkbox', { name: /^I have read this/ }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: at === 0 ? '1 rule' : `${at + 1} rules` }).waitFor()
  }
  t.equal((await rules()).length, templates.length)
  t.same(await barriers(page), [], 'the list')
  for (const [width, height] of [[390, 844], [1280, 900]] as const) {
    await page.setViewportSize({ width, height })
    t.notOk(await read(page, 'document.documentElement.scrollWidth > innerWidth'), `${width} px`)
  }
  t.same(pageErrors, [])
})

t.test('a rule is written with the keyboard alone, corrected, tried, accepted and saved', { skip: noBrowser }, async t => {
  const { page, pageErrors, rules } = await open(t, 'new/empty')
  const pick = async (button: string, text: string) => {
    await page.getByRole('button', { name: button }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('searchbox').waitFor()
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  const focused = () => read<string>(page, 'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent')
  await pick('Choose what it begins with', 'a print ends')
  t.match(await focused(), /a print ends/, 'the focus is on what was added')
  await pick('only if …', 'bed temperature')
  await pick('Choose what it does', 'temperature of the bed')
  const celsius = page.getByRole('spinbutton', { name: 'temperature, °C' })
  await celsius.fill('4000')
  await page.getByText('1 phrase is not right yet.').or(page.getByText('What it does without you')).first().waitFor()
  await celsius.fill('45')
  await page.getByText('it heats without an end').waitFor()
  await pick('and then …', 'temperature of the bed')
  await celsius.last().fill('0')
  await page.getByText('on all printers that its author may use').waitFor()
  t.same(await barriers(page), [], 'the editor')
  await page.getByRole('button', { name: 'Look it up' }).click()
  await page.getByRole('region', { name: 'In the past week' }).getByText('It would not have run.').waitFor()
  t.ok(await page.getByRole('button', { name: 'Save' }).isDisabled(), 'not before it is accepted')
  await page.getByRole('checkbox', { name: /^I have read this/ }).focus()
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Save' }).press('Enter')
  await page.getByRole('heading', { name: '1 rule' }).waitFor()
  const [rule] = await rules()
  t.match(rule, {
    name: 'A print ends → set the temperature of the bed',
    when: [{ kind: 'event', event: 'print.ended' }],
    if: [{ value: 'bed.celsius', printer: 'event', is: 'above', than: 40 }],
    then: [{ kind: 'call', operation: 'climate.setBedTarget', printer: 'event', input: { celsius: 45 } }, { input: { celsius: 0 } }],
    enabled: true
  })
  t.same(pageErrors, [])
})

t.test('a change is accepted anew, lost changes are asked about, and Escape leads back', { skip: noBrowser }, async t => {
  const { page, rules } = await open(t, 'new/light')
  const accept = page.getByRole('checkbox', { name: /^I have read this/ })
  await accept.click()
  await page.getByRole('spinbutton', { name: 'How long' }).fill('20')
  await page.getByRole('button', { name: 'Save' }).and(page.locator(':disabled')).waitFor()
  await page.keyboard.press('Escape')
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
  await dialog.getByRole('button', { name: 'Keep editing' }).click()
  await page.getByRole('combobox', { name: 'switched' }).selectOption('on')
  await eventually(async () => !await accept.isChecked())
  await accept.click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: 'Light off after a print' }).click()
  await page.getByRole('heading', { name: 'Edit rule' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('switch', { name: 'Light off after a print: switched on' }).click()
  await eventually(async () => (await rules())[0]?.enabled === false)
  t.match((await rules())[0], { then: [{ seconds: 1200 }, {}, { input: { on: true } }] })
  await page.getByRole('switch', { name: 'All rules' }).click()
  await page.getByText('All rules are switched off').waitFor()
  await page.getByLabel('Actions for Light off after a print').click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('heading', { name: 'No rules yet' }).waitFor()
})

t.test('what an agent proposes runs only when a person has accepted it', { skip: noBrowser }, async t => {
  const { page, http, rules, at } = await open(t)
  const propose = (name: string, seconds: number) => http('POST', '/api/rules/propose', {
    rule: { name, when: [{ kind: 'event', event: 'print.began' }], then: [{ kind: 'wait', seconds }, { kind: 'message', text: name }] },
    why: '<b>because</b>'
  } as any)
  await propose('First', 60)
  await propose('<img src=x onerror=alert(1)>', 120)
  await page.goto(`${at}?again`)
  await page.getByRole('heading', { name: '2 proposed rules' }).waitFor()
  t.same(await barriers(page), [], 'proposals')
  t.same(await rules(), [])
  const save = page.getByRole('button', { name: 'Save this rule: First' })
  t.ok(await save.isDisabled())
  await page.getByRole('listitem').filter({ has: save }).getByRole('checkbox').click()
  await save.click()
  await page.getByRole('heading', { name: '1 rule', exact: true }).waitFor()
  await page.getByRole('button', { name: /^Discard: <img/ }).click()
  await page.getByRole('heading', { name: /proposed rule/ }).waitFor({ state: 'detached' })
  t.match(await rules(), [{ name: 'First' }])
})

t.test('two hundred rules are listed and searched in every language', { skip: noBrowser }, async t => {
  const { page, http, at } = await open(t)
  const rule = (n: number) => ({ name: `Rule ${n}`, when: [{ kind: 'time', cron: `${n % 60} ${n % 24} * * *` }], then: [{ kind: 'message', text: `number ${n}` }] })
  for (let n = 0; n < 200; n++) {
    const { body } = await http('POST', '/api/rules/check', { rule: rule(n) } as any)
    await http('POST', '/api/rules', { ...rule(n), accept_consequence: (body as any).accept_consequence } as any)
  }
  for (const [language, title] of [['en', '200 rules'], ['de', '200 Regeln'], ['zh', '200 条规则']] as const) {
    await page.setExtraHTTPHeaders({ 'accept-language': language })
    await page.goto(`${at}?${language}`)
    await page.getByRole('heading', { name: title }).waitFor()
    t.notMatch(await page.locator('main').innerText(), /rules\.[a-z]/, `${language}: every text is there`)
  }
  await page.getByRole('searchbox').fill('number 123')
  await eventually(async () => await page.locator('.rule').count() === 1)
})
