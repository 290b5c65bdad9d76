import t, { type Test } from 'tap'
import { createRuleStore } from '../../../plugins/rules/rule-store.js'
import { createRunStore } from '../../../plugins/rules/run-store.js'
import { createHeatStore } from '../../../plugins/rules/heat-store.js'
import { plain, storedWhy, why, whyFrom } from '../../../plugins/rules/words/why.js'
import type { Run } from '../../../plugins/rules/types.js'
import rules from '../../../plugins/rules/index.js'
import { boot } from '../../helpers/boot.js'
import { startPostgres, withoutPostgres } from '../database/postgres.js'
import { recordedWith } from '../history/preset.js'
import { ruleOf } from './unit/world.js'

const preset = recordedWith(rules)
const NOW = 1_700_000_000_000
const LIMITS = { aliases: [], mostPerHour: 2, mostOfAll: 10 }

const runOf = (given: Partial<Run>): Run => ({
  id: 'run',
  rule: 'r',
  ruleName: 'R',
  version: 1,
  printer: 'p1',
  key: 'k',
  at: NOW,
  beganAt: NOW,
  endedAt: undefined,
  state: 'running',
  reason: undefined,
  trail: [],
  fields: { result: 'failed', percent: 3 },
  chain: ['a'],
  owner: 'one',
  leaseUntil: NOW + 30_000,
  step: 0,
  stepState: 'next',
  waitUntil: undefined,
  ...given
})

