import t from 'tap'
import { Type } from 'typebox'
import { clockKey, type AnyOperation } from '../../../../core/index.js'
import type { Message } from '../../../../plugins/broker/index.js'
import { BrokerTopics, memberAt, parsed, type Broker } from '../../../../plugins/rules/broker-topics.js'
import { checkHeat, checkLoops } from '../../../../plugins/rules/check/check-acts.js'
import { checkCall } from '../../../../plugins/rules/check/check-call.js'
import type { CheckContext, Report } from '../../../../plugins/rules/check/check-context.js'
import { mayCause } from '../../../../plugins/rules/engine/chains.js'
import { compare, createClock, holds, isWithin, type Facts } from '../../../../plugins/rules/engine/compare.js'
import { inputWith, sourceOf, textWith } from '../../../../plugins/rules/engine/inputs.js'
import { createIndex, fits, wantedOf } from '../../../../plugins/rules/engine/rule-index.js'
import { nextTime, timesBetween } from '../../../../plugins/rules/engine/schedules.js'
import { SENTENCES } from '../../../../plugins/rules/words/sentences.data.js'
import { CALLABLE } from '../../../../plugins/rules/vocabulary/callable.data.js'
import { CONSEQUENCE_WORDS } from '../../../../plugins/rules/vocabulary/consequence-words.data.js'
import { texts } from '../../../../plugins/rules/texts/index.js'
import { storedWhy, why, whyFrom, whyInWords } from '../../../../plugins/rules/words/why.js'
import type { Cause, Rule } from '../../../../plugins/rules/types.js'
import { ruleOf } from './world.js'

const nowhere = { place: undefined, timeZone: undefined }

t.test('comparisons hold, do not hold, or are not known', async t => {
  t.equal(compare(30, { is: 'below', than: 40 }), true)
  t.equal(compare(40, { is: 'below', than: 40 }), false)
  t.equal(compare(41, { is: 'above', than: 40 }), true)
  t.equal(compare('a', { is: 'one_of', than: ['a', 'b'] }), true)
  t.equal(compare('c', { is: 'unequal', than: 'a' }), true)
  t.equal(compare(undefined, { is: 'unequal', than: 'a' }), undefined)
  t.equal(compare('30', { is: 'below', than: 40 }), undefined)
})

t.test('hours over midnight belong to the day on which they begin', async t => {
  const clock = createClock('UTC')
  const night = { from: '22:00', to: '06:00', days: [5], zone: 'Europe/Berlin' }
  const at = (text: string) => isWithin(night, Date.parse(text), clock)
  t.equal(at('2026-11-27T21:30:00+01:00'), false)
  t.equal(at('2026-11-27T22:00:00+01:00'), true, 'Friday evening')
  t.equal(at('2026-11-28T05:59:00+01:00'), true, 'the morning after it')
  t.equal(at('2026-11-28T06:00:00+01:00'), false)
  t.equal(at('2026-11-28T23:00:00+01:00'), false, 'Saturday evening')
  t.equal(at('2026-11-27T03:00:00+01:00'), false, 'the morning after Thursday')
})

t.test('any and not keep what is not known', async t => {
  const facts: Facts = { at: 0, clock: createClock('UTC'), value: name => name === 'one' ? 1 : undefined }
  const one = { value: 'one', is: 'equal', than: 1 } as const
  const unknown = { value: 'none', is: 'equal', than: 1 } as const
  t.equal(holds({ any: [unknown, one] }, facts), true)
  t.equal(holds({ any: [unknown, { not: one }] }, facts), undefined)
  t.equal(holds({ not: unknown }, facts), undefined)
  t.equal(holds({ not: one }, facts), false)
})

