import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { Aedes } from 'aedes'
import { connectAsync } from 'mqtt'
import t, { type Test } from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { bootApp } from '../../presets/standalone/boot.js'
import { testFolder } from '../../helpers/folder.js'

const TOPICS = {
  temperatureTopic: 'chamber/temperature',
  targetTopic: 'chamber/target',
  requestedStateTopic: 'chamber/wanted',
  currentStateTopic: 'chamber/state'
}

/** A broker that wants a password, and a heater at it. */
async function broker (t: Test) {
  const aedes = await Aedes.createBroker({
    authenticate: (_client, user, password, done) => done(null, user === 'me' && String(password) === 'chamber-secret')
  })
  const server = createServer(aedes.handle)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`
  const heater = await connectAsync(url, { username: 'me', password: 'chamber-secret' })
  const heard: string[] = []
  heater.on('message', (topic, payload) => heard.push(`${topic} ${payload.toString()}`))
  await heater.subscribeAsync([TOPICS.targetTopic, TOPICS.requestedStateTopic])
  t.teardown(async () => {
    await heater.endAsync(true)
    await new Promise<void>(resolve => aedes.close(() => resolve()))
    server.close()
  })
  return { url, heater, heard }
}

t.test('a chamber beside the printer: its temperature comes in, the target goes out', async t => {
  const { url, heater, heard } = await broker(t)
  const folder = testFolder(t, { password: 'chamber-secret\n', data: {} })
  const plugins = { 'external-chamber': { url, username: 'me', password: { file: `${folder}/password` }, ...TOPICS } }
  const app = await bootApp(t, { config: { plugins, dataDir: `${folder}/data` } })
  await eventually(async () => {
    await heater.publishAsync(TOPICS.temperatureTopic, '41.5')
    return (await app.get('printer')).body._printer_state.climate.chamber_temp === 41.5
  })
  t.equal((await app.get('printer')).body._config.external_chamber, true)
  const told = (await app.get('get_all_data')).body
  t.equal(told.printer._printer_state.climate.chamber_temp, 41.5)
  t.same(heard, [], 'no target before one was commanded')

  await heater.publishAsync(TOPICS.temperatureTopic, 'hot')
  await heater.publishAsync(TOPICS.temperatureTopic, '9999')
  await heater.publishAsync(TOPICS.currentStateTopic, 'ON')
  const session = app.kernel.printers.resolve()
  await eventually(() => app.kernel.services.externalChamber.reading(session)?.heating === true)
  t.equal(app.kernel.services.externalChamber.reading(session)?.celsius, 41.5, 'what is no temperature is left out')

  t.same(await app.wire('set_chamber_target_temp', { temp: 55 }), [], 'nothing to the printer')
  await eventually(() => heard.length === 2)
  t.same(heard, ['chamber/target 55', 'chamber/wanted ON'])

  app.printer.patch({ gcode_state: 'RUNNING' })
  await eventually(() => session.state?.job.gcodeState === 'RUNNING')
  app.printer.patch({ gcode_state: 'FINISH' })
  await eventually(() => heard.length === 4)
  t.same(heard.slice(2), ['chamber/target 0', 'chamber/wanted OFF'], 'the end of the job switches it off')
})

t.test('a printer with a chamber of its own keeps it', async t => {
  const { url, heater, heard } = await broker(t)
  const folder = testFolder(t, { password: 'chamber-secret', data: {} })
  const plugins = { 'external-chamber': { url, username: 'me', password: { file: `${folder}/password` }, ...TOPICS } }
  const app = await bootApp(t, { models: [{ model: 'H2D', reportEveryMs: 100 }], config: { plugins, dataDir: `${folder}/data` } })
  await heater.publishAsync(TOPICS.temperatureTopic, '41.5')
  await app.wire('set_chamber_target_temp', { temp: 45 })
  t.same(heard, [])
  t.not((await app.get('printer')).body._printer_state.climate.chamber_temp, 41.5)
})

t.test('a password that is not where it should be stops the start', async t => {
  const plugins = { 'external-chamber': { url: 'mqtt://127.0.0.1:1', password: { env: 'PRN_TEST_NO_SUCH_VARIABLE' } } }
  await t.rejects(bootApp(t, { models: [], config: { plugins } }), /PRN_TEST_NO_SUCH_VARIABLE is not set/)
})

t.test('a broker that is not there hinders nothing', async t => {
  const app = await bootApp(t, { config: { plugins: { 'external-chamber': { url: 'mqtt://127.0.0.1:1', ...TOPICS } } } })
  t.equal((await app.get('printer')).status, 200)
  t.same(await app.wire('set_chamber_target_temp', { temp: 30 }), [])
})
