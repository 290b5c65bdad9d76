import { readFileSync } from 'node:fs'
import t from 'tap'
import { pageModules } from '../../../helpers/page-module.js'
import { components, createHooks, shownIn } from '../../../helpers/shown-in.js'
import { texts } from '../../../../plugins/rules/texts/index.js'

/** Modules of the page, which the compiler checks with the pages' own settings. */
const pageModule = async (name: string): Promise<any> => await import(new URL(`../../../../plugins/rules/page/${name}`, import.meta.url).href)
const {
  cronOf, dailyOf, durationOf, fieldsOf, KEY, keyed, movedAt, newStep, newTrigger, pathText, printersIn, problemsAt,
  secondsOf, toSend, withAt, withoutAt
} = await pageModule('rule.js')
const { templatesOf } = await pageModule('templates.data.js')
const { isUsable, vocabularyOf } = await pageModule('vocabulary.js')

const named = (name: string, perPrinter = true) => ({ name, words: name, per_printer: perPrinter })
const BODY = {
  events: [
    { ...named('print.ended'), fields: [{ name: 'result', words: 'result', type: 'text', choices: ['failed', 'finished'] }] },
    { ...named('queue.emptied', false), fields: [] }
  ],
  values: [{ ...named('bed.celsius'), type: 'number', unit: '°C', choices: [] }],
  operations: [{
    ...named('a.set'),
    effect: 'write',
    consequence: 'It is set.',
    input: {
      type: 'object',
      required: ['celsius', 'mode', 'options'],
      properties: {
        celsius: { type: 'number', minimum: 20, maximum: 80 },
        mode: { enum: ['soft', 'hard'] },
        note: { anyOf: [{ type: 'string', maxLength: 40 }, { type: 'null' }] },
        names: { type: 'array', items: { type: 'string' } },
        options: { type: 'object', properties: { sound: { type: 'boolean' } } },
        deep: { type: 'array', items: { type: 'object' } }
      }
    }
  }],
  triggers: [{ kind: 'event', available: true, why_not: '' }, { kind: 'sun', available: false, why_not: 'no place' }],
  printers: ['one', 'two']
}
const asNamed = { input: () => (name: string) => name.toUpperCase(), choice: (value: string) => `(${value})` }
const vocabulary = vocabularyOf(BODY, asNamed)

t.test('inputs of an operation become controls by their schema', async t => {
  const inputs = vocabulary.operations.get('a.set')?.inputs ?? []
  t.same(inputs.map(({ path, type, required }: any) => [path.join('.'), type, required]), [
    ['celsius', 'number', true], ['mode', 'choice', true], ['note', 'text', false], ['names', 'list', false],
    ['options', 'object', true], ['options.sound', 'boolean', false], ['deep', 'json', false]
  ])
  t.match(inputs[0], { minimum: 20, maximum: 80, unit: '°C', words: 'CELSIUS' })
  t.same(inputs[1]?.choices, [{ value: 'soft', words: '(soft)' }, { value: 'hard', words: '(hard)' }])
  t.same(newStep('call', vocabulary.operations.get('a.set')).input, { celsius: 20, mode: 'soft', options: {} })
})

t.test('plugs and printers are chosen by their names', async t => {
  const input = { type: 'object', properties: { id: { type: 'string' }, printer: { type: 'string' } } }
  const body = { ...BODY, operations: [{ ...named('energy.turnOff', false), effect: 'write', consequence: '', input }] }
  const { operations } = vocabularyOf(body, asNamed, [{ id: 'p1', name: 'Shelf' }])
  t.same(operations.get('energy.turnOff')?.inputs.map(({ choices }: any) => choices), [
    [{ value: 'p1', words: 'Shelf' }], [{ value: 'one', words: 'one' }, { value: 'two', words: 'two' }]
  ])
})

t.test('parts are changed, moved and removed by their path, and keep their keys', async t => {
  const rule = keyed({ when: [], if: [], then: [{ kind: 'wait', seconds: 1 }, { kind: 'message', text: 'a' }] })
  const changed = withAt(rule, ['then', 0, 'seconds'], 5)
  t.equal(changed.then[0].seconds, 5)
  t.equal(changed.then[0][KEY], rule.then[0][KEY])
  t.equal(rule.then[0].seconds, 1, 'the rule before is as it was')
  t.same(movedAt(changed, ['then', 0], 1).then.map(({ kind }: any) => kind), ['message', 'wait'])
  t.equal(movedAt(changed, ['then', 0], -1), changed)
  t.same(withoutAt(changed, ['then', 0]).then.map(({ kind }: any) => kind), ['message'])
  t.notOk('seconds' in withAt(rule, ['then', 0, 'seconds'], undefined).then[0])
  t.notOk(JSON.stringify(toSend({ ...rule, id: 'x', author: {} })).includes('author'))
})