t.test('times follow the clock of a zone over its changes', async t => {
  const daily = { kind: 'time', cron: '30 2 * * *', zone: 'Europe/Berlin' } as const
  const times = timesBetween(daily, Date.parse('2026-10-24T12:00:00Z'), Date.parse('2026-10-27T12:00:00Z'), 100, nowhere)
  t.same(times.map(at => new Date(at).toISOString()), ['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z', '2026-10-27T01:30:00.000Z'])
  t.equal(new Date(nextTime(daily, Date.parse('2026-03-28T12:00:00Z'), nowhere) ?? 0).toISOString(), '2026-03-29T01:30:00.000Z', 'the hour that is left out')
  t.throws(() => nextTime({ kind: 'time', cron: '* * * * * *' }, 0, nowhere), 'seconds')
  const minutely = timesBetween({ kind: 'time', cron: '* * * * *', zone: 'UTC' }, 0, 600_000, 100, nowhere)
  t.equal(minutely.length, 10)
})

t.test('values of an event keep their type, and names of objects are no fields', async t => {
  const given = { printer: 'p1', fields: { percent: 3, name: 'a' } }
  t.same(inputWith({ n: { from: 'event.percent' }, where: { from: 'event.printer' }, plain: 'x' }, given), { n: 3, where: 'p1', plain: 'x' })
  t.throws(() => inputWith({ n: { from: 'event.constructor' } }, given), /has no constructor/)
  t.throws(() => inputWith({ n: { from: 'event.__proto__' } }, given), /has no __proto__/)
  t.equal(sourceOf({ from: 'event.a', more: 1 }), undefined)
  t.equal(textWith('{name}{constructor}', given, 'R'), 'a{constructor}')
  t.equal(textWith('{name}', { ...given, fields: { name: 'x'.repeat(9_000) } }, 'R').length, 200)
  t.equal(fits(wantedOf({ constructor: 'x' }), {}), false)
})

t.test('the light brings about the light, and nothing opens the door', async t => {
  t.equal(mayCause('climate.setLight', 'light.state'), true)
  t.equal(mayCause('climate.setLight', 'print.ended'), false)
  t.equal(mayCause('energy.switch', 'print.ended'), true)
  t.equal(mayCause('energy.switch', 'door.opened'), false)
  t.equal(mayCause('constructor', 'door.opened'), false)
})

t.test('a rule that is allowed to call something says what that brings about in every language', async t => {
  const names = Object.entries(CALLABLE).flatMap(([plugin, acts]) => acts.split(' ').map(act => `${plugin}.${act}`))
  t.same(names.filter(name => !CONSEQUENCE_WORDS[name]?.de || !CONSEQUENCE_WORDS[name].zh), [])
  t.same(names.filter(name => /startDryer|resume|setDetector/.test(name)), [])
})

const problemsOf = (rule: Partial<Rule>): string[] => {
  const found: string[] = []
  const report: Report = (path, code, values) => { found.push(`${path}: ${whyInWords(why(code, values))}`) }
  checkHeat(rule.then ?? [], report)
  checkLoops({ when: [], then: [], printers: null, ...rule }, report)
  return found
}
const bed = (celsius: unknown) => ({ kind: 'call', operation: 'climate.setBedTarget', input: { celsius } }) as const

t.test('heat has an end in its rule', async t => {
  t.match(problemsOf({ then: [bed(60)] }), [/without an end/])
  t.match(problemsOf({ then: [bed({ from: 'event.percent' })] }), [/without an end/])
  t.match(problemsOf({ then: [bed(0), bed(60)] }), [/without an end/])
  t.match(problemsOf({ then: [bed(60), { ...bed(0), printer: 'p2' }] }), [/without an end/])
  t.same(problemsOf({ then: [bed(60), { kind: 'wait', seconds: 3_600 }, bed(0)] }), [])
  t.match(problemsOf({ then: [bed(60), { kind: 'wait', seconds: 86_400 }, bed(0)] }), [/longer than 4 h/])
  t.match(problemsOf({ then: [bed(60), { kind: 'stop_if', if: [] }, bed(0)] }), [/only be waits/])
  t.same(problemsOf({ then: [bed(0)] }), [])
})

