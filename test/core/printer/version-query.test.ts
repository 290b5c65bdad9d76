import t from 'tap'
import { CHANGE_EVERY_MS, createVersionQuery, MAX_TRIES, RETRY_MS } from '../../../core/printer/version-query.js'

t.test('asked every two seconds, ten times, until there is an answer', async t => {
  t.strictSame([RETRY_MS, MAX_TRIES], [2_000, 10])
  const query = createVersionQuery()
  t.equal(query.isDue(0), false, 'not before the first request')
  query.requested(0)
  const due: number[] = []
  for (let now = 0; now <= 60_000; now += 500) if (query.isDue(now)) due.push(now)
  t.strictSame(due, [2, 4, 6, 8, 10, 12, 14, 16, 18].map(s => s * 1_000))
  query.requested(60_000)
  t.equal(query.isDue(62_000), true)
  query.received()
  t.equal(query.isDue(64_000), false)
})

t.test('counters that change call for another answer; the first of a connection do not', async t => {
  const query = createVersionQuery()
  query.requested(0)
  query.received()
  query.compare('1/2')
  query.compare('1/2')
  t.equal(query.isDue(CHANGE_EVERY_MS), false)
  query.compare('2/2')
  t.equal(query.isDue(CHANGE_EVERY_MS), true)
  t.equal(query.isDue(CHANGE_EVERY_MS + RETRY_MS), true, 'and that may get lost too')
  query.received()
  query.restart()
  query.compare('9/9')
  t.equal(query.isDue(10 * CHANGE_EVERY_MS), false)
})

t.test('a printer that counts all the time is not asked all the time', async t => {
  const query = createVersionQuery()
  query.requested(0)
  query.received()
  let asked = 0
  for (let now = 0; now < 300_000; now += 1_000) {
    query.compare(`1/${now}`)
    if (!query.isDue(now)) continue
    asked++
    query.received()
  }
  t.equal(asked, 9)
})
