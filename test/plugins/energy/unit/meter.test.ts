import t from 'tap'
import { energyBetween, shareOut, type Stretch } from '../../../../plugins/energy/meter/count.js'
import { Stretches } from '../../../../plugins/energy/meter/stretches.js'
import { PlugMeter } from '../../../../plugins/energy/meter/plug-meter.js'
import { createTariff, type Prices } from '../../../../plugins/energy/prices.js'

const HOUR = 3_600_000
const at = (hours: number) => hours * HOUR

t.test('a counter that only grows is believed as far as a plug can deliver', async t => {
  const from = { wh: 1_000, at: at(0) }
  t.same(energyBetween(from, { wh: 1_150, at: at(1) }), { kind: 'counted', wh: 150 })
  t.same(energyBetween(from, { wh: 1_000, at: at(1) }), { kind: 'counted', wh: 0 })
  t.same(energyBetween(from, { wh: 1e8, at: at(1) }), { kind: 'begun' }, 'a jump that no plug can deliver')
  t.same(energyBetween(from, { wh: 9_000, at: at(1) }), { kind: 'counted', wh: 8_000 }, 'a full load')
  t.same(energyBetween(from, { wh: 0, at: at(1) }), { kind: 'counted', wh: 0 }, 'it was restarted')
  t.same(energyBetween(from, { wh: 80, at: at(1) }), { kind: 'counted', wh: 80 }, 'it was restarted and counts again')
  t.same(energyBetween({ wh: 71_582_788, at: at(0) }, { wh: 12, at: at(1) }), { kind: 'counted', wh: 12 }, 'a counter of 32 bits was full')
  t.same(energyBetween(from, { wh: 990, at: at(1) }), { kind: 'overtaken' }, 'an old message')
  t.same(energyBetween({ wh: 1e6, at: at(0) }, { wh: 5e5, at: at(1) }), { kind: 'begun' }, 'set back by somebody')
  t.same(energyBetween({ wh: 5, at: at(2) }, { wh: 500, at: at(1) }), { kind: 'begun' }, 'a clock that was set back')
})

const stretch = (print: string, seconds: number, watts?: number): Stretch =>
  ({ print, seconds, wattSeconds: seconds * (watts ?? 0), knownSeconds: watts === undefined ? 0 : seconds })

t.test('what was counted is divided without a rest', async t => {
  t.same(shareOut(30, [stretch('', 60, 10), stretch('a', 60, 90)]), [{ print: '', wh: 3 }, { print: 'a', wh: 27 }], 'by power')
  t.same(shareOut(30, [stretch('', 60), stretch('a', 120)]), [{ print: '', wh: 10 }, { print: 'a', wh: 20 }], 'by time where it is unknown')
  t.same(shareOut(30, [stretch('', 0)]), [{ print: '', wh: 30 }])
  let seed = 1
  const random = () => (seed = seed * 48_271 % 2_147_483_647) / 2_147_483_647
  for (let turn = 0; turn < 2_000; turn++) {
    const wh = random() * 10 ** Math.floor(random() * 6)
    const parts = Array.from({ length: 1 + Math.floor(random() * 9) }, (_, part) => stretch(`${part % 3}`, random() * 900, random() < 0.3 ? undefined : random() * 2_000))
    const shares = shareOut(wh, parts)
    const sum = shares.reduce((all, share) => all + share.wh, 0)
    if (Math.abs(sum - wh) > 1e-6 || shares.some(share => share.wh < 0)) t.fail(`${wh}: ${JSON.stringify(shares)}`)
  }
  t.pass('2,000 divisions')
})

t.test('a power is believed for five minutes, and a flood of owners is bounded', async t => {
  const one = new Stretches(0)
  one.advance(1_000, '')
  one.power(100, 1_000)
  one.advance(601_000, '')
  t.match(one.list, [{ print: '', seconds: 601, wattSeconds: 30_000, knownSeconds: 300 }])
  const many = new Stretches(0)
  for (let turn = 1; turn < 5_000; turn++) many.advance(turn * 1_000, `${turn % 2}`)
  t.ok(many.list.length <= 100)
  const taken = many.take()
  t.equal(many.list.length, 0)
  many.putBack(taken)
  t.same(many.list, taken)
})

t.test('a meter gives back what could not be stored', async t => {
  let now = 0
  let print = ''
  const meter = new PlugMeter({ plug: 'p', now: () => now, owner: () => print, ownerSince: () => 60_000 })
  meter.note({ wh: 10, watts: 50 })
  t.equal(meter.take(), undefined, 'no time has passed')
  now = 60_000
  meter.note({ wh: 12 })
  print = 'a'
  now = 120_000
  t.equal(meter.advance(), true, 'a print has begun')
  now = 180_000
  meter.note({ wh: 20 })
  const first = meter.take()
  t.match(first, { count: { wh: 20, at: 180_000 }, stretches: [{ print: '', seconds: 120 }, { print: 'a' }] })
  t.equal(meter.take(), undefined)
  if (first) meter.failed(first)
  t.same(meter.take(), first)
  t.same(first?.unseen(-60_000), [{ print: '', seconds: 60, wattSeconds: 0, knownSeconds: 0 }])
})

const PRICES: Prices = {
  currency: 'EUR',
  price: 0.3,
  windows: [
    { days: ['sat', 'sun'], from: '00:00', to: '00:00', price: 0.2 },
    { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '22:00', to: '06:00', price: 0.1 }
  ],
  time_zone: 'Europe/Berlin'
}

t.test('a price depends on hour and weekday, where the plug is', async t => {
  const tariff = createTariff(PRICES)
  const price = (iso: string) => tariff.priceAt(Date.parse(iso))
  t.equal(price('2026-11-27T12:00:00Z'), 0.3, 'Friday at noon')
  t.equal(price('2026-11-27T21:00:00Z'), 0.1, 'Friday at ten in the evening in Berlin')
  t.equal(price('2026-11-28T03:00:00Z'), 0.2, 'on Saturday the first window counts')
  t.equal(price('2026-11-28T23:00:00Z'), 0.2, 'Sunday')
  t.equal(price('2026-11-30T02:00:00Z'), 0.3, 'Monday before six: the night that began on Sunday has no window')
  t.equal(price('2026-12-01T02:00:00Z'), 0.1, 'Tuesday before six')
  t.equal(tariff.localTime(Date.parse('2026-11-29T23:30:00Z')).day, '2026-11-30')
  const [from, to] = [Date.parse('2026-11-27T20:00:00Z'), Date.parse('2026-11-27T22:00:00Z')]
  t.ok(Math.abs((tariff.priceBetween(from, to) ?? 0) - 0.2) < 1e-9, 'half before and half after ten')
  t.equal(createTariff({ ...PRICES, price: null }).priceBetween(from, to), null, 'unknown in part is unknown')
  t.throws(() => createTariff({ ...PRICES, time_zone: 'Nowhere/Town' }), RangeError)
})
