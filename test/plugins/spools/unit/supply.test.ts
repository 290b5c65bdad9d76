import t from 'tap'
import { forecastSupply, type Planned, type Supply } from '../../../../plugins/spools/supply/forecast-supply.js'
import { NO_DETAILS, type SpoolRow } from '../../../../plugins/spools/tables.js'

const spool = (id: string, more: Partial<SpoolRow> = {}): SpoolRow =>
  ({ ...NO_DETAILS, id, name: id, material: 'PLA', color: '#111111', tag: '', net: 1000, used: 0, archived: 0, created_at: 0, ...more })
const NOW = 1_000
/** Of 280 g in 28 days, ten a day. */
const forecast = (spools: readonly SpoolRow[], planned: readonly Planned[] = []): Supply[] =>
  forecastSupply({ spools, types: [], used: [{ spool: 'a', printer: 'x', grams: 280 }], planned, now: NOW, days: 28 })

t.test('spools of which nobody knows how much is left run out at no time, and are not bought', async t => {
  t.match(forecast([spool('a', { net: null })]), [{ spools: 1, used: 280, missing: 0, buy: 0, runsOutAt: undefined }])
  t.match(forecast([spool('a', { net: null })], [{ material: 'PLA', color: '', grams: 50 }]), [{ planned: 50, buy: 0, runsOutAt: undefined }])
  t.match(forecast([spool('a', { net: null }), spool('b', { used: 980 })]), [{ spools: 2, left: 20, buy: 1 }], 'one that is known counts')
  t.match(forecast([spool('a', { net: null, archived: 1 })]), [{ spools: 0, left: 0, buy: 1, runsOutAt: NOW }], 'the last one is used up')
  t.match(forecast([], [{ material: 'PETG', color: '', grams: 50 }]), [{ spools: 0, buy: 1 }])
})

t.test('a full weight of 0 is unknown', async t => {
  t.match(forecast([spool('a', { net: 0 })]), [{ net: 1000, buy: 1 }])
})
