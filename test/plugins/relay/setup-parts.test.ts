import { EventEmitter } from 'node:events'
import { stat } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { createKeyedQueue } from '../../../core/index.js'
import { createBasic, createDigest } from '../../../plugins/printer-servers/index.js'
import { ClientRegistry } from '../../../plugins/relay/client-registry.js'
import { ClientSetup } from '../../../plugins/relay/client-setup.js'
import { createConnectionLimit } from '../../../plugins/relay/connection-limit.js'
import { wantedPorts, type PrinterOptions } from '../../../plugins/relay/options.js'
import { Places } from '../../../plugins/relay/places.js'
import { PrinterSetup } from '../../../plugins/relay/printer-setup.js'
import type { Relayed } from '../../../plugins/relay/relayed-printer.js'
import { openStoredAccess, type StoredAccess } from '../../../plugins/relay/stored-access.js'
import { testFolder } from '../../helpers/folder.js'

const FULL = { access: 'full' as const, printers: null }
const PRINTERS = ['x1c', 'p1s']
const registryOf = (names: readonly string[]) =>
  ({ names, config: (name: string) => ({ accessCode: `own-${name}` }), get: () => undefined }) as never

/** What was stored, in memory. */
function memory (): StoredAccess & { isFull: boolean } {
  let clients: StoredAccess['clients'] = []
  let printers: StoredAccess['printers'] = []
  const kept = {
    isFull: false,
    get clients () { return clients },
    get printers () { return printers },
    async setClients (next: StoredAccess['clients']) { kept.check(); clients = next },
    async setPrinters (next: StoredAccess['printers']) { kept.check(); printers = next },
    async settled () {},
    check () { if (kept.isFull) throw new Error('the disk is full') }
  }
  return kept
}

function clientSetup (codes: string[], stored = memory()) {
  const registry = new ClientRegistry(new AbortController().signal)
  const warnings: string[] = []
  const setup = new ClientSetup({
    fixed: [{ name: 'Hall', code: 'code-of-hall', access: 'read', printers: undefined }],
    registry,
    stored,
    places: { get: () => undefined, async follow () {} },
    printers: registryOf(PRINTERS),
    mask () {},
    warn: message => warnings.push(message),
    queue: createKeyedQueue(),
    makeCode: () => codes.shift() ?? 'no-more1'
  })
  setup.open()
  const signalOf = (name: string) => registry.all.find(client => client.name === name)?.signal
  return { registry, setup, stored, warnings, signalOf }
}

t.test('names are unique over the file and the page, and a code opens nothing else', async t => {
  const { setup, registry } = clientSetup(['code-of-hall', 'own-x1c', 'fresh-1a', 'fresh-1a', 'fresh-2b'])
  t.equal(await setup.add('Orca', FULL), 'fresh-1a', 'neither that of another client nor that of a printer')
  t.equal(await setup.add('Studio', { access: 'read', printers: ['x1c'] }), 'fresh-2b')
  for (const name of ['hall', 'ORCA', 'Ｏrca']) await t.rejects(setup.add(name, FULL), { code: 'PRN_ERR_RELAY_CLIENT_EXISTS' }, name)
  await t.rejects(setup.add('Else', { access: 'read', printers: ['unknown'] }), /no printer or group 'unknown'/)
  for (const act of [() => setup.change('Hall', { access: 'full' }), () => setup.renew('Hall'), () => setup.remove('Hall')]) {
    await t.rejects(async () => { await act() }, { code: 'PRN_ERR_RELAY_CLIENT_FIXED' })
  }
  await t.rejects(setup.remove('Nobody'), { code: 'PRN_ERR_NO_RELAY_CLIENT' })
  t.same(registry.all.map(({ name }) => name), ['Hall', 'Orca', 'Studio'])
})

