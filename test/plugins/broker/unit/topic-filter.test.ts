import t from 'tap'
import { filterProblem, matchesFilter } from '../../../../plugins/broker/topic-filter.js'

t.test('a filter means its topics', async t => {
  for (const [filter, topic] of [
    ['a/b', 'a/b'], ['a/+', 'a/b'], ['+/+', 'a/b'], ['#', 'a/b/c'], ['a/#', 'a'], ['a/#', 'a/b/c'], ['+', ''], ['a//b', 'a//b']
  ] as const) t.ok(matchesFilter(filter, topic), `${filter} means ${topic}`)
  for (const [filter, topic] of [
    ['a/b', 'a/c'], ['a/+', 'a'], ['a/+', 'a/b/c'], ['+', 'a/b'], ['#', '$SYS/uptime'], ['+/uptime', '$SYS/uptime'], ['a/#', 'ab']
  ] as const) t.notOk(matchesFilter(filter, topic), `${filter} does not mean ${topic}`)
})

t.test('a wrong filter is refused in words', async t => {
  for (const filter of ['a/b', '+', '#', 'a/+/b', 'tele/plug 1/SENSOR', '/a']) t.equal(filterProblem(filter), undefined, filter)
  for (const filter of ['', 'a#', 'a/#/b', 'a+', 'a/+b', 'a\nb', 'x'.repeat(513), '/'.repeat(40)]) {
    t.match(filterProblem(filter), /\S/, filter)
  }
})
