import t, { type Test } from 'tap'
import alertlog from '../../../plugins/alertlog/index.js'
import audit from '../../../plugins/audit/index.js'
import { rulesWith } from '../../../plugins/rules/index.js'
import { boot as start, type Booted, type BootOptions } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { recordedWith } from '../history/preset.js'

type Body = any
const WITHIN_MS = 20_000
const preset = recordedWith(audit, alertlog, rulesWith({ everyMs: 100 }))

const LIGHT_OFF = { kind: 'call', operation: 'climate.setLight', input: { on: false } }
const HOOK = { name: 'Lights', when: [{ kind: 'webhook' }], then: [LIGHT_OFF] }

const boot = (t: Test, options: BootOptions = {}): Promise<Booted> =>
  start(t, { preset, models: [{ model: 'X1C', name: 'x1c', reportEveryMs: 100 }], ...options })

/** Saves a rule as a person does: check, read, accept. */
async function save ({ http }: Booted, rule: object): Promise<Body> {
  const { body: checked } = await http('POST', '/api/rules/check', { rule })
  if (!checked.ok) throw new Error(JSON.stringify(checked.errors))
  const { status, body } = await http('POST', '/api/rules', { ...rule, accept_consequence: checked.accept_consequence })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}

const runsOf = async ({ http }: Booted, params: object = {}): Promise<Body[]> => (await http('GET', '/api/rules/runs', params as never)).body.runs
const lightOf = ({ kernel, name }: Booted): string => kernel.printers.get(name)?.state?.lights.mode ?? ''

t.test('a rule is checked, accepted, saved, and acts as its author', async t => {
  const booted = await boot(t)
  const { http, kernel, name } = booted
  t.match(await http('POST', '/api/rules', { ...HOOK, accept_consequence: 'no' }), { status: 409, body: { error: 'rule_not_accepted' } })
  const { rule, webhook } = await save(booted, HOOK)
  t.match(rule, {
    name: 'Lights',
    enabled: true,
    author: { name: 'local' },
    paused_reason: null,
    has_webhook: true,
    reads: { when: ['when its webhook is called'], if: [], then: ['switch the light off'] },
    consequence: /Without asking anyone/
  })
  const change = { id: rule.id, name: 'Lamps', accept_consequence: 'no' }
  t.match(await http('PATCH', '/api/rules', { ...change, changed_at: rule.changed_at - 1 }), { status: 409, body: { error: 'rule_changed' } },
    'somebody changed it since it was read')
  t.match(await http('PATCH', '/api/rules', { ...change, changed_at: rule.changed_at }), { status: 409, body: { error: 'rule_not_accepted' } })
  await eventually(() => lightOf(booted) === 'on', WITHIN_MS)
  const called = await http('POST', webhook)
  t.match(called, { status: 202, body: { accepted: true } })
  await eventually(() => lightOf(booted) === 'off', WITHIN_MS)
  await eventually(async () => (await runsOf(booted))[0]?.state === 'done', WITHIN_MS)
  t.match(await runsOf(booted), [{ rule: rule.id, printer: name, state: 'done', steps: [{ step: 1, state: 'done', what: 'climate.setLight on x1c' }] }])
  const { body: { entries } } = await http('GET', '/api/audit')
  t.match(entries.find(({ act }: Body) => act === 'climate.setLight'), { who: 'rule Lights of local', face: 'rules', printer: name, outcome: 'done' })
  t.match((await http('GET', '/api/rules')).body, { rules: [{ id: rule.id, last_run: { state: 'done' } }], service: { enabled: true } })
  t.notOk(JSON.stringify((await http('GET', '/api/rules')).body).includes(webhook.split('/').at(-1)), 'the secret is not shown again')

  t.match(await http('POST', '/api/rules/webhook/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'), { status: 404, body: { error: 'no_such_webhook' } })
  t.match(await http('POST', '/api/rules/enable', { id: rule.id, enabled: false }), { body: { enabled: false } })
  t.equal((await http('POST', webhook)).status, 404, 'a rule that is off has no webhook')
  t.match(await http('DELETE', '/api/rules', { id: rule.id }), { status: 200 })
  t.equal((await http('GET', '/api/rules')).body.rules.length, 0)
  t.ok(kernel.ready)
})

