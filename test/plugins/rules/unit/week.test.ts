import t from 'tap'
import type { Engine } from '../../../../plugins/rules/engine/engine.js'
import { ruleOf, World } from './world.js'

const MINUTE_S = 60
const DAY_MINUTES = 24 * 60

t.test('a week of a farm: schedules, waits and values, with services that end and a database that is away', async t => {
  const world = new World()
  world.now = Date.parse('2026-03-23T00:00:00Z') // a week in which the clock changes in Europe
  world.printers = Array.from({ length: 10 }, (_, n) => `p${n}`)
  world.reachable = new Set(world.printers)
  const nightly = ruleOf({ name: 'night', when: [{ kind: 'time', cron: '0 22 * * *', zone: 'Europe/Berlin' }] })
  const cooled = ruleOf({
    name: 'cooled',
    when: [{ kind: 'event', event: 'print.ended' }],
    then: [
      { kind: 'wait_until', if: [{ value: 'bed', is: 'below', than: 35 }], most_s: 7_200, otherwise: 'stop' },
      { kind: 'wait', seconds: 300 },
      { kind: 'call', operation: 'climate.setFan', input: { n: 1 } }
    ]
  })
  const hot = ruleOf({ name: 'hot', when: [{ kind: 'state', value: 'bed', is: 'above', than: 80, for_s: 600 }], then: [{ kind: 'message', text: '{printer} is hot' }] })
  world.start()
  await world.use(nightly, cooled, hot)
  for (const printer of world.printers) world.set('bed', printer, 25)
  let ends = 0
  let heats = 0
  let kills = 0
  for (let minute = 0; minute < 7 * DAY_MINUTES; minute += 5) {
    await world.pass(5 * MINUTE_S, 150)
    // Every printer prints for three hours, cools for one, and so on.
    for (const [number, printer] of world.printers.entries()) {
      const phase = (minute + number * 25) % 240
      if (phase === 0) {
        world.set('bed', printer, 90)
        heats++
      } else if (phase === 180) {
        world.set('bed', printer, 60)
        world.occur('print.ended', printer, `${printer}-${minute}`, { result: 'finished' })
        ends++
      } else if (phase === 200) world.set('bed', printer, 30)
    }
    if (minute % 235 === 200) { // thirty times and more
      world.kill(world.engines[0] as Engine)
      kills++
      await world.load(world.start())
    }
    if (minute % 1_000 === 500) {
      let left = 2
      world.memory.fault = () => { if (left-- > 0) throw new Error('away') }
    }
  }
  for (const printer of world.printers) world.set('bed', printer, 30)
  await world.pass(3_600, 60)
  t.ok(kills >= 30, `${kills} kills`)
  const nights = world.runsOf(nightly.id).filter(({ state }) => state === 'done')
  t.equal(nights.length, 70, 'seven nights on ten printers')
  t.equal(new Set(nights.map(({ at }) => new Date(at).toISOString().slice(11, 16))).size, 2, 'at 21:00 and, from Sunday on, at 20:00 UTC')
  t.same(world.runsOf(cooled.id).filter(({ state }) => state === 'running'), [])
  t.equal(world.runsOf(cooled.id).filter(({ state }) => state === 'done').length, ends)
  const fans = world.acts.filter(({ operation }) => operation === 'climate.setFan')
  t.equal(fans.length, ends, 'each print once')
  t.equal(world.messages.length, world.runsOf(hot.id).filter(({ state }) => state === 'done').length, 'no message without a run, and none twice')
  t.ok(world.messages.length > heats * 0.8 && world.messages.length <= heats, `${world.messages.length} of ${heats}`)
  t.same(world.paused, [])
  const reasons = [...world.memory.runs.values()].filter(({ state, reason }) => !['done', 'running'].includes(state) && reason === undefined)
  t.same(reasons, [], 'whatever did not run says why')
})
