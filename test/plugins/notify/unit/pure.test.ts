import t from 'tap'
import { createWallClock, endOf, isWithin } from '../../../../plugins/notify/hours.js'
import { checkRules, type Options, type Rule } from '../../../../plugins/notify/options.js'
import { createRouter } from '../../../../plugins/notify/router.js'
import { clipWordsOf, wordsOf } from '../../../../plugins/notify/words.js'
import type { Alert } from '../../../../plugins/alerts/index.js'

const utc = createWallClock('UTC')
const at = (time: string, day = '2026-01-05') => Date.parse(`${day}T${time}:00Z`) // a Monday

t.test('hours go past midnight, and end when they are said to', async t => {
  const within = (hours: string, time: string) => isWithin(hours, utc(at(time)))
  t.same(['21:59', '22:00', '23:30', '00:00', '06:59', '07:00'].map(time => within('22:00-07:00', time)),
    [false, true, true, true, true, false])
  t.same(['08:59', '09:00', '16:59', '17:00'].map(time => within('09:00-17:00', time)), [false, true, true, false])
  t.ok(within('05:00-05:00', '04:59'), 'both the same: the whole day')
  t.equal(endOf('22:00-07:00', utc, at('23:30')), at('07:00', '2026-01-06'))
  t.equal(endOf('22:00-07:00', utc, at('06:59') + 30_000), at('07:00'))
  t.equal(endOf('22:00-07:00', utc, at('12:00')), at('12:00'))
})

t.test('hours are those of the time zone', async t => {
  const berlin = createWallClock('Europe/Berlin')
  t.same(berlin(Date.parse('2026-01-05T23:30:00Z')), { day: 'tue', minute: 30 })
  t.same(berlin(Date.parse('2026-07-06T23:30:00Z')), { day: 'tue', minute: 90 })
  t.throws(() => createWallClock('Europe/Berlim'))
})

const alert = (more: Partial<Alert> = {}): Alert => ({
  type: 'job_finished', printer: 'x1c', timestamp: '2026-01-05T12:00:00+00:00', severity: 'high', payload: {}, ...more
})
const rule = (more: Partial<Rule>): Rule => ({
  to: ['phone'], alerts: ['*'], severity: 'low', everyMinutes: 0, ignore: false, urgent: false, attach: 'none', ...more
})

function office (rules: Rule[], quiet?: string) {
  let now = at('12:00')
  const router = createRouter({ rules, quiet, clock: utc, now: () => now })
  return {
    targets: (one: Alert) => router.ofAlert(one).map(({ target }) => target),
    router,
    go: (to: number) => { now = to }
  }
}

t.test('a rule names alerts, printers and severities', async t => {
  const { targets } = office([
    rule({ to: ['a'], alerts: ['job_failed'] }), rule({ to: ['b'], printers: ['p1s'] }), rule({ to: ['c'], severity: 'medium' })
  ])
  t.same(targets(alert()), ['c'])
  t.same(targets(alert({ type: 'job_failed', severity: 'low' })), ['a'])
  t.same(targets(alert({ printer: 'p1s', severity: 'medium' })), ['b', 'c'])
})

t.test('a target gets one message of an alert, by the first rule that asks for it', async t => {
  const { router } = office([rule({ title: 'first' }), rule({ to: ['phone', 'mail'], title: 'second' })])
  t.same(router.ofAlert(alert()).map(({ target, rule: { title } }) => [target, title]), [['phone', 'first'], ['mail', 'second']])
})

t.test('hours and days of a rule', async t => {
  const { targets, go } = office([rule({ hours: '08:00-18:00', days: ['mon'] })])
  t.same(targets(alert()), ['phone'])
  go(at('18:00'))
  t.same(targets(alert()), [])
  go(at('12:00', '2026-01-06'))
  t.same(targets(alert()), [])
})

t.test('at most so often, for each type and printer', async t => {
  const { targets, go } = office([rule({ everyMinutes: 10 })])
  t.same(targets(alert()), ['phone'])
  go(at('12:09'))
  t.same(targets(alert()), [])
  t.same(targets(alert({ printer: 'p1s' })), ['phone'])
  t.same(targets(alert({ type: 'job_failed' })), ['phone'])
  go(at('12:10'))
  t.same(targets(alert()), ['phone'])
})

t.test('in quiet hours only what is urgent is sent; the rest waits for their end', async t => {
  const { router, go } = office([rule({}), rule({ to: ['pager'], urgent: true })], '22:00-07:00')
  go(at('23:00'))
  t.same(router.ofAlert(alert()).map(({ target, dueAt }) => [target, dueAt]),
    [['phone', at('07:00', '2026-01-06')], ['pager', at('23:00')]])
})

t.test('a clip is sent for the rules that want clips of its alerts', async t => {
  const { router } = office([rule({ to: ['a'], attach: 'clip', alerts: ['job_failed'] }), rule({ to: ['b'], attach: 'picture' })])
  t.same(router.ofClip('x1c', ['hms_error_new', 'job_failed']).map(({ target }) => target), ['a'])
  t.same(router.ofClip('x1c', ['hms_error_new']), [])
})