async function suite (t: Test, newDatabase: () => object): Promise<void> {
  const { kernel } = await boot(t, { preset, models: [], config: { plugins: { database: newDatabase() } } })
  const { database } = kernel.services
  const store = createRuleStore(database)
  const runs = createRunStore(database)
  const rule = ruleOf({ id: 'r', name: 'R', changedAt: 1, then: [{ kind: 'wait', seconds: 3 }] })

  await store.add(rule)
  t.same(await store.rules(), [rule])
  await t.rejects(store.replace({ ...rule, name: 'S', changedAt: 3 }, { ...rule, changedAt: 2 }), { code: 'PRN_ERR_RULE_CHANGED' })
  await t.rejects(store.replace({ ...rule, id: 'gone' }, rule), { code: 'PRN_ERR_NO_SUCH_RULE' })

  t.same(whyFrom('as an earlier version wrote it'), plain('as an earlier version wrote it'))
  t.same(whyFrom(storedWhy(why('failures', { count: 3, reason: plain('x') }))), why('failures', { count: 3, reason: plain('x') }))

  const at = (number: number) => runOf({ id: `run${number}`, key: `k${number}` })
  const both = await Promise.all([runs.claim(at(1), LIMITS), runs.claim({ ...at(1), owner: 'two' }, LIMITS)])
  t.same(both.sort(), ['claimed', 'taken'], 'of two services one gets it')
  const owner = (await runs.find('run1'))?.owner ?? ''
  const run = { ...at(1), owner }
  t.same(await runs.find('run1'), run)
  t.equal(await runs.claim(at(2), LIMITS), 'busy')
  t.equal(await runs.claim({ ...at(2), printer: 'p2', version: 9 }, LIMITS), 'changed')
  t.equal(await runs.claim({ ...at(2), printer: 'p2' }, { ...LIMITS, aliases: ['run1'] }), 'taken')

  const record = { run: 'run1', step: 0, state: 'acting', at: NOW, endedAt: undefined, what: 'x', reason: undefined, act: { operation: 'climate.setFan', printer: 'p1', input: { fan: 'aux' } } } as const
  const begin = { step: 0, stepState: 'acting', leaseUntil: NOW + 40_000 } as const
  t.equal(await runs.advance({ ...run, owner: 'stranger' }, begin, record), false)
  const heater = {
    id: 'run1:bed',
    run: 'run1',
    ruleName: 'R',
    printer: 'p1',
    operation: 'climate.setBedTarget',
    extruder: undefined,
    celsius: 60,
    setAt: NOW,
    until: NOW + 9,
    isTold: false
  }
  const heats = () => runs.advance(run, { ...begin, heats: heater }, record)
  const twice = await Promise.all([heats(), heats()])
  t.same(twice.sort(), [false, true])
  t.same(await runs.expired(NOW + 40_000), [])
  const [expired] = await runs.expired(NOW + 40_001)
  t.match(expired, { id: 'run1', stepState: 'acting' })
  t.same(await Promise.all(['x', 'y'].map(name => runs.takeOver(expired as Run, name, NOW + 90_000))).then(done => done.sort()), [false, true])
  t.same(await runs.renew('one', ['run1'], NOW + 99_000), [], 'it belongs to another service now')
  const taken = await runs.find('run1') as Run
  const over = { ...begin, leaseUntil: NOW, end: { state: 'unclear', reason: why('changed'), at: NOW + 5 } } as const
  t.equal(await runs.advance(taken, over, { ...record, state: 'unclear', what: '', act: undefined, endedAt: NOW + 5, reason: why('changed') }), true)
  const { runs: listed, steps } = await runs.list({ limit: 10 })
  t.match(listed, [{ id: 'run1', state: 'unclear', reason: why('changed'), endedAt: NOW + 5 }])
  t.match(steps, [{ step: 0, state: 'unclear', what: 'x', reason: why('changed'), act: { operation: 'climate.setFan', input: { fan: 'aux' } } }])

  t.match(await runs.acts(NOW - 1, 'p1'), [{ rule: 'r', trail: [], operation: 'climate.setFan', at: NOW }])
  t.same([await runs.acts(NOW, 'p1'), await runs.acts(NOW - 1, 'p2')], [[], []])
  const heat = createHeatStore(database)
  t.same(await heat.open(), [{ ...heater, endedAt: NOW + 5 }], 'heat outlives its run')
  t.same(await Promise.all([heat.tell(heater.id), heat.tell(heater.id)]).then(done => done.sort()), [false, true])
  await heat.settle(heater.id)
  t.same(await heat.open(), [])

  t.equal(await runs.claim(at(3), LIMITS), 'claimed')
  t.equal(await runs.stop('run3', why('time_over'), NOW), true)
  t.equal(await runs.stop('run3', why('time_over'), NOW), false)
  t.equal(await runs.claim(at(4), LIMITS), 'rate')
  t.equal(await runs.claim({ ...at(4), printer: 'p2' }, { ...LIMITS, mostOfAll: 2 }), 'all')
  t.equal(await runs.claim(runOf({ id: 'late', beganAt: NOW + 3_600_001 }), LIMITS), 'claimed')
  await runs.skip(runOf({ id: 'late', state: 'skipped' }))
  t.match(await runs.newest(['r']), [{ id: 'late', state: 'running' }])
  t.same((await runs.list({ limit: 1, after: { at: NOW + 3_600_001, id: 'late' } })).runs.map(({ id }) => id), ['run3'])
  await runs.prune(NOW + 1, 100)
  t.same((await runs.list({ limit: 10 })).runs.map(({ id }) => id), ['late'])

  t.same(await Promise.all([store.turn('e', true, 5), store.turn('e', true, 6)]).then(edges => new Set(edges.map(({ since }) => since)).size), 1, 'both know the same time')
  t.same(await store.turn('e', false, 9), { isTrue: false, since: 9 })
  t.same((await store.edges()).get('e'), { isTrue: false, since: 9 })

  await store.pruneEdges(id => id === 'other', 9)
  t.equal((await store.edges()).has('e'), true, 'not yet')
  await store.pruneEdges(id => id === 'other', 10)
  t.equal((await store.edges()).has('e'), false)

  const { version } = await store.shared()
  t.same(await store.tally('r', 1, ({ failures }) => ({ failures: failures + 1, pausedReason: null }), NOW), { failures: 1, pausedReason: null })
  t.not((await store.shared()).version, version, 'other services notice')
  t.equal(await store.tally('r', 7, before => before, NOW), undefined)
  await store.switchAll(false, NOW, 'anna')
  t.equal(await runs.claim(runOf({ id: 'off', printer: 'p9', beganAt: NOW + 3_600_001 }), LIMITS), 'changed', 'the main switch counts')
  await store.see(NOW)
  t.match(await store.shared(), { isOn: false, switchedBy: 'anna', seenAt: NOW })
  await store.remove('r', NOW)
  t.same(await store.rules(), [])
}

t.test('with SQLite', async t => { await suite(t, () => ({})) })

t.test('with PostgreSQL', { skip: withoutPostgres }, async t => {
  const server = await startPostgres(t)
  await suite(t, () => ({ url: server.newDatabase() }))
})
