import t from 'tap'
import { definePreset, VERSION } from '../../../core/index.js'
import database from '../../../plugins/database/index.js'
import http from '../../../plugins/http/index.js'
import updates from '../../../plugins/updates/index.js'
import { UpdateCheck } from '../../../plugins/updates/update-check.js'
import { features } from '../../../presets/features.js'
import { boot } from '../../helpers/boot.js'
import { testFolder } from '../../helpers/folder.js'
import { startRegistry, tags } from './registry-server.js'

const preset = definePreset({ name: 'told', plugins: [http, features, database, updates] })
const DAY_MS = 86_400_000

t.test('new versions', async t => {
  const registry = await startRegistry(t, tags({ latest: '2.7.0' }))
  const plugins = { updates: { registry: registry.url.href } }
  const { http: ask, kernel } = await boot(t, {
    preset, models: [], config: { dataDir: testFolder(t), printers: [], plugins }
  })
  const read = async () => (await ask('GET', '/api/updates')).body

  await t.test('nobody is asked until a person switches it on, and then once', async t => {
    const listed = () => kernel.connections.list().filter(({ name }) => name === 'updates').map(({ status }) => status)
    await kernel.services.updates.look()
    t.same(listed(), [])
    t.match(await read(), { check: false, origin: 'none', version: VERSION, newest: null, asked_at: null, problem: null, may_change: true })
    t.match((await ask('PATCH', '/api/updates?dry_run=true', { check: true })).body, { dry_run: true })
    t.same([registry.asked.length, (await read()).check], [0, false])
    t.match(await ask('PATCH', '/api/updates', { check: true }), { status: 200, body: { check: true } })
    t.same(listed(), ['connected'])
    const view = await read()
    t.match(view, {
      check: true, origin: 'stored', newest: '2.7.0', changelog: /\/blob\/v2\.7\.0\/CHANGELOG\.md$/, asked_at: Number, next_at: Number, installed: String
    })
    t.ok(view.next_at >= view.asked_at + DAY_MS - 60_000)
    await kernel.services.updates.look()
    await ask('PATCH', '/api/updates', { check: false })
    t.match(await read(), { check: false, newest: null, next_at: null }, 'off again, it says nothing')
    t.same(listed(), [])
    await ask('PATCH', '/api/updates', { check: true })
    t.equal(registry.asked.length, 1, 'switching it does not ask more often')
  })

  await t.test('two services on a database ask once a day, and tell of each version once', async t => {
    let now = Date.now() + 3 * DAY_MS
    let offered = '2.8.0'
    let there = false
    let asked = 0
    const told: string[] = []
    const service = (inFile?: boolean) => new UpdateCheck({
      database: kernel.services.database,
      now: () => now,
      random: () => 0.5,
      running: VERSION,
      registry: new URL('https://npm.example.org/'),
      inFile,
      connect: () => ({ connected () {}, failed () {}, remove () {} }),
      signal: kernel.signal,
      async ask () {
        asked++
        if (offered === '') throw Object.assign(new Error('fetch failed'), { cause: { code: 'ENOTFOUND' } })
        return { stable: offered, preview: '9.0.0-beta.1' }
      },
      canTell: () => there,
      tell: version => { told.push(version) }
    })
    const pair = [service(), service(true)]
    const look = async () => { await Promise.all(pair.map(each => each.look())) }
    await look()
    t.same([asked, told], [1, []], 'nobody can be told yet')
    there = true
    await look()
    await service().look() // as after a restart
    t.same([asked, told], [1, ['2.8.0']])
    now += DAY_MS
    await look()
    t.equal(asked, 1, 'some time is added by chance')
    now += DAY_MS
    offered = ''
    await look()
    t.match(await service().known(), { newest: '2.8.0', askedAt: now, problem: /no host of that name/ }, 'what was known stays')
    now += 2 * DAY_MS
    offered = '2.9.0'
    await look()
    t.same([asked, told], [3, ['2.8.0', '2.9.0']])
    t.match(await service().known(), { problem: null })
    now -= 300 * DAY_MS // the clock was wrong
    await look()
    t.equal(asked, 4)
    const off = service(false)
    now += 2 * DAY_MS
    await off.look()
    t.equal(asked, 4)
    await t.rejects(off.settings.change(() => ({ check: true }), 'me'), { code: 'PRN_ERR_SET_IN_FILE', message: /plugins\.updates\.check/ })
  })
})
