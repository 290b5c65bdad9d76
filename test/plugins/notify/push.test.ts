import { createECDH, randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import database from '../../../plugins/database/index.js'
import notify from '../../../plugins/notify/index.js'
import people from '../../../plugins/people/index.js'
import { boot, featuresWith, type Booted } from '../../helpers/boot-features.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'

/** The decryption that browsers do. */
const ece = createRequire(import.meta.url)('http_ece') as { decrypt (body: Buffer, params: object): Buffer }

const RULE = { alerts: ['job_finished'], printers: null, attach: 'none', nights: 'wait' }

/** A browser that subscribed to a push service; its messages are caught before they leave the machine. */
function browser (host = 'fcm.googleapis.com') {
  const keys = createECDH('prime256v1')
  keys.generateKeys()
  const auth = randomBytes(16)
  const endpoint = `https://${host}/send/${randomBytes(16).toString('hex')}`
  return {
    endpoint,
    given: (name: string) => ({
      name, endpoint, p256dh: keys.getPublicKey('base64url'), auth: auth.toString('base64url'), rule: RULE
    }),
    read: (body: Buffer) => JSON.parse(ece.decrypt(body, { version: 'aes128gcm', privateKey: keys, authSecret: auth }).toString())
  }
}

interface Sent { readonly url: string, readonly headers: Record<string, string>, readonly body: Buffer }

function catchFetch (t: Test) {
  const sent: Sent[] = []
  const state = { status: 201 }
  t.intercept(globalThis, 'fetch', {
    value: async (url: URL, { headers, body }: { headers: Record<string, string>, body: Buffer }) => {
      sent.push({ url: url.href, headers, body })
      return new Response(null, { status: state.status })
    }
  })
  return { sent, state }
}

const start = (t: Test): Promise<Booted> => boot(t, {
  preset: featuresWith(database, people, notify), models: [], config: { dataDir: testFolder(t) }
})
const alert = ({ kernel }: Booted, printer: string) => kernel.events.emit('alert', {
  type: 'job_finished', printer, timestamp: '2026-01-02T03:04:05+00:00', severity: 'low', payload: { subtask_name: '杯子' }
} as never)
const devices = async ({ http }: Booted) => (await http('GET', '/api/messages/push')).body

t.test('a browser subscribes and gets messages that only it can read, until it is gone', async t => {
  const { sent, state } = catchFetch(t)
  const booted = await start(t)
  const { endpoint, given, read } = browser()
  const { publicKey } = await devices(booted)
  t.equal(Buffer.from(publicKey, 'base64url').length, 65, 'a point of the curve')
  t.equal((await stat(join(booted.kernel.dataDir, 'secrets/push.json'))).mode & 0o077, 0)
  t.match(await booted.http('POST', '/api/messages/push', given('Chrome')), { status: 200, body: { name: 'Chrome' } })
  t.match(await booted.http('POST', '/api/messages/push', browser().given('Chrome')), { body: { name: 'Chrome 2' } })
  t.match(await booted.http('DELETE', '/api/messages/push', { name: 'Chrome 2' }), { status: 200 })
  t.match(await booted.http('POST', '/api/messages/push', given('Phone')), { body: { name: 'Phone' } }, 'registered again')
  t.match((await devices(booted)).devices, [{ name: 'Phone' }])
  t.equal((await devices(booted)).devices.length, 1)

  t.match(await booted.http('POST', '/api/messages/push/test', { name: 'Phone' }), { status: 200 })
  alert(booted, 'x1c')
  await eventually(() => sent.length === 2)
  t.match(read(sent[0]?.body as Buffer), { title: 'Test message' })
  t.match(read(sent[1]?.body as Buffer), { title: 'x1c: Print finished', text: /杯子/, printer: 'x1c' })
  t.match(sent[1], { url: endpoint, headers: { TTL: '86400', Authorization: new RegExp(`^vapid t=.*k=${publicKey}`) } })
  t.notMatch(sent[1]?.body.toString(), 'Print finished')
  const all = JSON.stringify([await devices(booted), await booted.http('GET', '/api/messages/setup'), await booted.http('GET', '/api/connections')])
  t.notMatch(all, endpoint.slice(-32), 'the subscription is not returned')

  state.status = 410
  t.match(await booted.http('POST', '/api/messages/push/test', { name: 'Phone' }), { status: 502, body: { reason: /no longer accepts/ } })
  alert(booted, 'x1c')
  await eventually(async () => (await devices(booted)).devices[0]?.problem !== null)
  t.match((await devices(booted)).devices, [{ name: 'Phone', problem: /no longer accepts/ }], 'its owner is told, not left in silence')

  state.status = 201
  const other = { ...RULE, alerts: ['job_failed'] }
  await booted.http('PATCH', '/api/messages/push', { name: 'Phone', rule: other })
  const renewed = { ...browser().given('Browser'), replaces: endpoint }
  for (const again of ['the new endpoint', 'told once more']) {
    t.match(await booted.http('POST', '/api/messages/push', renewed), { status: 200, body: { name: 'Phone' } }, again)
  }
  t.match((await devices(booted)).devices, [{ name: 'Phone', rule: other, problem: null }])
  t.match(await booted.http('POST', '/api/messages/push/test', { name: 'Phone' }), { status: 200 })
  t.equal(sent.at(-1)?.url, renewed.endpoint)
  await booted.http('DELETE', '/api/messages/push', { name: 'Phone' })
  t.match(await booted.http('POST', '/api/messages/push', renewed), { status: 404 }, 'one that was removed is not added again')
})

t.test('only push services are called, and only for those who may add a device', async t => {
  const { sent } = catchFetch(t)
  const booted = await start(t)
  const { given } = browser()
  for (const endpoint of [
    'https://192.168.1.1/', 'https://fcm.googleapis.com:8443/a', 'https://fcm.googleapis.com.example.org/a',
    'https://me@fcm.googleapis.com/a', 'http://fcm.googleapis.com/a'
  ]) t.match(await booted.http('POST', '/api/messages/push', { ...given('a'), endpoint }), { status: 400 }, endpoint)
  t.match(await booted.http('POST', '/api/messages/push', { ...given('a'), p256dh: 'x' }), { status: 400 })
  const { operations, call } = booted.kernel
  const asNetwork = (name: string, input: object) =>
    call(operations.get(`notify.${name}`) as never, input as never, { caller: 'network' })
  await t.rejects(asNetwork('addDevice', given('a')), { code: 'PRN_ERR_TRUSTED_ONLY' })
  t.match(await asNetwork('readPush', {}), { mayAdd: false, publicKey: '', devices: [] })
  t.equal(sent.length, 0)
})

t.test('a user has own devices, for own printers, until the user is removed', async t => {
  const { sent } = catchFetch(t)
  const booted = await start(t)
  const { kernel } = booted
  const { store, find } = kernel.services.people
  await store.addUser('anna', 'administrate', undefined, null)
  await store.addUser('ben', 'view', ['x1c'], null)
  const as = (name: string) => kernel.services.http.access.people?.rightsOf(`user ${find(name).id}`)
  const asked = (who: string, name: string, input: object = {}) =>
    kernel.call(kernel.operations.get(`notify.${name}`) as never, input as never, { caller: as(who) as never })
  const { given, read } = browser('updates.push.services.mozilla.com')
  await asked('ben', 'addDevice', given('Phone'))
  t.match(await asked('ben', 'readPush'), { devices: [{ name: 'Phone' }], mayAdd: true })
  t.match(await asked('anna', 'readPush'), { devices: [] })
  t.match(await asked('anna', 'readSetup'), { targets: [{ name: 'Phone', owner: 'ben', type: 'push' }] })
  await asked('anna', 'addDevice', browser().given('Tablet'))
  await t.rejects(asked('ben', 'removeDevice', { name: 'Tablet' }), { code: 'PRN_ERR_NO_SUCH_TARGET' })
  await asked('anna', 'removeDevice', { name: 'Tablet' })

  alert(booted, 'h2d')
  alert(booted, 'x1c')
  await eventually(() => sent.length === 1)
  t.match(read(sent[0]?.body as Buffer), { printer: 'x1c' }, 'only of a printer that the user may see')
  await asked('ben', 'changeDevice', { name: 'Phone', rule: { ...RULE, alerts: [] } })
  await store.removeUser('ben', true)
  await eventually(async () => (await asked('anna', 'readSetup') as { targets: unknown[] }).targets.length === 0)
})

t.test('a key of a user has none of the devices of the user, and adds none', async t => {
  const { sent } = catchFetch(t)
  const booted = await start(t)
  const { kernel } = booted
  const { store, find } = kernel.services.people
  await store.addUser('anna', 'administrate', undefined, null)
  const owner = find('anna').id
  const keyOf = async (name: string, role: 'view' | 'administrate', whose: string | undefined) =>
    kernel.services.http.access.people?.identifyKey(
      await store.addKey({ name, role, printers: ['x1c'], expiresAt: undefined, owner: whose }))
  const anna = kernel.services.http.access.people?.rightsOf(`user ${owner}`)
  const asked = (caller: unknown, name: string, input: object = {}) =>
    kernel.call(kernel.operations.get(`notify.${name}`) as never, input as never, { caller: caller as never })
  const { given } = browser()
  await asked(anna, 'addDevice', given('Phone'))
  for (const key of [await keyOf('dash', 'view', owner), await keyOf('chief', 'administrate', owner), await keyOf('free', 'administrate', undefined)]) {
    t.match(await asked(key, 'readPush'), { devices: [], mayAdd: false, publicKey: '' }, `${key?.name}`)
    await t.rejects(asked(key, 'removeDevice', { name: 'Phone' }), { code: 'PRN_ERR_NO_SUCH_TARGET' }, `${key?.name}`)
    await t.rejects(asked(key, 'changeDevice', { name: 'Phone', rule: { ...RULE, alerts: [] } }), { code: 'PRN_ERR_NO_SUCH_TARGET' }, `${key?.name}`)
    await t.rejects(asked(key, 'addDevice', browser().given('Spy')), { code: 'PRN_ERR_TRUSTED_ONLY' }, `${key?.name}`)
  }
  alert(booted, 'h2d')
  await eventually(() => sent.length === 1)
  t.match(await asked(anna, 'readPush'), { devices: [{ name: 'Phone', rule: RULE }] })

  await kernel.services.messages.setup.add(
    { name: 'Earlier', type: 'push', options: { endpoint: 'https://fcm.googleapis.com/a', p256dh: 'a'.repeat(87), auth: 'b'.repeat(22) } },
    RULE as never, { owner: { id: `user ${owner}`, name: 'key dash' }, addedAt: 1 })
  t.notOk(kernel.services.messages.devices.mayGet('Earlier', 'x1c'), 'what a key added before gets nothing')
  kernel.events.emit('people:changed')
  await eventually(async () => (await asked(anna, 'readSetup') as { targets: unknown[] }).targets.length === 1)
})
