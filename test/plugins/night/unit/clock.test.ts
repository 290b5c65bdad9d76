import t from 'tap'
import { OFF } from '../../../../plugins/night/settings.js'
import { isQuietPrinter, quietReason, quietUntil } from '../../../../plugins/night/quiet.js'
import { dayOf, lastAt } from '../../../../plugins/night/clock.js'

const at = (text: string) => Date.parse(text)
const night = { ...OFF, time_zone: 'Europe/Berlin', quiet: { ...OFF.quiet, hours: '22:00-07:00' } }

t.test('the last time of a time of day is that of the time zone, also over midnight', async t => {
  t.equal(lastAt('07:00', 'Europe/Berlin', at('2026-11-30T08:30:40Z')), at('2026-11-30T06:00:00Z'))
  t.equal(lastAt('07:00', 'Europe/Berlin', at('2026-11-30T05:59:59Z')), at('2026-11-29T06:00:00Z'))
  t.equal(lastAt('07:00', 'America/New_York', at('2026-11-30T05:00:00Z')), at('2026-11-29T12:00:00Z'))
  t.equal(dayOf(at('2026-11-29T23:30:00Z'), 'Europe/Berlin'), '2026-11-30')
})

t.test('quiet hours begin and end in their time zone', async t => {
  t.equal(quietUntil(night, at('2026-11-29T20:59:00Z')), undefined)
  t.equal(quietUntil(night, at('2026-11-29T21:00:00Z')), at('2026-11-30T06:00:00Z'))
  t.equal(quietUntil(night, at('2026-11-30T06:00:00Z')), undefined)
  t.equal(quietUntil(OFF, at('2026-11-29T23:00:00Z')), undefined, 'off')
  t.match(quietReason(night, 'a', [], at('2026-11-30T01:00:00Z')), { code: 'quiet_hours', values: { time: '07:00' } })
})

t.test('they are those of all printers, of some, or of groups', async t => {
  const groups = [{ name: 'hall', printers: ['a', 'b'], spacingSeconds: 0, selfClearing: false }]
  const { quiet } = night
  t.ok(isQuietPrinter(quiet, 'c', groups))
  t.same(['a', 'b', 'c'].map(name => isQuietPrinter({ ...quiet, groups: ['hall'] }, name, groups)), [true, true, false])
  t.same(['a', 'c'].map(name => isQuietPrinter({ ...quiet, printers: ['c'] }, name, groups)), [false, true])
})