t.test('a value that becomes true makes a rule run once, and the main switch stops all', async t => {
  const booted = await boot(t)
  const { http, kernel, name } = booted
  const rule = {
    name: 'Dark',
    when: [{ kind: 'state', value: 'light.state', is: 'equal', than: 'off' }],
    then: [{ kind: 'message', text: 'The light of {printer} is {value}', urgency: 'warning' }]
  }
  await save(booted, rule)
  const light = kernel.operation('climate.setLight')
  if (!light) throw new Error('no light')
  await kernel.call(light, { on: false }, { printer: name })
  await eventually(async () => (await runsOf(booted)).length === 1, WITHIN_MS)
  const log = async () => (await http('GET', '/api/alert_log')).body.alerts.filter(({ type }: Body) => type === 'rule_message')
  await eventually(async () => (await log()).length === 1, WITHIN_MS)
  t.match(await log(), [{ printer: name, payload: { reason: 'The light of x1c is off', rule: 'Dark' } }])
  t.match(await http('PATCH', '/api/rules/service', { enabled: false }), { body: { enabled: false } })
  await kernel.call(light, { on: true }, { printer: name })
  await eventually(() => lightOf(booted) === 'on', WITHIN_MS)
  await kernel.call(light, { on: false }, { printer: name })
  await eventually(() => lightOf(booted) === 'off', WITHIN_MS)
  t.equal((await runsOf(booted)).length, 1)
})

