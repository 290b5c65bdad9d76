import t from 'tap'
import { NO_MOSQUITTO } from '../../helpers/mosquitto.js'
import { withoutPostgres } from '../../plugins/database/postgres.js'
import type { Size } from './set-up.js'
import { virtualWeek } from './week.js'

const SMALL: Size = {
  printers: 3,
  plugs: 2,
  jobs: 20,
  kills: 4,
  outages: 1,
  speed: 600,
  rate: 120,
  minutes: [5, 12],
  leastMs: 30_000,
  seed: 7
}
const WEEK_MS = 7 * 86_400_000
/** As long as a week of its printers. */
const WHOLE: Size = {
  printers: 10,
  plugs: 3,
  jobs: 200,
  kills: 30,
  outages: 5,
  speed: 600,
  rate: 120,
  minutes: [60, 420],
  leastMs: WEEK_MS / 600,
  seed: 11
}
const size = process.env.PRN_WALK === 'whole' ? WHOLE : SMALL

const notAsked = process.env.PRN_WALK === undefined && 'set PRN_WALK to small or whole'
const skip = notAsked || NO_MOSQUITTO || withoutPostgres

t.test('a week with plugs, ejectors, drying, maintenance and rules, while everything fails now and then', { skip }, async t => {
  const week = await virtualWeek(t, size, text => t.comment(text))
  t.same(week.found.plates, [], 'nothing began on a plate that was not clear')
  t.same(week.found.power, [], 'no power went off while its printer printed, heated or dried')
  t.same(week.found.reasons, [], 'each act has one reason, and each reason an act')
  t.same(week.found.energy, [], 'energy is right to a watt-hour')
  t.same(week.found.mornings, [], 'the mornings are true')
  t.same(week.found.jobs, [], 'each job was printed once')
  t.same(week.passed, [], 'rules that mean harm were refused')
  t.equal(week.kills.length, size.kills)
  t.equal(week.troublesLeft, 0, 'everything that was to go wrong went wrong')
  const { prints, off, ejected, mornings, wh } = week.figures
  const isMuch = prints >= size.jobs && off > 0 && ejected > 0 && mornings > 0 && wh > 0
  t.ok(isMuch, `and much was done: ${JSON.stringify({ prints, off, ejected, mornings, wh })}`)
  t.comment(JSON.stringify({ ...week.figures, people: week.people }))
})
