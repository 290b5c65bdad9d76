import t from 'tap'
import { nextSunTime, sunTime } from '../../../../plugins/rules/engine/sun.js'

/** Published times in UTC, rounded to minutes as almanacs print them. */
const PUBLISHED = [
  ['Greenwich, 21 June 2024', 51.4779, 0, '2024-06-21T03:43:00Z', '2024-06-21T20:21:00Z'],
  ['Greenwich, 21 December 2024', 51.4779, 0, '2024-12-21T08:04:00Z', '2024-12-21T15:53:00Z'],
  ['Berlin, 21 June 2024', 52.52, 13.405, '2024-06-21T02:43:00Z', '2024-06-21T19:33:00Z'],
  ['New York, 20 March 2024', 40.7128, -74.006, '2024-03-20T10:59:00Z', '2024-03-20T23:08:00Z'],
  ['Sydney, 22 December 2024', -33.8688, 151.2093, '2024-12-21T18:41:00Z', '2024-12-22T09:05:00Z'],
  ['Singapore, 1 January 2024', 1.3521, 103.8198, '2023-12-31T23:07:00Z', '2024-01-01T11:09:00Z']
] as const
const WITHIN_MS = 3 * 60_000

t.test('sunrise and sunset are those of almanacs, to three minutes', async t => {
  for (const [what, latitude, longitude, rise, set] of PUBLISHED) {
    const place = { latitude, longitude }
    for (const [event, published] of [['sunrise', rise], ['sunset', set]] as const) {
      const at = Date.parse(published)
      const found = nextSunTime(event, 0, at - 3_600_000 * 2, place) ?? 0
      t.ok(Math.abs(found - at) < WITHIN_MS, `${event} of ${what}: ${new Date(found).toISOString()}, published ${published}`)
    }
  }
})

t.test('an offset moves it, and every next time is later', async t => {
  const place = { latitude: 52.52, longitude: 13.405 }
  let after = Date.parse('2024-01-01T00:00:00Z')
  const times: number[] = []
  for (let day = 0; day < 366; day++) times.push(after = nextSunTime('sunset', -30 * 60_000, after, place) ?? 0)
  t.equal(new Set(times.map(at => new Date(at).toISOString().slice(0, 10))).size, 366, 'one on each day')
  t.equal(nextSunTime('sunset', -30 * 60_000, times[0] as number - 1, place), times[0])
  t.equal((nextSunTime('sunset', 0, times[0] as number, place) ?? 0) - (times[0] as number), 30 * 60_000)
})

t.test('where the sun does not set, the next time is after the summer', async t => {
  const tromso = { latitude: 69.65, longitude: 18.96 }
  t.equal(sunTime('sunset', Date.parse('2024-06-21T12:00:00Z'), tromso), undefined)
  const next = new Date(nextSunTime('sunset', 0, Date.parse('2024-06-21T12:00:00Z'), tromso) ?? 0)
  t.match(next.toISOString(), /^2024-07-2/)
  t.equal(nextSunTime('sunrise', 0, 0, { latitude: 90, longitude: 0 }), undefined)
})