t.test('a client ends with each change, and only then', async t => {
  const { setup, registry, signalOf } = clientSetup(['first-1a', 'second-2'])
  await setup.add('Orca', FULL)
  const [first, hall] = [signalOf('Orca'), signalOf('Hall')]
  await setup.change('Orca', { access: 'full' })
  t.equal(first?.aborted, false, 'nothing was changed')
  await setup.change('Orca', { printers: ['x1c'] })
  t.equal(first?.aborted, true)
  const second = signalOf('Orca')
  t.equal(await setup.renew('Orca'), 'second-2')
  t.equal(second?.aborted, true)
  const third = signalOf('Orca')
  t.match(registry.all.at(-1), { code: 'second-2', access: 'full', printers: ['x1c'] })
  await setup.remove('Orca')
  t.equal(third?.aborted, true)
  t.same(registry.all.map(({ name }) => name), ['Hall'])
  t.equal(hall?.aborted, false)
})

t.test('what could not be stored lets nobody in, and shuts nobody out', async t => {
  const { setup, registry, stored, signalOf } = clientSetup(['first-1a', 'second-2', 'third-3c'])
  await setup.add('Orca', FULL)
  const signal = signalOf('Orca')
  stored.isFull = true
  for (const act of [() => setup.add('Studio', FULL), () => setup.renew('Orca'), () => setup.remove('Orca')]) {
    await t.rejects(async () => { await act() }, /disk is full/)
  }
  t.match(registry.all, [{ name: 'Hall' }, { name: 'Orca', code: 'first-1a' }])
  t.equal(signal?.aborted, false)
})

t.test('of two clients with a name or a code, that of the file counts', async t => {
  const stored = memory()
  await stored.setClients([{ name: 'HALL', code: 'other-1a', ...FULL }, { name: 'Copy', code: 'code-of-hall', ...FULL }])
  const { setup, registry, warnings } = clientSetup([], stored)
  t.match(registry.all, [{ name: 'Hall', access: 'read' }])
  t.equal(registry.all.length, 1)
  t.same(setup.stored, [])
  t.equal(warnings.length, 2)
  t.notMatch(warnings.join(), /other-1a|code-of-hall/)
})

t.test('connections are counted until they close, and end with their client', async t => {
  const registry = new ClientRegistry(new AbortController().signal)
  const limit = createConnectionLimit(2)
  const socket = () => {
    const made = Object.assign(new EventEmitter(), {
      destroyed: false,
      destroy () { made.destroyed = true; made.emit('close') }
    })
    return made as typeof made & Socket
  }
  registry.put({ name: 'Orca', code: 'first-1a', access: 'full', printers: undefined })
  const [client] = registry.all
  if (client === undefined) return t.fail('no client')
  const [one, two, three] = [socket(), socket(), socket()]
  t.ok(limit.take(client, 'mqtt', one))
  const leave = limit.take(client, 'mqtt', two)
  t.notOk(limit.take(client, 'mqtt', three), 'the limit')
  leave?.()
  t.ok(limit.take(client, 'mqtt', three))
  one.destroy()
  t.equal(limit.all.length, 1)
  registry.remove('Orca')
  t.same([two.destroyed, three.destroyed], [false, true], 'the one that had logged out stays')
  t.same(limit.all, [])
  t.notOk(limit.take(client, 'mqtt', socket()), 'nor later, as after a login that took its time')
})

t.test('codes are stored with the other secrets, for their owner only', async t => {
  const folder = testFolder(t)
  const warn = (message: string) => { t.fail(message) }
  const stored = await openStoredAccess(join(folder, 'plugins', 'relay'), folder, warn)
  await stored.setClients([{ name: 'Orca', code: 'first-1a', ...FULL }])
  await stored.setPrinters([{ printer: 'x1c', bind: '192.168.1.10' }])
  t.equal((await stat(join(folder, 'secrets/relay.json'))).mode & 0o077, 0)
  const again = await openStoredAccess(join(folder, 'plugins', 'relay'), folder, warn)
  t.match(again.clients, [{ name: 'Orca', code: 'first-1a' }])
  t.match(again.printers, [{ printer: 'x1c', bind: '192.168.1.10' }])
})

