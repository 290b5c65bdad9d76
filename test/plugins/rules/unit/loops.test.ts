import t from 'tap'
import { ruleOf, World } from './world.js'

t.test('rules that lead to each other slowly are paused, also over restarts and with two services', async t => {
  const light = (n: number, than: string) => ruleOf({
    name: than, when: [{ kind: 'state', value: 'light.state', is: 'equal', than, for_s: 60 }], then: [{ kind: 'call', operation: 'climate.setLight', input: { n } }]
  })
  for (const services of [1, 2]) {
    const world = new World()
    for (let count = 0; count < services; count++) world.start()
    world.set('light.state', 'p1', 'on')
    world.effect = ({ input, printer }) => { setImmediate(() => world.set('light.state', printer, input.n === 1 ? 'on' : 'off')) }
    await world.use(light(1, 'off'), light(0, 'on'))
    world.set('light.state', 'p1', 'off')
    for (let minute = 0; minute < 60; minute++) {
      await world.pass(60, 20)
      if (minute % 3 === 0) world.kill(world.engines[0] as never)
      if (minute % 3 === 0) await world.load(world.start())
    }
    t.ok(world.acts.length >= 3 && world.acts.length <= 7, `${world.acts.length} acts of ${services} services`)
    t.match(world.paused, [/: it led to itself 3 times, however slowly: (off → on → off|on → off → on)$/])
  }
})

t.test('what two rules hand to each other for hours is paused, and what people do is no loop', async t => {
  const world = new World()
  world.start()
  const light = (n: number, than: string) => ruleOf({
    name: than, when: [{ kind: 'state', value: 'light.state', is: 'equal', than }], then: [{ kind: 'call', operation: 'climate.setLight', input: { n } }]
  })
  world.set('light.state', 'p1', 'dim')
  await world.use(light(1, 'off'), light(0, 'on'))
  for (let round = 0; round < 20; round++) {
    world.set('light.state', 'p1', world.acts.at(-1)?.input.n === 1 ? 'on' : 'off')
    await world.settle()
    await world.pass(1_200, 300)
  }
  t.ok(world.acts.length <= 7, `${world.acts.length} acts in hours`)
  t.match(world.paused, [/^(on|off): it led to itself 3 times/])

  const cool = ruleOf({ when: [{ kind: 'state', value: 'bed.celsius', is: 'above', than: 50 }], then: [{ kind: 'call', operation: 'climate.setBedTarget', input: { celsius: 0 } }] })
  await world.use(cool)
  for (let round = 0; round < 10; round++) {
    for (const celsius of [25, 58]) {
      world.set('bed.celsius', 'p1', celsius)
      await world.pass(1_200, 300)
    }
  }
  t.equal(world.runsOf(cool.id).filter(({ state }) => state === 'done').length, 10)
  t.equal(world.paused.length, 1, 'a rule that only switches off is not the cause')
})
