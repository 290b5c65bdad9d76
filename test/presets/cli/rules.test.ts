import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { addRule, listRules, showRuns, tryRule, turnRule } from '../../../presets/cli/commands/rules.js'
import type { Service } from '../../../presets/cli/service.js'
import { testFolder } from '../../helpers/folder.js'

const READS = { when: ['when a print ends'], if: ['the bed is cold'], then: ['wait 5 s'] }
const RUN = {
  rule_name: 'Light', printer: 'x1c', at: 0, state: 'unclear', reason: 'why', steps: [{ step: 1, state: 'done', what: 'wait', reason: '' }]
}
const RULE = { id: 'r1', name: 'Light', enabled: true, paused_reason: 'it failed', last_run: RUN, reads: READS }
const ANSWERS: Readonly<Record<string, unknown>> = {
  'GET /api/rules': { service: { enabled: false }, proposals: 1, rules: [RULE] },
  'GET /api/rules/runs': { runs: [RUN] },
  'POST /api/rules/try': {
    days: 7, would_run: 1, times: [{ at: 0, printer: null, what: 'a print ended', would: true, why: '' }], notes: ['not known']
  },
  'POST /api/rules/check': {
    ok: true, errors: [], warnings: [], reads: READS, consequence: 'It acts.', accept_consequence: 'hash'
  },
  'POST /api/rules': { rule: { id: 'r9' }, webhook: '/api/rules/webhook/secret' }
}

function desk () {
  const lines: string[] = []
  const sent: [string, object][] = []
  const service = {
    async call (method: string, path: string, params: object = {}) {
      if (method !== 'GET') sent.push([`${method} ${path}`, params])
      return ANSWERS[`${method} ${path}`] ?? {}
    }
  } as unknown as Service
  return { lines, sent, service, screen: { say: (line: string) => { lines.push(line) }, colours: false } }
}

t.test('rules are listed, switched, explained and tried by name', async t => {
  const { lines, sent, service, screen } = desk()
  await listRules(service, screen, {})
  await showRuns(service, screen, 'light', {})
  await tryRule(service, screen, 'Light', {})
  t.match(lines.join('\n'), /when a print ends, if the bed is cold, then wait 5 s[^]*Paused: it failed[^]*outcome unknown[^]*1 time in 7 days/)
  await turnRule(service, screen, 'Light', false, {})
  await turnRule(service, screen, undefined, true, { all: true })
  t.same(sent.slice(1), [
    ['POST /api/rules/enable', { id: 'r1', enabled: false }], ['PATCH /api/rules/service', { enabled: true }]
  ])
  await t.rejects(turnRule(service, screen, undefined, true, {}), { message: /Name one rule/ })
  await t.rejects(turnRule(service, screen, 'Dark', true, {}), { message: /There is no rule 'Dark'/ })
})

t.test('a rule of a file is saved only after its consequence was accepted', async t => {
  const file = join(testFolder(t), 'rule.json')
  const rule = { name: 'Light', when: [{ kind: 'webhook' }], then: [{ kind: 'wait', seconds: 5 }] }
  writeFileSync(file, JSON.stringify({ ...rule, id: 'of another service', author: {} }))
  const { lines, sent, service, screen } = desk()
  t.notOk(await addRule(service, screen, file, {}, async () => false))
  t.same(sent, [['POST /api/rules/check', { rule }]])
  t.ok(await addRule(service, screen, file, { off: true }, async () => true))
  t.same(sent.at(-1), ['POST /api/rules', { ...rule, accept_consequence: 'hash', enabled: false }])
  t.match(lines.at(-1), /shown only now: POST \/api\/rules\/webhook\/secret/)
  writeFileSync(file, '[1]')
  await t.rejects(addRule(service, screen, file, {}, async () => true), { message: /has no rule/ })
})