t.test('printers have no port of another one, and stay where they are if they cannot be moved', async t => {
  const opened: string[] = []
  const stored = memory()
  const places = new Places(() => true)
  const create = (wanted: PrinterOptions): Relayed => {
    const { printer, bind = '0.0.0.0', ports } = wanted
    let problem = ''
    return {
      printer,
      bind,
      isGroup: false,
      address: undefined,
      identity: undefined,
      wantedPorts: wantedPorts(ports, 'rtsps'),
      ports: {},
      connections: [],
      warnings: [],
      get problem () { return problem },
      async open () {
        problem = bind === '10.0.0.9' ? 'listen EACCES: permission denied 10.0.0.9:990' : ''
        opened.push(`${printer} ${bind}`)
      },
      async close () { problem = '' }
    }
  }
  const options = { printers: [{ printer: 'fixed', bind: '10.0.0.1' }], groups: [] }
  for (const wanted of options.printers) places.add(create(wanted))
  const setup = new PrinterSetup({
    options, stored, places, create, printers: registryOf([...PRINTERS, 'fixed']), warn () {}, queue: createKeyedQueue()
  })
  await places.begin()
  await t.rejects(setup.set({ printer: 'fixed' }), { code: 'PRN_ERR_RELAY_FIXED' })
  await t.rejects(setup.set({ printer: 'x1c' }), /'fixed' has 0\.0\.0\.0 port 8883 already/, 'every address includes that one')
  await t.rejects(setup.set({ printer: 'x1c', bind: 'localhost' }), { code: 'PRN_ERR_BAD_INPUT' })
  await t.rejects(setup.set({ printer: 'unknown', bind: '10.0.0.2' }), /no printer 'unknown'/)
  await t.rejects(setup.set({ printer: 'x1c', bind: '10.0.0.2', ports: { mqtt: 990 } }), /ports must differ/)
  await setup.set({ printer: 'x1c', bind: '10.0.0.2' })
  await setup.set({ printer: 'p1s', bind: '10.0.0.1', ports: { mqtt: 8884, ftps: 9990, rtsps: 3322 } })
  await t.rejects(setup.set({ printer: 'x1c', bind: '10.0.0.9' }), /EACCES.* need a permission/)
  t.same(stored.printers.map(({ printer, bind }) => `${printer} ${bind}`), ['x1c 10.0.0.2', 'p1s 10.0.0.1'])
  t.equal(places.get('x1c')?.bind, '10.0.0.2')
  t.equal(opened.at(-1), 'x1c 10.0.0.2', 'opened again')
  await setup.remove('x1c')
  t.same(places.all.map(({ printer }) => printer), ['fixed', 'p1s'])
  await t.rejects(setup.remove('x1c'), { code: 'PRN_ERR_NOT_RELAYED' })
})

t.test('what could not be opened at first is tried again, and the others are left alone', async t => {
  const acts: string[] = []
  const placeOf = (printer: string, problems: string[]) => {
    const place = {
      printer,
      problem: '',
      async open () { acts.push(`open ${printer}`); place.problem = problems.shift() ?? '' },
      async close () { acts.push(`close ${printer}`); place.problem = '' }
    }
    return place as unknown as Relayed
  }
  const places = new Places(() => true)
  places.add(placeOf('x1c', ['listen EADDRNOTAVAIL 192.168.1.10:8883', 'the same']))
  places.add(placeOf('p1s', []))
  t.equal(await places.retry(), true, 'nothing to do before the start')
  await places.begin()
  acts.length = 0
  t.equal(await places.retry(), false)
  t.equal(await places.retry(), true)
  t.equal(await places.retry(), true)
  t.same(acts, ['close x1c', 'open x1c', 'close x1c', 'open x1c'])
})

t.test('cameras know a right code from one that is nearly right', async t => {
  const basic = createBasic()
  const shown = (code: string) => `Basic ${Buffer.from(`bblp:${code}`).toString('base64')}`
  t.same(['code-1a2', 'code-1a3', 'code-1a', ''].map(code => basic.check(shown(code), 'DESCRIBE', 'code-1a2')), ['bblp', undefined, undefined, undefined])
  const digest = createDigest(() => 'nonce')
  digest.challenge()
  const without = 'Digest username="bblp", realm="LIVE555 Streaming Media", nonce="nonce", uri="/"'
  t.equal(digest.check(without, 'DESCRIBE', 'code-1a2'), undefined, 'no response')
  t.equal(digest.check(`${without}, response="0"`, 'DESCRIBE', 'code-1a2'), undefined)
})
