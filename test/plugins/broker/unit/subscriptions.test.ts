import t from 'tap'
import { createFloodGate, Subscriptions } from '../../../../plugins/broker/subscriptions.js'

t.test('a message reaches whoever wants its topic, once for each', async t => {
  const subscriptions = new Subscriptions()
  const heard: string[] = []
  const as = (name: string) => () => { heard.push(name) }
  const ends = [['a/b', 'exact'], ['a/b', 'again'], ['a/+', 'one level'], ['#', 'all'], ['c', 'other']].map(([filter = '', name = '']) =>
    subscriptions.add(filter, as(name)))
  const say = (topic: string) => {
    heard.length = 0
    for (const tell of subscriptions.of(topic)) tell({ topic, payload: Buffer.alloc(0), isRetained: false })
    return [...heard]
  }
  t.same(say('a/b'), ['exact', 'again', 'one level', 'all'])
  t.same(say('$SYS/x'), [], 'topics of the broker are not meant by wildcards')
  t.same(say('#'), ['all'], 'a topic that looks like a filter')
  t.same(ends.slice(0, 2).map(end => end()), [false, true], 'the last one ends the subscription')
  t.equal(ends[0]?.(), false, 'ended once')
  t.same(say('a/b'), ['one level', 'all'])
  t.same(subscriptions.filters, ['a/+', '#', 'c'])
})

t.test('a flood is left out, and keeps nothing of other topics out', async t => {
  let now = 0
  const mayRead = createFloodGate(() => now)
  const passed = (topic: string, most: number) =>
    Array.from({ length: most }, () => mayRead(topic)).filter(Boolean).length
  t.equal(passed('flood', 5_000), 100)
  t.equal(passed('quiet', 5), 5)
  now = 1_000
  t.equal(passed('flood', 5_000), 100)
  now = 2_000
  t.equal(Array.from({ length: 50_000 }, (_, at) => mayRead(`topic ${at}`)).filter(Boolean).length, 10_000, 'nor do many topics')
})
