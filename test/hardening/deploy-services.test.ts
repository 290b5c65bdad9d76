import { spawn } from 'node:child_process'
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import mqtt from 'mqtt'
import t from 'tap'
import { parse } from 'yaml'
import { loadConfig } from '../../core/kernel/config.js'
import { eventually } from '../helpers/eventually.js'
import { testFolder } from '../helpers/folder.js'
import { freePort } from '../helpers/ports.js'
import { NO_MOSQUITTO } from '../helpers/mosquitto.js'

const DEPLOY = join(import.meta.dirname, '..', '..', 'docs', 'deploy')
const read = (name: string) => readFileSync(join(DEPLOY, name), 'utf8')

t.test('the configuration for Compose names the broker and the database as they are started', t => {
  const { services } = parse(read('compose.services.yaml')) as Record<string, any>
  const { database, homeassistant } = loadConfig(JSON.parse(read('services.json'))).plugins as Record<string, any>
  t.same(new URL(database.url), new URL(`postgres://${services.database.environment.POSTGRES_USER}@127.0.0.1/prnd`))
  t.equal(services.prnd.environment.PGPASSWORD, services.database.environment.POSTGRES_PASSWORD)
  t.match(services.database.ports, ['127.0.0.1:5432:5432'], 'nobody else reaches it')
  t.match(services.broker.ports, [/^\$\{BROKER_ADDRESS:-127\.0\.0\.1\}:1883:1883$/])
  t.equal(new URL(homeassistant.broker).username, 'prnd')
  t.equal(services.prnd.environment[homeassistant.password.env], services.broker.environment.BROKER_PASSWORD)
  t.ok(services.broker.volumes.some((volume: string) => volume.startsWith('./start-broker.sh:')))
  t.end()
})

t.test('the broker lets the service in, and nobody else', { skip: NO_MOSQUITTO }, async t => {
  const port = await freePort()
  const password = "a 'quoted' \"$ecret\\"
  const folder = testFolder(t)
  chmodSync(folder, 0o755) // the broker changes its own user
  const PATH = `${process.env.PATH}:/usr/sbin`
  const child = spawn('sh', [join(DEPLOY, 'start-broker.sh')], {
    env: { PATH, BROKER_PASSWORD: password, BROKER_PORT: String(port), BROKER_DATA: folder, TMPDIR: folder }, stdio: 'ignore'
  })
  t.teardown(() => child.kill())
  const enter = async (options: object): Promise<string> => {
    const client = mqtt.connect(`mqtt://127.0.0.1:${port}`, { reconnectPeriod: 0, connectTimeout: 5_000, ...options })
    try {
      return await new Promise<string>(resolve => {
        client.on('connect', () => resolve('in'))
        client.on('error', ({ message }) => resolve(message))
      })
    } finally {
      client.end(true)
    }
  }
  await eventually(async () => await enter({ username: 'prnd', password }) === 'in')
  t.match(await enter({ username: 'prnd', password: 'guess' }), /not authori/i)
  t.match(await enter({}), /not authori/i, 'without a name')
})
