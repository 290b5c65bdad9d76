import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Heat } from '../../../core/index.js'
import { eventually } from '../../helpers/eventually.js'
import { bootEnergy, MINUTE, off, on, stateOf } from './boot-plug.js'
import { shelly1, shelly2, tasmota, type Plug } from './plugs.js'

/** A printer and a plug that feeds it. */
async function bootPlug (t: Test, plug: Plug, fields: object = {}) {
  const booted = await bootEnergy(t)
  const id = await booted.add({ settings: { host: plug.host }, printer: booted.name, ...fields })
  const state = () => booted.plugOf(id)
  await eventually(async () => (await state()).is_on !== null)
  return { ...booted, id, state }
}

t.test('a printer that is idle and has been cool for five minutes may lose its power', async t => {
  const plug = await shelly2(t)
  const one = await bootPlug(t, plug)
  const early = await off(one, one.id)
  t.equal(early.status, 409)
  t.match(early.body, { error: 'plug_stays_on', stays: 'fans', values: { minutes: 5 } }, 'the fans run on')
  t.equal(plug.isOn, true)
  await one.pass(6 * MINUTE)
  t.match((await off(one, one.id)).body, { id: one.id })
  t.equal(plug.isOn, false)
  t.match(one.events, [{ what: 'turned_off', name: 'Plug', printer: one.name, by: /http/ }])
  await eventually(async () => (await one.state()).is_on === false)
  t.match((await on(one, 'pLUG')).body, { id: one.id }, 'by its name')
  t.equal(plug.isOn, true)
  t.match(await on(one, 'Plugs'), { status: 404, body: { error: 'no_such_plug' } })
})

t.test('every kind that is reached by HTTP is read and switched', async t => {
  for (const [kind, make] of [['shelly_http', shelly1], ['tasmota_http', tasmota]] as const) {
    const plug = await make(t)
    Object.assign(plug, { watts: 87.5, wh: 1_234 })
    const one = await bootPlug(t, plug, { printer: '', kind })
    t.match(await one.state(), { is_on: true, watts: 87.5, belongs: 'alone', stays: null, is_driven: true }, kind)
    plug.watts = 0
    t.equal((await off(one, one.id)).status, 200)
    t.equal(plug.isOn, false, `${kind}: a plug that stands alone is switched off at once`)
    t.equal((await on(one, one.id)).status, 200)
    t.equal(plug.isOn, true, kind)
  }
})

