import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { bootEnergy, MINUTE, off, stateOf } from './boot-plug.js'
import { shelly2 } from './plugs.js'

t.test('a job that waits switches its printer on, and the printer is awaited', async t => {
  const plug = await shelly2(t)
  const one = await bootEnergy(t)
  const { http, name, printer, kernel } = one
  const id = await one.add({ settings: { host: plug.host }, printer: name, on_for_jobs: true, off_after_min: 10 })
  await one.passUntil(async () => (await one.plugOf(id)).stays === null)
  await http('POST', '/api/queue/plate_clear', { printer: name } as never)
  await one.passUntil(() => one.events.at(-1)?.what === 'turned_off')
  t.match(one.events.at(-1), { by: 'idle' })
  await printer.stop() // it loses its power with the plug
  await eventually(() => kernel.printers.get(name)?.live !== true)
  await one.pass(2 * MINUTE)
  t.equal(plug.isOn, false, 'without a job it stays off')
  await one.print(name)
  await one.passUntil(() => one.events.at(-1)?.what === 'turned_on')
  t.match(one.events.at(-1), { by: 'queue' })
  t.equal(plug.isOn, true)
  await one.passUntil(() => one.raised.includes('printer_not_waking'), 'it did not report, so a person is told')
  t.equal(one.raised.filter(type => type === 'printer_not_waking').length, 1)
  await printer.start()
  await one.passUntil(() => stateOf(one) === 'RUNNING', 'the job begins')
  t.equal(plug.isOn, true)
})

t.test('what a person switched off stays off, whatever waits', async t => {
  const plug = await shelly2(t)
  const one = await bootEnergy(t)
  const id = await one.add({ settings: { host: plug.host }, printer: one.name, on_for_jobs: true })
  await one.passUntil(async () => (await one.plugOf(id)).stays === null)
  t.equal((await off(one, id)).status, 200)
  await one.printer.stop()
  await eventually(() => one.kernel.printers.get(one.name)?.live !== true)
  await one.print(one.name)
  await one.pass(20 * MINUTE)
  t.equal(plug.isOn, false)
  t.match(await one.plugOf(id), { waits_for_person: true })
})

t.test('why a plug is switched by itself is stored before it is', async t => {
  const plug = await shelly2(t)
  const one = await bootEnergy(t)
  const id = await one.add({ settings: { host: plug.host }, printer: one.name, off_after_min: 10 })
  await one.passUntil(async () => (await one.plugOf(id)).stays === null)
  const entries = async () => (await one.http('GET', '/api/audit?act=energy.turnOff')).body.entries as Record<string, unknown>[]
  plug.obeys = false
  await one.passUntil(() => plug.asked.some(asked => asked.includes('Switch.Set')))
  t.match(await entries(), [{ face: 'energy', who: 'service', outcome: 'begun', printer: one.name, detail: 'Plug' }])
  await eventually(async () => (await entries())[0]?.outcome === 'PRN_ERR_PLUG_UNCONFIRMED')
  t.equal((await entries()).length, 1, 'one act has one entry')
})

t.test('nothing happens by itself where nobody chose it', async t => {
  const plug = await shelly2(t)
  const one = await bootEnergy(t)
  await one.add({ settings: { host: plug.host }, printer: one.name })
  await one.pass(60 * MINUTE)
  t.equal(plug.isOn, true)
  t.notOk(plug.asked.some(asked => asked.includes('Switch.Set')))
  t.same(one.raised, [])
})

t.test('a plug that is lost while it prints, and power that should not be, are told once', async t => {
  const plug = await shelly2(t)
  const one = await bootEnergy(t)
  await one.add({ settings: { host: plug.host }, printer: one.name })
  await one.print(one.name, 160)
  await one.passUntil(() => stateOf(one) === 'RUNNING')
  plug.isSilent = true
  // Its silence is noticed by the deadlines of requests, which the manual clock does not move.
  await eventually(async () => {
    await one.pass(5_000)
    return one.raised.includes('plug_lost')
  }, 60_000)
  await one.pass(5 * MINUTE)
  t.equal(one.raised.filter(type => type === 'plug_lost').length, 1)
  Object.assign(plug, { isSilent: false, lies: true, watts: 150 })
  await one.passUntil(() => one.raised.includes('power_unexpected'))
  await one.pass(5 * MINUTE)
  t.equal(one.raised.filter(type => type === 'power_unexpected').length, 1)
  t.equal(plug.isOn, true)
})

t.test('rules read the plug of a printer, and hear what happens to plugs', async t => {
  const plug = await shelly2(t)
  plug.watts = 33
  const one = await bootEnergy(t)
  const { kernel, name } = one
  const read = (value: string) => kernel.contributed('ruleValues').find(one => one.name === value)?.read(kernel, name)
  t.equal(read('plug.on'), undefined)
  t.equal(read('energy.price_now'), undefined)
  const id = await one.add({ settings: { host: plug.host }, printer: name })
  await eventually(() => read('plug.on') === true && read('plug.watts') === 33)
  const heard: object[] = []
  const event = kernel.contributed('ruleEvents').find(({ name }) => name === 'plug.turned_off')
  const end = event?.watch(kernel, occurrence => { heard.push(occurrence) })
  await one.passUntil(async () => (await one.plugOf(id)).stays === null)
  plug.watts = 0
  await off(one, id)
  t.match(heard, [{ printer: name, key: new RegExp(`^${id}:turned_off:\\d+$`), fields: { plug: 'Plug', by: /http/, watts: 0 } }])
  end?.()
  plug.isOn = true
  await one.passUntil(() => one.events.some(({ what, by }) => what === 'turned_on' && by === 'elsewhere'), 'the button of the plug')
})
