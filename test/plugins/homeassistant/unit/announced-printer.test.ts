import t from 'tap'
import { AnnouncedPrinter } from '../../../../plugins/homeassistant/announced-printer.js'
import type { Entity } from '../../../../plugins/homeassistant/entities/index.js'
import { topicsOf } from '../../../../plugins/homeassistant/topics.js'

const topics = topicsOf({ discoveryPrefix: 'homeassistant', topicPrefix: 'prnd' })
const entity = (key: string) => ({ key, platform: 'sensor', name: key, config: {}, value: () => 1 }) as unknown as Entity

/** A printer with a feature that comes and goes, and how often each topic was published with something new. */
function desk () {
  const published = new Map<string, string[]>()
  let entities = [entity('bed')]
  const session = { name: 'x1c', model: { name: 'X1C', model: 'X1C' }, config: { serial: '00M' }, state: { firmware: { printer: '1' } } }
  const printer = new AnnouncedPrinter(session as never, {
    kernel: { version: '2.0.0', redact: (text: string) => text } as never,
    retained: {
      put: (topic: string, text: string) => {
        const texts = published.get(topic) ?? []
        if (texts.at(-1) !== text) published.set(topic, [...texts, text])
      },
      announce: () => ({})
    } as never,
    topics,
    catalogue: () => entities
  })
  return {
    discoveries: () => [...published].filter(([topic]) => topic.endsWith('/config')).flatMap(([, texts]) => texts),
    see (...keys: string[]) { entities = keys.map(entity); printer.change() },
    publish: () => printer.publish()
  }
}

t.test('a printer is announced when its features have settled', async t => {
  const { discoveries, see, publish } = desk()
  t.notOk(publish())
  see('bed', 'fan')
  t.same([publish(), publish()], [false, false])
  t.ok(publish(), 'three seconds after the last change')
  t.equal(discoveries().length, 1)
  t.match(discoveries()[0], /"fan"/)
})

t.test('a feature that comes and goes does not keep it from being announced', async t => {
  const { discoveries, see, publish } = desk()
  let announcedAfter = 0
  for (let second = 1; second <= 30; second++) {
    see(...second % 2 === 0 ? ['bed'] : ['bed', 'fan'])
    if (publish() && announcedAfter === 0) announcedAfter = second
  }
  t.ok(announcedAfter > 3 && announcedAfter <= 15, `after ${announcedAfter} s`)
  t.ok(discoveries().length <= 2, 'and not again with each change')
})
