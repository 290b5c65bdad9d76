import t from 'tap'
import { createCommands } from '../../../../plugins/homeassistant/commands.js'
import type { Entity } from '../../../../plugins/homeassistant/entities/index.js'
import { topicsOf } from '../../../../plugins/homeassistant/topics.js'

const topics = topicsOf({ discoveryPrefix: 'homeassistant', topicPrefix: 'prnd' })
const light: Entity = {
  key: 'light', platform: 'light', name: 'Light', config: {}, command: { operation: 'climate.setLight', input: text => ({ text }) }
}

function desk (call: (input: object) => Promise<unknown>) {
  const refused: string[] = []
  const lines: string[] = []
  const calls: unknown[][] = []
  const note = (_fields: object, text: string) => { lines.push(text) }
  const operation = { name: 'climate.setLight' }
  const receive = createCommands({
    kernel: {
      operations: new Map([[operation.name, operation]]) as never,
      call: (async (of: unknown, input: object, options: object) => {
        calls.push([of, input, options])
        return await call(input)
      }) as never,
      redact: text => text.replace('12345678', '***')
    },
    topics,
    log: { info: note, warn: note } as never,
    find: (id, entity) => id === 'S1' ? { printer: 'p', entity: entity === 'light' ? light : undefined } : undefined,
    onRefused: (printer, entity, reason) => refused.push(`${printer} ${entity} ${reason}`)
  })
  const say = (topic: string, text: string) => receive({ topic, payload: Buffer.from(text), isRetained: false })
  return { say, refused, lines, calls, operation }
}

t.test('a command is called for its printer, as one from the network', async t => {
  const { say, calls, refused, lines, operation } = desk(async () => ({ confirmed: true }))
  await say('prnd/S1/light/set', 'ON')
  t.same(calls, [[operation, { text: 'ON' }, { printer: 'p', caller: 'network', surface: 'homeassistant' }]])
  t.same(refused, [])
  t.same(lines, ['command over MQTT'])
})

t.test('a failure is told without secrets, and never thrown', async t => {
  const { say, refused } = desk(async () => { throw new Error('12345678 is no code') })
  await say('prnd/S1/light/set', 'ON')
  await say('prnd/S1/heat/set', 'ON')
  t.same(refused, ['p light *** is no code', 'p heat the printer has no such entity'])
})

t.test('nothing is told to a printer that is not there', async t => {
  const { say, calls, refused, lines } = desk(async () => ({}))
  for (const topic of ['prnd/S2/light/set', 'prnd/S1/light/get', 'else/S1/light/set']) await say(topic, 'ON')
  t.same([calls, refused], [[], []])
  t.equal(lines.length, 3)
})

t.test('a flood is refused, and what comes after it is not', async t => {
  const release: (() => void)[] = []
  const { say, calls, refused } = desk(() => new Promise<void>(resolve => release.push(resolve)))
  const all = Array.from({ length: 100 }, () => say('prnd/S1/light/set', 'ON'))
  t.equal(calls.length, 64)
  t.equal(refused.length, 36)
  t.match(refused[0], /too many commands at once/)
  for (const done of release.splice(0)) done()
  await Promise.all(all)
  const last = say('prnd/S1/light/set', 'ON')
  for (const done of release) done()
  await last
  t.equal(calls.length, 65)
})