t.test('a password is sent by digest, and shown nowhere', async t => {
  const plug = await shelly2(t, 'plug-secret-9')
  const { http, kernel } = await bootEnergy(t)
  const settings = { host: plug.host }
  t.match((await http('POST', '/api/energy/plugs/test', { kind: 'shelly_http', settings })).body, { error: 'plug_silent', reason: /password is wrong/ })
  t.match((await http('POST', '/api/energy/plugs/test', { kind: 'shelly_http', settings, password: 'plug-secret-9' })).body, { is_on: true })
  t.equal((await http('POST', '/api/energy/plugs', { name: 'P', kind: 'shelly_http', settings, password: 'plug-secret-9' })).status, 200)
  const stored = join(kernel.dataDir, 'secrets', 'plugs.json')
  await eventually(async () => (await readFile(stored, 'utf8')).includes('"is_later"'), 10_000) // its generation outlasts a restart
  const seen = JSON.stringify([(await http('GET', '/api/energy')).body, (await http('GET', '/api/energy/plugs')).body])
  t.match(seen, /has_password":true/)
  t.notMatch(seen, /plug-secret-9/)
  t.notMatch(kernel.redact('it said plug-secret-9'), /secret/, 'masked in every text')
  const id = ((await http('GET', '/api/energy')).body as any).plugs[0].id
  const other = await shelly2(t)
  await http('PATCH', '/api/energy/plugs', { id, settings: { host: other.host } })
  t.match((await http('GET', '/api/energy/plugs')).body, { plugs: [{ has_password: false }] }, 'another device does not get the password')
})

t.test('nothing is switched off while it prints, starts, heats, dries or is moved by hand', async t => {
  const plug = await shelly2(t)
  const one = await bootPlug(t, plug)
  await one.pass(6 * MINUTE)
  const { http, printer, kernel, name } = one
  const session = kernel.printers.get(name)
  const refusedFor = async (code: string, what: string) => {
    const answer = await off(one, one.id)
    t.match(answer, { status: 409, body: { error: 'plug_stays_on', stays: code } }, what)
    t.equal(plug.isOn, true, `${what}: the plug is on`)
  }
  const reported = (test: (heat: Heat) => boolean) => eventually(async () => {
    await one.pass(5_000)
    return session?.state !== undefined && test(session.state.heat)
  })
  await http('PATCH', '/api/set_bed_target_temp', { temp: 60 })
  await reported(({ bed }) => bed.target === 60)
  await refusedFor('bed_heats', 'a bed that heats')
  await http('PATCH', '/api/set_bed_target_temp', { temp: 0 })
  await http('PATCH', '/api/set_tool_target_temp', { temp: 200 })
  await reported(({ nozzle }) => nozzle.target === 200)
  await refusedFor('nozzle_heats', 'a nozzle that heats')
  await reported(({ nozzle }) => nozzle.actual > 150)
  await http('PATCH', '/api/set_tool_target_temp', { temp: 0 })
  await reported(({ nozzle }) => nozzle.target === 0)
  await refusedFor('nozzle_hot', 'a hot nozzle')
  await reported(({ nozzle }) => nozzle.actual < 50)
  await refusedFor('fans', 'fans that run on')
  await one.pass(6 * MINUTE)
  await session?.exclusively('a test', async () => {
    t.match((await http('POST', '/api/energy/plugs/off', { id: one.id })).body, { id: one.id }, 'work of its own may nest')
  })
  t.equal((await on(one, one.id)).status, 200)
  kernel.services.motion.holds.begin(printer.serial, 0)
  await refusedFor('moved', 'hands that may still be in it')
})

t.test('a printer whose report is lost keeps its power', async t => {
  const plug = await shelly2(t)
  const one = await bootPlug(t, plug)
  await one.pass(6 * MINUTE)
  await one.printer.stop()
  await eventually(() => one.kernel.printers.get(one.name)?.live !== true || one.kernel.printers.get(one.name)?.service !== 'CONNECTED')
  t.match((await off(one, one.id)).body, { error: 'plug_stays_on', stays: 'unknown' })
  t.equal(plug.isOn, true)
})

t.test('a plug that does not do what it says is no success', async t => {
  const plug = await shelly2(t)
  const one = await bootPlug(t, plug, { printer: '' })
  plug.obeys = false
  t.match((await off(one, one.id)).body, { error: 'plug_unconfirmed' }, 'the answer does not show it')
  Object.assign(plug, { obeys: true, watts: 120 })
  t.match((await off(one, one.id)).body, { error: 'plug_still_draws', reason: /120 W/ }, 'off, with power through it')
  plug.isSilent = true
  const silent = await on(one, one.id)
  t.ok(['plug_silent', 'plug_unconfirmed'].includes(String(silent.body.error)), `${silent.body.reason}`)
})

t.test('a dry run says the same and sends nothing', async t => {
  const plug = await shelly2(t)
  const one = await bootPlug(t, plug)
  t.match((await one.http('POST', '/api/energy/plugs/off?dry_run=true', { id: one.id })).body, { error: 'plug_stays_on' })
  await one.pass(6 * MINUTE)
  t.match((await one.http('POST', '/api/energy/plugs/off?dry_run=true', { id: one.id })).body, { dry_run: true, checked: /nothing prints/ })
  t.notOk(plug.asked.some(asked => asked.includes('Switch.Set')))
})

t.test('a print keeps its power, whatever is asked, and so does one that is about to start', async t => {
  const plug = await shelly2(t)
  const one = await bootPlug(t, plug, { off_after_min: 5 })
  const { http, name, kernel } = one
  await one.print(name)
  const refusals = new Set<string>()
  await eventually(async () => ((await http('GET', '/api/queue')).body as any).printers[0].job !== '')
  await one.passUntil(async () => {
    const { status, body } = await off(one, one.id)
    if (status === 200) throw new Error('it was switched off')
    refusals.add(String((body as any).stays ?? body.error))
    return stateOf(one) === 'RUNNING'
  })
  t.match(await http('DELETE', '/api/energy/plugs', { id: one.id }), { status: 409, body: { error: 'plug_in_use' } }, 'not removed meanwhile')
  t.match(await http('PATCH', '/api/energy/plugs', { id: one.id, printer: '' }), { status: 409, body: { error: 'plug_in_use' } }, 'nor set free')
  t.match(await http('PATCH', '/api/energy/plugs', { id: one.id, name: 'Renamed' }), { status: 200 })
  await http('POST', '/api/pause_printing', {})
  await one.passUntil(() => stateOf(one) === 'PAUSE')
  t.match((await off(one, one.id)).body, { stays: 'prints', reason: /the printer works on/ }, 'a paused print is a print')
  await http('POST', '/api/resume_printing', {})
  await one.passUntil(() => stateOf(one) === 'FINISH')
  t.equal(plug.isOn, true)
  t.notOk(plug.asked.some(asked => asked.includes('Switch.Set')), 'no command was sent between the beginning and the end')
  t.ok(refusals.has('prints'), [...refusals].join())
  await one.passUntil(() => one.events.some(({ what }) => what === 'turned_off'))
  t.equal(plug.isOn, false)
  t.equal(kernel.printers.get(name)?.state?.job.gcodeState, 'FINISH')
  t.match(one.events.filter(({ what }) => what === 'turned_off'), [{ by: 'idle' }], 'off by itself once it was idle and cool')
})

t.test('a start that comes while it is switched off is refused, and the queue waits', async t => {
  const plug = await shelly2(t)
  const one = await bootPlug(t, plug)
  await one.pass(6 * MINUTE)
  plug.obeys = false
  const going = off(one, one.id)
  await eventually(() => plug.asked.some(asked => asked.includes('Switch.Set')))
  t.match(await one.http('POST', '/api/print_3mf', { printer: one.name, filename: '/none.gcode.3mf', use_ams: true }), { status: 409, body: { error: 'printer_claimed' } })
  t.match((await one.http('GET', '/api/queue')).body, { printers: [{ reason: 'its plug is being switched off' }] })
  t.match(await on(one, one.id), { status: 409, body: { error: 'plug_busy' } }, 'one at a time')
  t.match((await going).body, { error: 'plug_unconfirmed' })
  const reason = async () => String((await one.http('GET', '/api/queue')).body.printers?.[0]?.reason)
  t.match(await reason(), /is being switched off/, 'the command may still be obeyed')
  await one.passUntil(async () => !(await reason()).includes('plug'), 'it goes on to say that it is on')
})

t.test('a plug that falls silent after the command keeps its printer held, and so does one that is off', async t => {
  const plug = await shelly2(t)
  const one = await bootPlug(t, plug)
  await one.pass(6 * MINUTE)
  const reason = async () => String((await one.http('GET', '/api/queue')).body.printers?.[0]?.reason)
  plug.obeys = false
  const going = off(one, one.id)
  await eventually(() => plug.asked.some(asked => asked.includes('Switch.Set')))
  plug.isSilent = true
  t.match((await going).body, { error: /plug_unconfirmed|plug_silent/ })
  await one.pass(4 * MINUTE)
  t.match(await reason(), /is being switched off/)
  t.match(await one.http('POST', '/api/print_3mf', { printer: one.name, filename: '/none.gcode.3mf', use_ams: true }), { status: 409, body: { error: 'printer_claimed' } })
  t.match(await one.http('DELETE', '/api/energy/plugs', { id: one.id }), { status: 409, body: { error: 'plug_busy' } })
  Object.assign(plug, { isSilent: false, isOn: false })
  await one.passUntil(() => one.events.some(({ what }) => what === 'turned_off'), 'it has obeyed late')
  await one.passUntil(async () => /its plug is off|not connected/.test(await reason()), 'and holds the printer while it is off')
})

t.test('a plug is not taken from a printer that may be in use', async t => {
  const plug = await shelly2(t)
  const one = await bootPlug(t, plug)
  for (const change of [{ printer: '' }, { settings: { host: '127.0.0.1:9' } }, { unit: 128 }]) {
    t.match(await one.http('PATCH', '/api/energy/plugs', { id: one.id, ...change } as never), { status: 409, body: { error: 'plug_in_use', stays: 'fans' } })
  }
  t.match(await one.http('DELETE', '/api/energy/plugs', { id: one.id }), { status: 409, body: { error: 'plug_in_use' } })
  plug.isOn = false
  await one.passUntil(async () => (await one.state()).is_on === false)
  t.equal((await one.http('PATCH', '/api/energy/plugs', { id: one.id, printer: '' })).status, 200, 'it is off')
})