t.test('problems are shown at the part that they are about', async t => {
  const problems = [{ path: pathText('then[0].input.celsius'), words: 'a' }, { path: pathText('/then/0/if/1/than'), words: 'b' }]
  t.same(problemsAt(problems, ['then', 0], ['if']).map(({ words }: any) => words), ['a'])
  t.same(problemsAt(problems, ['then', 0, 'if', 1]).map(({ words }: any) => words), ['b'])
  t.same(problemsAt(problems, ['then', 0, 'input', 'celsius']).length, 1)
  t.same(problemsAt(problems, ['then', 1]), [])
})

t.test('a schedule is a time and days, or stays what it is', async t => {
  t.same(dailyOf('30 7 * * 1-5'), { time: '07:30', days: [1, 2, 3, 4, 5] })
  t.same(dailyOf('0 22 * * 0'), { time: '22:00', days: [7] })
  for (const other of ['*/5 * * * *', '0 22 1 * *', '99 7 * * *', '0 22 * * x', 'nonsense']) t.equal(dailyOf(other), undefined, other)
  t.equal(cronOf('07:05', [1, 2, 3, 4, 5, 6, 7]), '5 7 * * *')
  t.same(dailyOf(cronOf('07:05', [6, 7])), { time: '07:05', days: [6, 7] })
  t.same(durationOf(7_200), { amount: 2, unit: 'hour' })
  t.same(durationOf(90), { amount: 90, unit: 'second' })
  t.equal(secondsOf(10, 'minute'), 600)
})

t.test('a rule is about the printer of the event, about each of its printers, or about none', async t => {
  const ended = newTrigger('event', { name: 'print.ended' })
  const call = newStep('call', vocabulary.operations.get('a.set'))
  t.equal(printersIn({ when: [ended], if: [], then: [] }, vocabulary), 'event')
  t.equal(printersIn({ when: [newTrigger('time')], if: [], then: [call] }, vocabulary), 'each')
  t.equal(printersIn({ when: [newTrigger('time')], if: [], then: [{ ...call, printer: 'one' }] }, vocabulary), undefined)
  t.same(fieldsOf({ when: [ended] }, vocabulary).map(({ name }: any) => name), ['printer', 'result'])
  t.same(fieldsOf({ when: [ended, newTrigger('event', { name: 'queue.emptied' })] }, vocabulary), [])
})

t.test('templates have names and messages in every language, and only those with known words are offered', async t => {
  const templates = templatesOf((key: string) => key, { zone: 'UTC', printer: 'one', plug: { id: 'p1', printer: 'one' } })
  t.ok(templates.length >= 12)
  for (const { id, rule } of templates) {
    for (const [language, words] of Object.entries(texts) as [string, Record<string, string>][]) {
      t.ok(words[`rules.template.${id}`] && words[`rules.template.${id}.text`], `${id} ${language}`)
    }
    for (const { text } of rule.then.filter(({ kind }: any) => kind === 'message')) t.ok(Object.hasOwn(texts.en, text), text)
  }
  t.same(templates.filter(({ rule }: any) => isUsable(rule, vocabulary)).map(({ id }: any) => id), ['failed'])
})

t.test('an address that was cut off shows the page all the same', async t => {
  const drawn: unknown[] = []
  const place = { replaceChildren () {} }
  const script = readFileSync(new URL('../../../../plugins/rules/page/main.js', import.meta.url), 'utf8')
  const shell = { t: (key: string) => key, hasText: () => false, shell: { language: 'en' }, call: async () => ({}) }
  await pageModules(['rules/page/main.js'], {
    packages: { shell, components, 'preact/hooks': createHooks(), preact: { render: (page: unknown) => drawn.push(page) } },
    globals: { location: { hash: '#rule/%' }, document: { getElementById: () => place } },
    files: { 'rules/page/main.js': `${script}\nexport const isHere = true` } // a module without exports would be left out
  })
  t.match(shownIn(drawn[0]), [{ name: 'main' }, { name: 'h1', text: 'rules.title' }, { name: 'p' }])
})
