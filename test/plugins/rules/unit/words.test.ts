import t from 'tap'
import { LANGUAGES, type AnyOperation } from '../../../../core/index.js'
import { setBedTarget, setFan, setLight, setNozzleTarget } from '../../../../plugins/climate/operations.js'
import { turnPlugOff } from '../../../../plugins/energy/operations.js'
import { pauseQueue } from '../../../../plugins/queue/operations/printers.js'
import { queueJob } from '../../../../plugins/queue/operations/jobs.js'
import { CALL_WORDS } from '../../../../plugins/rules/vocabulary/call-words.data.js'
import type { Words } from '../../../../plugins/rules/vocabulary/index.js'
import { printEvents } from '../../../../plugins/rules/vocabulary/print-events.js'
import { printerValues } from '../../../../plugins/rules/vocabulary/printer-values.js'
import { consequenceInWords, ruleInWords } from '../../../../plugins/rules/words/rule-in-words.js'
import { STEP_KINDS, TRIGGER_KINDS, type Step, type StepRecord } from '../../../../plugins/rules/types.js'
import { recordInWords } from '../../../../plugins/rules/words/run-in-words.js'
import { ruleOf } from './world.js'

const operations =
  [setBedTarget, setFan, setLight, setNozzleTarget, turnPlugOff, pauseQueue, queueJob] as unknown as AnyOperation[]
const ID = '4f0c7a52-8a1b-4f6e-9d1e-2f6f0f1a7c11'
const words: Words = {
  events: new Map(printEvents.map(event => [event.name, event])),
  values: new Map(printerValues.map(value => [value.name, value])),
  operations: new Map(operations.map(one => [one.name, one])),
  named: (operation, input) => operation.startsWith('energy.') && input === 'id'
    ? { all: [{ id: ID, name: 'Shelf', printer: 'x1c' }], isWhole: true }
    : undefined
}
const call = (operation: string, input: Record<string, unknown>): Step => ({ kind: 'call', operation, input })

t.test('what a rule does is said in words of each language, with units and names', async t => {
  const rule = ruleOf({
    when: [{ kind: 'event', event: 'print.ended', fields: { result: 'failed' } }],
    if: [{ value: 'printer.state', is: 'one_of', than: ['IDLE', 'FINISH'] }],
    then: [
      call('climate.setBedTarget', { celsius: 60 }), call('climate.setBedTarget', { celsius: 0 }), call('climate.setLight', { on: false }),
      call('climate.setFan', { fan: 'part_cooling', percent: 40 }), call('climate.setNozzleTarget', { celsius: 200, extruder: 1 }),
      call('energy.turnOff', { id: ID }), call('queue.add', { file: 'cube.3mf', copies: 2, not_before: 0 })
    ]
  })
  const { then } = ruleInWords(rule, words, 'en')
  t.same(then.slice(0, 6), [
    'set the bed to 60 °C', 'switch the heater of the bed off', 'switch the light off', 'set the fan “part cooling” to 40 %',
    'set the nozzle to 200 °C (nozzle: left)',
    'switch off the plug “Shelf” of x1c'
  ])
  t.match(then[6], /^add “cube\.3mf” to the queue \(copies: 2, not before: [^)]*19(69|70)[^)]*\)$/)
  t.match(ruleInWords(rule, words, 'de'), {
    when: ['wenn ein Druck endet (Ergebnis: fehlgeschlagen)'],
    if: [/bereit oder fertig/],
    then: [
      'das Bett auf 60 °C stellen', 'die Heizung des Betts ausschalten', 'das Licht ausschalten', 'den Lüfter „Bauteilkühlung“ auf 40 % stellen',
      'die Düse auf 200 °C stellen (Düse: links)', 'die Steckdose „Shelf“ von x1c ausschalten'
    ]
  })
  for (const lang of LANGUAGES) {
    const said = consequenceInWords(rule, words, lang)
    t.notMatch(said, /celsius|extruder|not_before|part_cooling|\{|\}/, said)
    t.notOk(said.includes(ID), 'no id where there is a name')
  }
  t.match(ruleInWords({ ...rule, then: [call('energy.turnOff', { id: 'gone' })] }, words, 'en').then, ['switch off the plug gone'])
  t.match(ruleInWords({ ...rule, then: [call('climate.setBedTarget', { celsius: { from: 'event.result' } })] }, words, 'de').then,
    ['das Bett auf Ergebnis des Ereignisses stellen'])
})

t.test('a rule in the making is read with gaps', async t => {
  const kinds = (names: readonly string[]) => names.map(kind => ({ kind })) as never
  const rule = ruleOf({ when: kinds(TRIGGER_KINDS), if: [{}, { value: 'printer.state' }], then: kinds(STEP_KINDS) })
  for (const lang of LANGUAGES) {
    const { when, if: conditions, then } = ruleInWords(rule, words, lang)
    t.same([when.length, conditions.length, then.length], [TRIGGER_KINDS.length, 2, STEP_KINDS.length])
    t.notMatch([...when, ...conditions, ...then].join(), /undefined|NaN|\{/)
    t.ok(consequenceInWords(rule, words, lang))
  }
  t.match(ruleInWords(rule, words, 'en').then, ['…', 'wait …', /until …/, /…/, /…/])
})

t.test('what is said of a call has the same places in all languages', async t => {
  const places = (text = '') => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()
  for (const { words } of Object.values(CALL_WORDS).flat()) {
    for (const lang of LANGUAGES) t.same(places(words[lang]), places(words.en), words.en)
  }
})

t.test('what a step did is a sentence, whatever became of its rule', async t => {
  const record = { run: 'r', step: 0, state: 'done', at: 0, endedAt: 1, reason: undefined } as const
  const said = (given: Partial<StepRecord>, step?: Step) => LANGUAGES.map(lang => recordInWords({ ...record, what: '', ...given }, step, words, lang))
  const act = { operation: 'climate.setBedTarget', printer: 'x1c', input: { celsius: 60 } }
  t.match(said({ what: 'climate.setBedTarget on x1c', act }), ['set the bed to 60 °C, on x1c', 'das Bett auf 60 °C stellen, auf x1c', /60 °C/])
  t.match(said({ what: 'message: All good' }), [/“All good”/, /„All good“/, /All good/])
  t.match(said({ what: 'wait 600 s' }), ['wait 10 min', '10 Min. warten', /10分钟/])
  t.match(said({ what: 'wait until it holds' }, { kind: 'wait_until', if: [{ value: 'nozzle.celsius', is: 'below', than: 45 }], most_s: 60 }), [/below 45 °C/, /unter 45 °C/, /45 °C/])
  t.match(said({ what: 'stop if' }), [/stop here/, /\S/, /\S/])
})
