import t from 'tap'
import { p1s } from './fixtures/p1s.data.js'
import { createFeed, type Fields } from './helpers/feed.js'

const CLEARED = { power_on_flag: false, ams_exist_bits: '0', tray_exist_bits: '0' }

const TRAY = { state: 11, tray_type: 'PLA', tray_color: '000000FF', remain: 93 }
const UNITS = [{ id: '0', temp: '24.0', tray: ['0', '1', '2', '3'].map(id => ({ id, ...TRAY })) }]
const FULL = { ams_exist_bits: '1', tray_exist_bits: 'f', tray_now: '255', power_on_flag: true, ams: UNITS }

/** A printer with one full unit, and what is left of it after more reports. */
function after (...reports: Fields[]) {
  const feed = createFeed(p1s.serial)
  feed.report({ ...p1s.report, ams: FULL })
  for (const ams of reports) feed.report({ msg: 1, ams })
  const { ams, spools } = feed.state
  return { units: ams.units.length, loaded: spools.filter(({ amsId, present }) => amsId === 0 && present).length }
}

t.test('the last report of a printer that is being switched off takes no spool away', async t => {
  t.strictSame(after(CLEARED), { units: 1, loaded: 4 })
  t.strictSame(after({ power_on_flag: false, tray_exist_bits: '0' }), { units: 1, loaded: 4 })
  t.strictSame(after({ ...CLEARED, power_on_flag: true }), { units: 0, loaded: 0 }, 'only without power')
  t.strictSame(after({ ...CLEARED, ams_exist_bits: '1' }), { units: 1, loaded: 0 }, 'and only when no unit is left')
})

t.test('a printer that goes on saying so has lost its AMS', async t => {
  t.strictSame(after(CLEARED, CLEARED), { units: 0, loaded: 0 })
  t.strictSame(after(CLEARED, { tray_now: '255' }, CLEARED), { units: 0, loaded: 0 }, 'whatever else it says between')
  t.strictSame(after(CLEARED, FULL, CLEARED), { units: 1, loaded: 4 }, 'unless it took it back')
  t.strictSame(after(CLEARED, CLEARED, FULL), { units: 1, loaded: 4 }, 'until there is one again')
})

t.test('a new connection begins without a doubt', async t => {
  const feed = createFeed(p1s.serial)
  feed.report({ ...p1s.report, ams: FULL })
  feed.report({ msg: 1, ams: CLEARED })
  feed.reports.expectFullReport()
  feed.report({ ...p1s.report, ams: FULL })
  feed.report({ msg: 1, ams: CLEARED })
  t.equal(feed.state.ams.units.length, 1)
})

t.test('a printer without AMS has none from the first report on', async t => {
  const feed = createFeed(p1s.serial)
  feed.report({ ...p1s.report, ams: { ...CLEARED, ams: [], tray_now: '254' } })
  t.hasStrict(feed.state.ams, { present: true, units: [], existBits: 0 })
  t.equal((feed.reports.raw.ams as Fields).tray_exist_bits, '0')
})
