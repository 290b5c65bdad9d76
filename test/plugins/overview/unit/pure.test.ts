import t from 'tap'
import { CONDITIONS, FAULT_TONES, JOB_CONDITIONS, jobCondition } from '../../../../plugins/state/index.js'
import { fleetTopic } from '../../../../plugins/overview/topic.js'
import { absent, fleetOf } from '../../../../plugins/overview/summary.js'
import { icons } from '../../../../plugins/shell/icons.data.js'
import { shellTexts } from '../../../../plugins/shell/index.js'
import { pageModules } from '../../../helpers/page-module.js'

const one = (name: string, more: object) => ({ ...absent(name, []), ...more })
const job = (ends: string | null) => ({ name: 'x', percent: 1, layer: 1, layers: 2, ends_at: ends })

t.test('every condition has a word in every language, an icon and a rank of its own', async t => {
  for (const [name, { word, icon }] of Object.entries(CONDITIONS)) {
    const key = `condition.${name}` as keyof typeof shellTexts.en
    t.equal(shellTexts.en[key], word)
    t.ok(shellTexts.de[key] && shellTexts.zh[key])
    t.ok(icon in icons, icon)
  }
  const ranks = Object.values(CONDITIONS).map(({ rank }) => rank)
  t.equal(new Set(ranks).size, ranks.length)
})

t.test('red is for errors, amber for what a person should look at', async t => {
  const toned = (tone: string) =>
    Object.entries(CONDITIONS).filter(([, look]) => look.tone === tone).map(([name]) => name)
  t.same(toned('bad'), ['error', 'failed'])
  t.same(toned('warn'), ['paused', 'stale', 'offline'])
  t.same(FAULT_TONES, { Fatal: 'bad', Error: 'bad', Warning: 'warn', Info: 'plain', Historical: 'plain' })
})

t.test('cancelled is not failed', async t => {
  t.equal(jobCondition({ gcodeState: 'FAILED', cancelled: true }), 'cancelled')
  t.equal(jobCondition({ gcodeState: 'FAILED', cancelled: false }), 'failed')
  t.equal(jobCondition({ gcodeState: 'RUNNING', cancelled: false }), JOB_CONDITIONS.RUNNING)
  t.equal(jobCondition({ gcodeState: 'NEW', cancelled: false }), 'unknown')
})

t.test('who needs a person comes first, and the counts add up', async t => {
  const fleet = fleetOf([
    one('p10', { condition: 'printing', job: job('2026-01-01T12:00:00.000Z') }),
    one('p2', { condition: 'printing', job: job('2026-01-01T11:00:00.000Z') }),
    one('idle', { condition: 'idle' }), one('off', {}), one('broken', { condition: 'error', needs_person: true }),
    one('waiting', { condition: 'paused', needs_person: true }), one('done', { condition: 'finished' })
  ])
  t.same(fleet.printers.map(({ name }) => name), ['broken', 'waiting', 'off', 'done', 'p2', 'p10', 'idle'])
  t.same(fleet.counts, { total: 7, printing: 2, needs_person: 2, offline: 1, idle: 2, free: 0 })
  t.equal(fleet.next_free_at, '2026-01-01T11:00:00.000Z')
  t.equal(fleetOf([]).next_free_at, null)
})

t.test('an end that moves by a minute is no news, all else is', async t => {
  const told = one('p', { condition: 'printing', job: job('2026-01-01T12:00:00.000Z') })
  const isSame = (more: object) => fleetTopic.every !== true && fleetTopic.isSame?.(told, { ...told, ...more })
  t.ok(isSame({}))
  t.ok(isSame({ job: job('2026-01-01T12:01:00.000Z') }))
  t.ok(isSame({ job: job('2026-01-01T11:59:00.000Z') }))
  for (const more of [
    { job: job('2026-01-01T12:02:00.000Z') }, { job: job(null) }, { job: null }, { job: { ...job('2026-01-01T12:00:00.000Z'), percent: 2 } },
    { condition: 'paused' }, { tags: ['hall'] }, { spool: { type: 'PLA', color: '#FFFFFF', remaining_percent: 4 } }, { problem: 'x' }
  ]) t.notOk(isSame(more), JSON.stringify(more))
})

t.test('a screen on the wall says when it shows the past, and goes to the login that has ended', async t => {
  const { isOld, isLoggedOut } = await pageModules(['overview/page/wall-model.js'])
  const at = 1_000_000
  t.equal(isOld({ at, problem: '' }, at + 60_000), false)
  t.equal(isOld({ at, problem: '' }, at + 180_000), true, 'no answer for minutes')
  t.equal(isOld({ at, problem: 'HTTP 503' }, at), true)
  const links = [[true, 401], [true, 503], [false, 401]]
  t.same(links.map(([asked, status]) => isLoggedOut({ asked, status })), [true, false, false])
})