t.test('what a rule must not be is refused with its place', async t => {
  const { http } = await boot(t, { models: [] })
  const checked = async (rule: object) => (await http('POST', '/api/rules/check', { rule: { ...HOOK, ...rule } })).body
  const wrong: [object, string][] = [
    [{ then: [{ kind: 'call', operation: 'print.sendGcode', input: {} }] }, 'then[0].operation'],
    [{ then: [{ kind: 'call', operation: 'rules.add', input: {} }] }, 'then[0].operation'],
    [{ then: [{ kind: 'call', operation: 'system.dumpLog', input: {} }] }, 'then[0].operation'],
    [{ then: [{ kind: 'call', operation: 'projects.print', input: {} }] }, 'then[0].operation'],
    [{ then: [{ kind: 'call', operation: 'climate.setBedTarget', input: { celsius: 'hot' } }] }, 'then[0].input.celsius'],
    [{ then: [{ kind: 'call', operation: 'climate.setBedTarget', input: { celsius: 40, more: 1 } }] }, 'then[0].input.more'],
    [{ then: [{ kind: 'call', operation: 'climate.setBedTarget', input: { celsius: { from: 'event.name' } } }] }, 'then[0].input.celsius'],
    [{ then: [{ kind: 'call', operation: 'climate.setBedTarget', input: {} }] }, 'then[0].input.celsius'],
    [{ then: [{ kind: 'message', text: 'Hello {nobody}' }] }, 'then[0].text'],
    [{ printers: ['nowhere'] }, 'printers[0]'],
    [{ when: [{ kind: 'event', event: 'no.such' }] }, 'when[0].event'],
    [{ when: [{ kind: 'event', event: 'print.ended', fields: { result: 'exploded' } }] }, 'when[0].fields.result'],
    [{ when: [{ kind: 'state', value: 'bed.celsius', is: 'below', than: 'x' }] }, 'when[0].than'],
    [{ when: [{ kind: 'time', cron: '* * * * * *' }] }, 'when[0].cron'],
    [{ when: [{ kind: 'time', cron: '0 0 31 2 *' }] }, 'when[0].cron'],
    [{ when: [{ kind: 'time', cron: '0 22 * * *', zone: 'Mars/Base' }] }, 'when[0].zone'],
    [{ when: [{ kind: 'sun', event: 'sunset' }] }, 'when[0]'],
    [{ when: [{ kind: 'mqtt', topic: 'a/b' }] }, 'when[0]'],
    [{ if: [{ value: 'printer.state', is: 'equal', than: 'IDLE', hours: { from: '22:00', to: '06:00' } }] }, 'if[0]'],
    [{ if: [{ hours: { from: '25:00', to: '06:00' } }] }, 'if[0].hours.from']
  ]
  for (const [rule, path] of wrong) {
    const { ok, errors } = await checked(rule)
    t.equal(ok, false, path)
    t.equal(errors[0]?.path, path, JSON.stringify(errors))
  }
  const near = async (rule: object): Promise<string> => (await checked(rule)).errors[0].words
  t.match(await near({ when: [{ kind: 'event', event: 'print.finished' }] }), /there is no event 'print\.finished'; nearest: .*print\.ended/)
  t.match(await near({ then: [{ kind: 'call', operation: 'light.set', input: {} }] }), /nearest that a rule may call: .*climate\.setLight/)
  t.match(await near({ if: [{ value: 'bed_temperature', is: 'above', than: 3 }] }), /no value 'bed_temperature'; nearest: .*bed\./)
  const hot = { ...HOOK, then: [{ kind: 'call', operation: 'climate.setBedTarget', input: { celsius: 40 } }] }
  t.match((await http('POST', '/api/rules/check', { rule: hot, lang: 'de' })).body.errors,
    [{ path: 'then[0]', code: 'heat_no_end', values: {}, words: /^es heizt ohne Ende/ }], 'in the language of the page')
  t.match(await http('POST', '/api/rules/check', { rule: { ...HOOK, name: 'x'.repeat(81) } }), { status: 400 })
  t.match(await http('POST', '/api/rules/check', { rule: { ...HOOK, then: Array(21).fill(LIGHT_OFF) } }), { status: 400 })
  const huge = await checked({ then: [{ kind: 'call', operation: 'climate.setLight', input: { on: 'x'.repeat(900_000) } }] })
  t.match(huge.errors, [{ path: '', words: /longer/ }])
  const deep = JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`)
  t.match((await checked({ then: [{ kind: 'call', operation: 'climate.setLight', input: deep }] })).errors, [{ path: '', words: /nested/ }])
})

t.test('the vocabulary names events, values and operations in three languages, and nothing that is forbidden', async t => {
  const { http, kernel, tool } = await boot(t, { models: [] })
  for (const [lang, words] of [['en', 'a print ends'], ['de', 'ein Druck endet'], ['zh', '打印结束']] as const) {
    const { body } = await http('GET', '/api/rules/vocabulary', { lang })
    t.equal(body.events.find(({ name }: Body) => name === 'print.ended').words, words)
    const names = body.operations.map(({ name }: Body) => name)
    t.ok(names.includes('climate.setLight') && names.includes('print.pause'))
    const forbidden = names.filter((name: string) => /^(rules|people|oauth|setup|system\.set|files|slicing|print\.send)|delete|remove|confirmPlateClear|projects\.print/.test(name))
    t.same(forbidden, [])
  }
  t.ok(kernel.contributed('ruleEvents').length > 10)
  const { body: { operations } } = await http('GET', '/api/rules/vocabulary', { lang: 'de', find: 'light nothing' })
  t.match(operations, [{ name: 'climate.setLight', consequence: /^Das Licht geht/, input: { properties: { on: {} } } }])
  const told = JSON.stringify(await tool('list_rule_words', { find: 'print.ended' }))
  t.match(told, /a print ends/)
  t.notMatch(told, /climate\./)
})

t.test('an agent proposes, and a person saves', async t => {
  const booted = await boot(t, { models: [] })
  const { tool, http } = booted
  const rule = { name: 'Note', when: [{ kind: 'time', cron: '0 22 * * *', zone: 'Europe/Berlin' }], then: [{ kind: 'message', text: 'Good night' }] }
  const answer = await tool('propose_rule', { rule, why: 'You asked for it', user_permission: true })
  t.match(JSON.stringify(answer), /accept_consequence/)
  await tool('propose_rule', { rule: { ...rule, when: [{ zone: 'Europe/Berlin', cron: '0 22 * * *', kind: 'time' }] }, user_permission: true })
  const { body: { proposals } } = await http('GET', '/api/rules/proposals')
  t.equal(proposals.length, 1, 'the same once more is the first')
  t.match(proposals, [{ why: 'You asked for it', ok: true, rule: { name: 'Note' } }])
  t.equal((await http('GET', '/api/rules')).body.rules.length, 0)
  const [{ id, accept_consequence: accept }] = proposals
  t.match(await http('POST', '/api/rules/proposals/accept', { id, accept_consequence: 'x' }), { status: 409 })
  t.match(await http('POST', '/api/rules/proposals/accept', { id, accept_consequence: accept }), { status: 200, body: { rule: { name: 'Note', next_at: Number } } })
  t.equal((await http('GET', '/api/rules/proposals')).body.proposals.length, 0)
  t.match(await http('POST', '/api/rules/proposals/discard', { id }), { status: 404 })
})

t.test('a dry run tells when a rule would have run, and why not', async t => {
  const { http } = await boot(t, { models: [] })
  const rule = {
    name: 'Nights',
    when: [{ kind: 'time', cron: '0 */6 * * *', zone: 'UTC' }],
    if: [{ hours: { from: '22:00', to: '05:00', zone: 'UTC' } }],
    then: [{ kind: 'message', text: 'x' }]
  }
  const { body } = await http('POST', '/api/rules/try', { rule, days: 2 })
  t.equal(body.would_run, 2, 'at midnight, of four times a day')
  t.ok(body.times.some(({ would, why }: Body) => !would && /between/.test(why)))
})
