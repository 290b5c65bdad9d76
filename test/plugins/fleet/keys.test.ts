import { generateKeyPairSync } from 'node:crypto'
import { chmod, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { openNodeKeys } from '../../../plugins/fleet/hub/node-keys.js'
import { openHubKeys } from '../../../plugins/fleet/node/hub-keys.js'
import { createCallVerifier } from '../../../plugins/fleet/node/verify-call.js'
import { signMessage, verifyMessage } from '../../../plugins/fleet/signed-message.js'
import { openSigningKey } from '../../../plugins/fleet/signing-key.js'
import { checkFleet } from '../../../presets/cli/doctor/machine-checks.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { NO_NATS, startNats } from '../../helpers/nats.js'
import { bootHub, bootNode, isThere } from './fleet.js'
import { HUB_KEY, newKey } from './keys.js'

t.test('a message proves its sender, its subject and every byte', async t => {
  const key = newKey()
  const message = signMessage(key, 'a.subject', 'content')
  const verify = (bytes: Uint8Array, subject = 'a.subject') => verifyMessage(bytes, subject, known => known === key.publicKey)
  t.equal(verify(message)?.content.toString(), 'content')
  t.equal(verify(message, 'a.subjec'), undefined)
  for (let at = 0; at < message.length; at++) {
    const changed = Buffer.from(message)
    changed.writeUInt8(255 - changed.readUInt8(at), at)
    t.equal(verify(changed), undefined, `byte ${at}`)
  }
  for (let length = 0; length < message.length; length++) t.equal(verify(message.subarray(0, length)), undefined)
  t.equal(verify(Buffer.concat([message, Buffer.from(' ')])), undefined)
  t.equal(verify(signMessage(newKey(), 'a.subject', 'content')), undefined, 'another key')
})

t.test('a key is made once, for its owner only, and never replaced', async t => {
  const folder = testFolder(t)
  const { publicKey } = await openSigningKey(folder)
  t.match(publicKey, /^[\w-]{43}$/)
  t.equal((await openSigningKey(folder)).publicKey, publicKey)
  const path = join(folder, 'key.pem')
  if (process.platform !== 'win32') {
    t.equal((await stat(path)).mode & 0o777, 0o600)
    await chmod(path, 0o644)
    await t.rejects(openSigningKey(folder), /chmod 600/)
    await chmod(path, 0o600)
  }
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  for (const text of ['', 'no key', privateKey.export({ format: 'pem', type: 'pkcs8' })]) {
    await writeFile(path, text)
    await t.rejects(openSigningKey(folder), /no Ed25519 key/)
    t.equal(await readFile(path, 'utf8'), text)
  }
  const other = testFolder(t)
  await symlink(path, join(other, 'key.pem'))
  await t.rejects(openSigningKey(other), /no regular file/)
})

const quiet = { info () {}, warn () {} }

t.test('a node does what the first hub asks, or those that its configuration names', async t => {
  const folder = testFolder(t)
  const options = { folder, configured: undefined, subject: 'here', log: quiet, now: () => 0, onPinned () {} }
  const [first, second] = [newKey(), newKey()]
  const introduce = (key: typeof first, subject = 'here') => signMessage(key, subject, JSON.stringify({ hub: 'office/a' }))
  const keys = await openHubKeys(options)
  keys.receive(introduce(second, 'elsewhere'))
  t.same(keys.all, [])
  keys.receive(introduce(first))
  keys.receive(introduce(second))
  t.same([keys.all, keys.has(second.publicKey)], [[first.publicKey], false])
  t.match(keys.problems, [new RegExp(`office/a shows the key ${second.publicKey}.*${first.publicKey}","${second.publicKey}"`)])
  await eventually(async () => /refused/.test(await readFile(join(folder, 'hubs.json'), 'utf8')))
  t.same((await openHubKeys(options)).all, [first.publicKey], 'also after it has begun anew')
  const both = await openHubKeys({ ...options, configured: [second.publicKey, first.publicKey] })
  t.ok(both.has(first.publicKey) && both.has(second.publicKey), 'two hubs, or one whose key changes')
  t.notOk((await openHubKeys({ ...options, configured: [second.publicKey] })).has(first.publicKey))
})

t.test('a call counts once, for this run, whatever the clocks say', async t => {
  let now = 0
  let unproven = 0
  const verify = createCallVerifier({
    subject: 'calls',
    hubKeys: { has: key => key === HUB_KEY.publicKey },
    run: 'this run',
    onUnproven: () => unproven++,
    steady: () => now
  })
  const call = (reply: string, more: object = {}, key = HUB_KEY) => signMessage(key, 'calls', JSON.stringify({
    reply, run: 'this run', beat: 1, key: 'a key of sixteen', printer: 'p', operation: 'o', input: {}, isRead: true, host: 'h', ...more
  }))
  const one = call('inbox.1')
  t.match(verify(one), { hub: HUB_KEY.publicKey, request: { reply: 'inbox.1' } })
  now += 12_000
  t.equal(verify(one), undefined, 'a copy, for longer than its beat counts')
  t.ok(verify(call('inbox.2')), 'the hub asks again, and is answered elsewhere')
  t.equal(verify(call('inbox.3', { run: 'an earlier run' })), undefined)
  t.equal(verify(call('inbox.4', { printer: 5 })), undefined)
  t.equal(unproven, 0)
  t.equal(verify(call('inbox.5', {}, newKey())), undefined)
  t.equal(unproven, 1)
})

t.test('a hub whose key a node does not accept', { skip: NO_NATS }, async t => {
  const nats = await startNats(t)
  const dataDir = testFolder(t)
  const fleet = { servers: [nats.url], site: 'hall', node: 'a', hubKeys: [newKey().publicKey] }
  const node = await bootNode(t, fleet, { models: ['P1S'], config: { dataDir } })
  const hubData = testFolder(t)
  const hub = await bootHub(t, { servers: [nats.url] }, [], { config: { dataDir: hubData } })
  await eventually(() => hub.kernel.printers.get('p1s')?.live, 30_000)
  const refused = await hub.http('PATCH', '/api/set_bed_target_temp', { printer: 'p1s', temp: 41 })
  t.match(refused, { status: 400, body: { error: 'not_connected' } })
  t.match(JSON.stringify(refused.body), new RegExp(`hall/a does not take calls of this hub.*${HUB_KEY.publicKey}`))
  t.match((await hub.http('GET', '/api/fleet/nodes')).body.problems, [/does not take calls/])
  await eventually(() => node.kernel.services.fleet.status().problems.length > 0)
  t.equal((await hub.http('GET', '/api/printer', { printer: 'p1s' })).status, 200, 'what is known is shown')
  await eventually(async () => {
    const [, keys] = await checkFleet({ plugins: { fleet }, dataDir })
    return keys?.status === 'warning'
  })
  const [, atNode] = await checkFleet({ plugins: { fleet }, dataDir })
  t.match(atNode, { fix: new RegExp(`"hubKeys":.*${HUB_KEY.publicKey}`) })
  await eventually(async () => await stat(join(hubData, 'plugins', 'fleet', 'nodes.json')).then(() => true, () => false))
  const [, atHub] = await checkFleet({ plugins: { fleet: { servers: [nats.url] } }, dataDir: hubData })
  t.match(atHub, { status: 'ok', detail: new RegExp(`"hubKeys": \\["${HUB_KEY.publicKey}"\\]`) })
})

t.test('printers of one name at two sites', { skip: NO_NATS }, async t => {
  const nats = await startNats(t)
  const config = { dataDir: testFolder(t) }
  const real = await bootNode(t, { servers: [nats.url], site: 'hall', node: 'a' }, { models: ['P1S'] })
  const boot = () => bootHub(t, { servers: [nats.url] }, ['p1s'], { config })
  const hub = await boot()
  const serialOf = (at: typeof hub, name: string) => at.kernel.printers.get(name)?.config.serial
  // Its name sorts before, and it says that it is shared.
  const rogue = await bootNode(t, { servers: [nats.url], site: 'aaa', node: 'a', shared: ['P1S'] },
    { models: [{ model: 'P1S', name: 'P1S', serial: '01P00A999999999' }] })
  const rogueName = 'P1S@aaa'
  await eventually(() => isThere(hub, rogueName), 60_000)

  const check = async (at: typeof hub, temp: number) => {
    t.same(at.kernel.printers.names.toSorted(), [rogueName, 'p1s'])
    t.same([serialOf(at, 'p1s'), serialOf(at, rogueName)], [real.printer.serial, rogue.printer.serial])
    t.match((await at.http('GET', '/api/fleet/nodes')).body.problems, [/'p1s'.*aaa as 'P1S@aaa'.*hall\/a as 'p1s'/])
    for (const [offset, [name, { printer }]] of [['p1s', real] as const, [rogueName, rogue] as const].entries()) {
      const { status } = await at.http('PATCH', '/api/set_bed_target_temp', { printer: name, temp: temp + offset })
      t.equal(status, 200)
      t.ok(JSON.stringify(printer.requests.map(({ body }) => body)).includes(`S${temp + offset}`), name)
    }
  }
  await check(hub, 41)
  const heard: string[] = []
  hub.kernel.events.on('alert', ({ printer }) => { heard.push(printer) })
  rogue.printer.startJob({})
  await eventually(() => heard.length > 0, 30_000)
  t.same([...new Set(heard)], [rogueName], 'its alerts have its name')

  await t.test('keep their names when the hub begins anew', async t => {
    await hub.close()
    const again = await boot()
    await eventually(() => isThere(again, rogueName) && isThere(again, 'p1s'), 60_000)
    await check(again, 51)
    t.pass()
  })

  await t.test('a hub that meets both at once gives neither the plain name', async t => {
    const other = await bootHub(t, { servers: [nats.url] }, [rogueName, 'p1s@hall-a'])
    t.equal(serialOf(other, 'p1s'), undefined)
  })
})

t.test('after the file of pinned keys was damaged nobody is trusted for coming first', async t => {
  const folder = testFolder(t)
  const hub = newKey()
  for (const file of ['hubs.json', 'nodes.json']) await writeFile(join(folder, file), '{"pinned":[')
  const options = { folder, configured: undefined, subject: 'here', log: quiet, now: () => 0, onPinned () {} }
  for (const when of ['at once', 'after a restart']) {
    const keys = await openHubKeys(options)
    keys.receive(signMessage(hub, 'here', JSON.stringify({ hub: 'office/a' })))
    t.same([keys.all, keys.problems.length], [[], 1], when)
    await eventually(async () => /refused/.test(await readFile(join(folder, 'hubs.json'), 'utf8')))
    const nodes = await openNodeKeys({ folder, configured: { 'hall/b': hub.publicKey }, log: quiet, onPinned: t.fail })
    t.same([nodes.mayBe('hall/a', hub.publicKey), nodes.accept('hall/a', hub.publicKey)], [false, false], when)
    t.match(nodes.problems, [/nodes\.json was damaged.*"nodeKeys"/])
    t.ok(nodes.accept('hall/b', hub.publicKey), 'the configuration is known')
  }
})