t.test('a rule that resumes the queue is refused, also with a value of its event', async t => {
  const input = Type.Object({ paused: Type.Boolean() })
  const pause = { name: 'queue.pause', effect: 'destructive', scope: 'daemon', input } as unknown as AnyOperation
  const context = { words: { operations: new Map([['queue.pause', pause]]) }, kernel: { operations: new Map() }, caller: undefined, sees: () => true } as unknown as CheckContext
  const codesOf = (paused: unknown): string[] => {
    const codes: string[] = []
    checkCall({ kind: 'call', operation: 'queue.pause', input: { paused } }, 'then[0]', new Map(), context, (_path, code) => { codes.push(code) })
    return codes
  }
  t.same(codesOf(true), [])
  t.same(codesOf(false), ['resumes'])
  t.ok(codesOf({ from: 'event.value' }).includes('resumes'))
})

t.test('a rule names only what there is, and is told what that is', async t => {
  const off = { name: 'energy.turnOff', effect: 'local', scope: 'daemon', input: Type.Object({ id: Type.String() }) } as unknown as AnyOperation
  const all = Array.from({ length: 400 }, (_, at) => ({ id: `id-${at}`, name: `Plug ${at}`, printer: at === 7 ? 'x1c' : undefined }))
  const words = { operations: new Map([[off.name, off]]), named: () => ({ all, isWhole: true }) }
  const context = { words, kernel: { operations: new Map(), config: { api: {} } }, caller: 'local', sees: () => true } as unknown as CheckContext
  const said = (id: unknown): string[] => {
    const found: string[] = []
    const report: Report = (path, code, values) => { found.push(`${path}: ${whyInWords(why(code, values))}`) }
    checkCall({ kind: 'call', operation: off.name, input: { id } }, 'then[0]', new Map(), context, report)
    return found
  }
  t.same(said('id-3'), [])
  t.match(said('Plug 7'), [/^then\[0\]\.input\.id: nothing here has the id 'Plug 7'; there is: .*Plug 7 \(x1c\): id-7/])
  t.ok((said('x')[0]?.length ?? 0) < 300, 'a few of many')
})

t.test('a rule that would cause itself is refused', async t => {
  const state = (value: string, is: 'above' | 'below' | 'equal', than: unknown) => ({ kind: 'state', value, is, than }) as const
  const act = (operation: string, input = {}) => ({ kind: 'call', operation, input }) as const
  t.match(problemsOf({ when: [state('bed.celsius', 'below', 50)], then: [bed(60), bed(0)] }), [/cause itself/])
  t.same(problemsOf({ when: [state('bed.celsius', 'above', 100)], then: [bed(0)] }), [])
  t.match(problemsOf({ when: [{ kind: 'event', event: 'print.ended' }], then: [act('queue.add')] }), [/cause itself/])
  t.same(problemsOf({ when: [{ kind: 'event', event: 'print.ended' }], then: [act('queue.pause', { paused: true }), act('energy.turnOff')] }), [])
  t.match(problemsOf({ when: [state('plug.on', 'equal', false)], then: [act('energy.turnOn')] }), [/cause itself/])
  t.same(problemsOf({ when: [state('light.state', 'equal', 'on')], then: [act('climate.setLight', { on: false })] }), [])
  t.same(problemsOf({ when: [state('print.layer', 'above', 49)], then: [act('print.pause')] }), [])
})

t.test('two services give one moment keys that meet', async t => {
  for (const [a, b] of [[9_999, 10_001], [15_000, 19_000]] as const) {
    const [one, other] = [clockKey('x', a), clockKey('x', b)]
    t.ok([one.key, ...one.aliases].includes(other.key), `${a} and ${b}`)
  }
  t.notOk(clockKey('x', 5_000).aliases.includes(clockKey('x', 25_000).key))
})

t.test('every sentence has the same places in all languages', async t => {
  for (const [key, texts] of Object.entries(SENTENCES)) {
    const places = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()
    for (const text of [texts.de, texts.zh]) t.same(places(text), places(texts.en), key)
  }
})

