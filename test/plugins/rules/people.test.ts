import t, { type Test } from 'tap'
import audit from '../../../plugins/audit/index.js'
import people from '../../../plugins/people/index.js'
import { rulesWith } from '../../../plugins/rules/index.js'
import { boot, type Booted } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { recordedWith } from '../history/preset.js'
import { ask, ELSEWHERE, localPass, logIn, PASSWORD } from '../people/people.js'

type Body = any
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
const WITHIN_MS = 20_000
const preset = recordedWith(people, audit, rulesWith({ everyMs: 100 }))
const HOOK = { name: 'Dark', when: [{ kind: 'webhook' }], then: [{ kind: 'call', operation: 'climate.setLight', input: { on: false } }] }
const NOTE = { name: 'Note', when: [{ kind: 'webhook' }], then: [{ kind: 'message', text: 'Hello' }] }

type Call = (method: Method, path: string, body?: object) => Promise<Body>

/** Two printers, an operator for one of them, and somebody who only looks. */
async function scene (t: Test): Promise<Booted & { as: (who: 'anna' | 'boss' | 'carl' | 'key' | 'dash') => Call }> {
  const models = ['p1', 'p2'].map(name => ({ model: 'X1C' as const, name, reportEveryMs: 100 }))
  const booted = await boot(t, { preset, models, listen: true })
  const { kernel } = booted
  const pass = { key: await localPass(kernel) }
  for (const [name, role, printers] of [['boss', 'administrate', undefined], ['anna', 'operate', ['p1']], ['carl', 'view', undefined]] as const) {
    const made = await ask(kernel, 'POST', '/api/people/users', { name, role, password: PASSWORD, ...printers && { printers } }, pass)
    if (made.status !== 200) throw new Error(made.text)
  }
  const key = await kernel.services.people.store.addKey({
    name: 'robot', role: 'operate', printers: undefined, expiresAt: undefined, owner: kernel.services.people.find('boss').id, budget: undefined
  } as never)
  const annas = await kernel.services.people.store.addKey({
    name: 'dash', role: 'operate', printers: undefined, expiresAt: undefined, owner: kernel.services.people.find('anna').id
  })
  const cookies = new Map<string, object>([['key', { key, from: ELSEWHERE }], ['dash', { key: annas, from: ELSEWHERE }]])
  for (const name of ['boss', 'anna', 'carl']) cookies.set(name, { cookie: (await logIn(kernel, name, PASSWORD)).cookie })
  const as = (who: string): Call => (method, path, body) => ask(kernel, method, path, body, cookies.get(who) ?? {})
  return { ...booted, kernel, as }
}

async function save (call: Call, rule: object): Promise<Body> {
  const { body: checked } = await call('POST', '/api/rules/check', { rule })
  return await call('POST', '/api/rules', { ...rule, accept_consequence: checked?.accept_consequence ?? '' })
}

t.test('a rule has the rights of its author and no more, and people see no rules of others beyond theirs', async t => {
  const scened = await scene(t)
  const { as, kernel } = scened
  const [anna, boss, carl, robot] = [as('anna'), as('boss'), as('carl'), as('key')]

  t.match(await save(carl, HOOK), { status: 403, body: { error: 'role_too_low' } })
  t.match(await save(robot, HOOK), { status: 403, body: { error: 'rule_author' } }, 'a key would gain the rights of its owner')
  const bosses = await save(boss, { ...HOOK, name: 'All dark' })
  t.match(bosses, { status: 200, body: { rule: { author: { name: 'boss' } } } })
  const annas = await save(anna, HOOK)
  t.match(annas, { status: 200, body: { rule: { author: { name: 'anna' } } } })
  t.match((await anna('POST', '/api/rules/check', { rule: { ...HOOK, printers: ['p2'] } })).body.errors, [{ path: 'printers[0]' }])
  t.same((await anna('GET', '/api/rules')).body.rules.map(({ name }: Body) => name), ['Dark'])
  t.equal((await boss('GET', '/api/rules')).body.rules.length, 2)
  t.same((await as('dash')('GET', '/api/rules')).body.rules, [], 'a key is not its owner')
  t.match(await as('dash')('DELETE', '/api/rules', { id: annas.body.rule.id }), { status: 404 })
  t.match(await anna('DELETE', '/api/rules', { id: bosses.body.rule.id }), { status: 404 })
  t.match(await anna('PATCH', '/api/rules/service', { enabled: false }), { status: 403 })

  await eventually(() => ['p1', 'p2'].every(name => kernel.printers.get(name)?.state?.lights.mode === 'on'), WITHIN_MS)
  t.equal((await ask(kernel, 'POST', annas.body.webhook, undefined, { from: ELSEWHERE })).status, 202, 'its secret is enough')
  await eventually(() => kernel.printers.get('p1')?.state?.lights.mode === 'off', WITHIN_MS)
  const { body: { runs } } = await boss('GET', `/api/rules/runs?rule=${annas.body.rule.id}`)
  t.same(runs.map(({ printer }: Body) => printer), ['p1'])
  t.equal(kernel.printers.get('p2')?.state?.lights.mode, 'on')
  const { body: { entries } } = await boss('GET', '/api/audit')
  t.match(entries.find(({ act }: Body) => act === 'climate.setLight'), { who: 'rule Dark of anna', face: 'rules', printer: 'p1' })

  t.match(await robot('PATCH', '/api/rules/service', { enabled: false }), { status: 200 }, 'a key may switch off')
  t.match(await robot('PATCH', '/api/rules/service', { enabled: true }), { status: 403, body: { error: 'rule_author' } }, 'and not on')
  t.match(await robot('POST', '/api/rules/enable', { id: bosses.body.rule.id, enabled: true }), { status: 403, body: { error: 'rule_author' } })
  t.match(await boss('PATCH', '/api/rules/service', { enabled: true }), { status: 200 })
  t.match(await carl('POST', '/api/rules/try', { rule: NOTE }), { status: 403, body: { error: 'role_too_low' } })

  await boss('PATCH', '/api/people/users', { name: 'anna', role: 'view' })
  await ask(kernel, 'POST', annas.body.webhook, undefined, { from: ELSEWHERE })
  await eventually(async () => (await boss('GET', '/api/rules')).body.rules.some(({ paused_reason: why }: Body) => /may only look/.test(why)), WITHIN_MS)
})

t.test('a neighbour without a login saves no rule that acts', async t => {
  const { kernel } = await boot(t, { preset: recordedWith(rulesWith({ everyMs: 100 })), models: [] })
  const call = (method: Method, path: string, body?: object) => ask(kernel, method, path, body, { from: ELSEWHERE })
  t.match(await save(call, HOOK), { status: 403, body: { error: 'rule_author' } })
  t.match(await save(call, NOTE), { status: 200, body: { rule: { author: { name: 'network' } } } })
  for (let number = 0; number < 300; number++) await call('POST', '/api/rules/webhook/BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB')
  t.match(await call('POST', '/api/rules/webhook/BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB'), { status: 429, body: { error: 'too_many_webhooks' } })
})