t.test('every alert is said in words', async t => {
  t.same(wordsOf(alert({ payload: { subtask_name: 'cube', plate_num: 2, elapsed_min: 95.4, layer_num: 7 } })),
    { title: 'x1c: Print finished', text: 'cube, plate 2, 1 h 35 min, layer 7' })
  t.same(wordsOf(alert({ type: 'hms_error_new', payload: { errors: [{ code: 'HMS_1', description: 'Hot.' }, { code: 'HMS_2' }] } })),
    { title: 'x1c: Fault', text: 'HMS_1: Hot.\nHMS_2' })
  t.same(wordsOf(alert({ type: 'door_open', payload: {} })), { title: 'x1c: Door open', text: '' })
  t.same(wordsOf(alert({ type: 'job_failed', payload: { cancelled: true } })), { title: 'x1c: Print cancelled', text: '' })
  t.same(wordsOf(alert({ type: 'queue_blocked', payload: { job: 'id', job_name: 'cube', reason: 'PETG black missing' } })),
    { title: 'x1c: The queue needs you', text: 'cube\nPETG black missing' })
  t.same(wordsOf(alert({ type: 'spool_low', payload: { material: 'PLA', reason: 'the print takes 9 g, about 2 g are left' } })),
    { title: 'x1c: A spool runs low', text: 'PLA\nthe print takes 9 g, about 2 g are left' })
  t.same(clipWordsOf('x1c', [{ type: 'job_failed' }, { type: 'job_failed' }], 41.2),
    { title: 'x1c: Print failed', text: 'The moments around it, 41 s' })
})

t.test('a name of a job steers nothing: one line, no invisible signs, not endless', async t => {
  const { title, text } = wordsOf(alert({
    printer: 'x1c\r\nBcc: all@example.org', payload: { subtask_name: `a\r\nb\u202Ec\u0000${'x'.repeat(5_000)}` }
  }))
  t.equal(title, 'x1c Bcc: all@example.org: Print finished')
  t.match(text, /^a b c x+$/)
  t.ok(text.length <= 1_000)
})

t.test('a rule that could never work stops the start', async t => {
  const check = (more: Partial<Rule>) => () => checkRules({ targets: { phone: { type: 'ntfy' } }, rules: [rule(more)] } as unknown as Options)
  t.doesNotThrow(check({}))
  t.throws(check({ to: ['fone'] }), { code: 'PRN_ERR_CONFIG', message: /rules\[0\]\.to: there is no target 'fone'; did you mean 'phone'/ })
  t.throws(check({ title: '{{nothing}}' }), { code: 'PRN_ERR_CONFIG' })
})

const RAN_OUT = 'HMS_0700-2000-0002-0001'
const DOOR = '0300-8016'
const fault = (...codes: string[]): Alert => alert({ type: 'hms_error_new', payload: { errors: codes.map(code => ({ code })) } })

t.test('a rule names fault codes, however they are written', async t => {
  for (const codes of [['HMS_0700-2000-0002-0001'], ['0700_2000_0002_0001'], ['hms_0700200000020001'], ['0700*'], ['*0001']]) {
    const { targets } = office([rule({ codes })])
    t.same(targets(fault(RAN_OUT)), ['phone'], codes.join())
    t.same(targets(fault(DOOR)), [], `${codes.join()}, another fault`)
    t.same(targets(fault(DOOR, RAN_OUT)), ['phone'], 'one of several is enough')
    t.same(targets(alert({ type: 'job_paused', payload: { code: RAN_OUT } })), ['phone'], 'the cause of a pause')
    t.same(targets(alert()), [], 'an alert without a code')
  }
  t.same(office([rule({ codes: ['*'] })]).targets(alert()), ['phone'], 'any, also none')
})

t.test('what a rule ignores is told by none, and hides nothing beside it', async t => {
  const { router, go } = office([rule({ to: [], codes: ['0700*'], printers: ['x1c'], hours: '08:00-18:00', ignore: true }), rule({})])
  const told = (one: Alert) => router.withoutIgnored(one)
  t.equal(told(fault(RAN_OUT)), undefined)
  t.same(told(fault(RAN_OUT, DOOR))?.payload.errors, [{ code: DOOR }], 'the other fault is left')
  t.same(told(fault(DOOR)), fault(DOOR))
  t.equal(told(alert({ type: 'job_paused', payload: { code: RAN_OUT } })), undefined)
  t.ok(told(alert({ type: 'job_paused' })), 'a pause of which no cause is known')
  t.ok(told({ ...fault(RAN_OUT), printer: 'p1s' }), 'another printer')
  go(at('20:00'))
  t.ok(told(fault(RAN_OUT)), 'at another time')
  t.same(router.ofAlert(fault(RAN_OUT)).map(({ target }) => target), ['phone'], 'the rule itself sends nothing')
})