t.test('every reason has the same values in all languages, and a reason inside it is in that language', async t => {
  const places = (text = '') => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()
  const all = Object.entries(texts.en).filter(([key]) => key.startsWith('rules.why.'))
  t.ok(all.length > 80)
  for (const [key, text] of all) for (const lang of ['de', 'zh'] as const) t.same(places((texts[lang] as Record<string, string>)[key]), places(text), key)
  const left = why('heat_left', { rule: '{printer}', heater: why('heater_bed'), printer: 'p1', celsius: 60, reason: why('prints', { printer: 'p1' }) })
  t.equal(whyInWords(left), "'{printer}' heated the bed of 'p1' to 60 °C and ended early. It may still be on: 'p1' prints", 'a name stays text')
  t.match(whyInWords(left, 'de'), /heizte das Bett von „p1“ auf 60 °C .* „p1“ druckt/)
  t.equal(whyInWords(whyFrom('{"code":"of_a_later_version","values":{}}')), 'of_a_later_version')
  t.ok(storedWhy(why('plain', { text: 'x'.repeat(90_000) })).length < 600)
})

t.test('members of messages are read to a limit', async t => {
  t.equal(memberAt(parsed('{"a":{"b":3}}'), 'a.b'), 3)
  t.equal(memberAt(parsed('{"a":{"b":3}}'), 'a'), undefined)
  t.equal(memberAt(parsed('{"a":1}'), 'constructor.name'), undefined)
  t.equal(memberAt(parsed('not json'), 'a'), undefined)
  t.equal(memberAt(parsed(`${'{"a":'.repeat(50)}1${'}'.repeat(50)}`), 'a'), undefined)
})

/** A broker whose messages the test sends. */
function brokerOf () {
  const listeners = new Map<string, (message: Message) => void>()
  const broker: Broker = {
    isSetUp: true,
    subscribe (filter, listener) {
      listeners.set(filter, listener)
      return () => { listeners.delete(filter) }
    }
  }
  const send = (topic: string, text: string, isRetained = false) =>
    listeners.get(topic)?.({ topic, payload: Buffer.from(text), isRetained })
  return { broker, listeners, send }
}

t.test('a message of a topic counts once, a comparison when it becomes true, and a flood is cut', async t => {
  let now = 1_000_000
  const { broker, listeners, send } = brokerOf()
  const happened: [Rule, Cause][] = []
  const any = ruleOf({ when: [{ kind: 'mqtt', topic: 'button' }] })
  const hot = ruleOf({ when: [{ kind: 'mqtt', topic: 'sensor', path: 't', is: 'above', than: 30 }] })
  const engine = {
    index: createIndex([any, hot]),
    happened: (rule: Rule, cause: Cause) => { happened.push([rule, cause]) }
  }
  const topics = new BrokerTopics({ broker: () => broker, engine, now: () => now })
  topics.follow()
  t.same([...listeners.keys()].sort(), ['button', 'sensor'])
  send('button', 'pressed', true)
  t.equal(happened.length, 0, 'a retained message is of the past')
  send('button', 'pressed')
  t.match(happened, [[{ id: any.id }, { fields: { topic: 'button', payload: 'pressed' } }]])
  t.equal(happened[0]?.[1].aliases?.length, 2, 'and the same message just before or after is the same')
  send('sensor', '{"t":35}')
  t.equal(happened.length, 1, 'it may have been so before')
  send('sensor', '{"t":20}')
  send('sensor', '{"t":31}')
  send('sensor', '{"t":32}')
  t.equal(happened.length, 2)
  send('sensor', `{"t":20,"x":"${'x'.repeat(70_000)}"}`)
  send('sensor', '{"t":33}')
  t.equal(happened.length, 2, 'too long')
  now += 5_000
  for (let number = 0; number < 1_000; number++) send('button', `${number}`)
  t.equal(happened.length, 52)
  engine.index = createIndex([])
  topics.follow()
  t.equal(listeners.size, 0)
})
