import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import t, { type Test } from 'tap'
import { checkConnections, tryConnections } from '../../../presets/cli/doctor/machine-checks.js'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { freePort } from '../../helpers/ports.js'
import { NO_MOSQUITTO, startMosquitto } from '../../helpers/mosquitto.js'

const SECRET = 'wrong-secret-word'
/** Nothing listens there: it was free a moment ago. */
const NOWHERE = `127.0.0.1:${await freePort()}`

interface Row { name: string, status: string, problem: string | null, address: string | null }

/** A service without printers, what it says on the console, and its table of connections. */
async function serve (t: Test, plugins: object) {
  let said = ''
  const logEcho = new Writable({ write (chunk: Buffer, _encoding, done) { said += chunk.toString(); done() } })
  const dataDir = testFolder(t)
  // It has run before, without users: one that does not know stays closed until its database can be read.
  mkdirSync(join(dataDir, 'plugins', 'people'), { recursive: true, mode: 0o700 })
  writeFileSync(join(dataDir, 'plugins', 'people', 'known.json'), '{"version":1,"known":false}', { mode: 0o600 })
  const { http, kernel } = await boot(t, { models: [], config: { dataDir, plugins }, dependencies: { logEcho } })
  const rows = async () => (await http('GET', '/api/connections')).body.connections as Row[]
  const row = async (name: string) => (await rows()).find(each => each.name === name)
  const doctor = () => checkConnections({ call: async (_method, path) => (await http('GET', path)).body as never })
  return { http, kernel, rows, row, doctor, said: () => said }
}

async function isToldEverywhere (t: Test, { http, kernel, row, doctor, said }: Awaited<ReturnType<typeof serve>>,
  name: string, plugin: string, problem: RegExp): Promise<void> {
  await eventually(async () => (await row(name))?.status === 'failed', 20_000)
  t.match((await row(name))?.problem, problem, `${name}: the operation`)
  t.match((await doctor()).find(check => check.name === name), { status: 'failed', detail: problem }, `${name}: doctor`)
  t.match(said(), problem, `${name}: console and log`)
  t.match(kernel.pluginFaults.faults(plugin).map(({ message }) => message).join('\n'), problem, `${name}: faults`)
  t.match((await http('GET', '/metrics')).text, `prnd_connection_up{connection="${name}"} 0`, `${name}: metrics`)
  const ready = await http('GET', '/readyz')
  t.ok(ready.body.connections.failed.includes(name), `${name}: readyz`)
  t.equal(ready.status, ready.body.connections.failed.includes('database') ? 503 : 200)
}

t.test('a wrong password at the broker of Home Assistant is told everywhere', { skip: NO_MOSQUITTO }, async t => {
  const { url } = await startMosquitto(t)
  const broker = url.replace(/:[^:@/]+@/, `:${SECRET}@`)
  const service = await serve(t, { homeassistant: { broker } })
  await isToldEverywhere(t, service, 'homeassistant', 'homeassistant', /user or password is wrong/)
  t.notMatch(service.said() + JSON.stringify(await service.rows()), SECRET)
  t.match(await tryConnections({ plugins: { homeassistant: { broker } } }), [{ status: 'failed', detail: /user or password is wrong/ }])
  t.match(await tryConnections({ plugins: { homeassistant: { broker: url } } }), [{ name: 'homeassistant', status: 'ok' }])
})

t.test('what does not answer is told everywhere, by name and without secrets', async t => {
  const service = await serve(t, {
    homeassistant: { broker: `mqtt://me:${SECRET}@${NOWHERE}` },
    database: { url: `postgres://me:${SECRET}@${NOWHERE}/prnd` },
    spools: { spoolman: { url: `http://${NOWHERE}`, token: SECRET } },
    notify: { targets: { hook: { type: 'webhook', url: `http://${NOWHERE}/${SECRET}` } } }
  })
  t.equal((await service.row('notify.hook'))?.status, 'unused')
  await service.http('POST', '/api/messages/test', { target: 'hook' })
  const plugins = { homeassistant: 'homeassistant', database: 'database', spoolman: 'spools', 'notify.hook': 'notify' }
  for (const [name, plugin] of Object.entries(plugins)) {
    await isToldEverywhere(t, service, name, plugin, /nothing listens there/)
  }
  t.notMatch(service.said() + JSON.stringify(await service.rows()) + JSON.stringify(await service.doctor()), SECRET)
  t.match(await tryConnections({ plugins: { database: { url: `postgres://me:${SECRET}@${NOWHERE}/prnd` } } }),
    [{ name: 'database', status: 'failed', detail: /nothing listens there/ }], 'doctor without a service')
})

t.test('an OpenID provider that does not answer is told of before anybody logs in', async t => {
  const openid = { issuer: `http://${NOWHERE}`, clientId: 'prnd', defaultRole: 'view' }
  const { kernel, said } = await serve(t, { people: { openid } })
  t.match((await kernel.connections.refresh()).find(({ name }) => name === 'openid'),
    { status: 'failed', address: `http://${NOWHERE}`, problem: /127\.0\.0\.1:\d+: nothing listens there/ })
  t.match(said(), /the OpenID provider/)
})

t.test('where nothing is configured there is only the database, and it is ready', async t => {
  const { rows, http, doctor } = await serve(t, {})
  t.match(await rows(), [{ name: 'database', address: 'SQLite', status: 'connected' }])
  t.match(await doctor(), [{ name: 'database', status: 'ok' }])
  t.match(await http('GET', '/readyz'), { status: 200, body: { status: 'ok', connections: { failed: [] } } })
  t.same(await tryConnections({ plugins: {} }), [])
})
