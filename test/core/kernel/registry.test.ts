import t from 'tap'
import type { PrinterSession, ServiceState } from '../../../core/printer/types.js'
import { createRegistry } from '../../../core/kernel/registry.js'
import { eventually } from '../../helpers/eventually.js'
import { fakeSession, printerOf, type FakeSession } from './fake-session.js'

const turn = () => new Promise(resolve => setImmediate(resolve))

function build (names: readonly string[], { defaultPrinter, ending }:
{ defaultPrinter?: string, ending?: () => Promise<void> } = {}) {
  const made: FakeSession[] = []
  const told: string[] = []
  const errors: string[] = []
  const parts = createRegistry(names.map(name => printerOf(name)), {
    defaultPrinter,
    create (config) {
      if (config.host === 'impossible') throw new Error('cannot be made')
      const session = fakeSession(config, ending)
      made.push(session)
      return session
    },
    onAdded: ({ name }) => told.push(`added ${name}`),
    onRemoved: name => told.push(`removed ${name}`),
    onForgotten: name => told.push(`forgotten ${name}`),
    onFollowerError: (error, printer) => errors.push(`${printer}: ${(error as Error).message}`)
  })
  return { ...parts, made, told, errors, running: () => made.filter(({ life }) => life.at(-1) === 'started') }
}

t.test('configured printers are known in order, sessions once they begin', async t => {
  const { registry, connectAll, running } = build(['b', 'a'])
  t.same(registry.names, ['b', 'a'])
  t.same(registry.sessions, [])
  t.equal(registry.get('a'), undefined)
  await connectAll()
  t.same(registry.sessions.map(({ name }) => name), ['b', 'a'])
  t.equal(registry.get('a')?.name, 'a')
  t.equal(registry.config('a')?.serial, 'S-a')
  t.equal(running().length, 2)
})

t.test('a printer that was named is taken, with a session or without', async t => {
  const { registry, connectAll } = build(['a', 'b'], { defaultPrinter: 'b' })
  await connectAll()
  t.same(registry.choose('a'), { printer: 'a', source: 'explicit' })
  t.equal(registry.resolve('a').name, 'a')
  t.same(registry.choose('x'), { printer: 'x', source: 'explicit' })
  t.throws(() => registry.resolve('x'), {
    code: 'PRN_ERR_NOT_CONNECTED',
    message: "Printer 'x' not connected",
    extra: { detail: "No printer of that name is configured. Configured: 'a', 'b'." }
  })
})

t.test('the default printer is found in any case, and stays the default under another name', async t => {
  const { registry, connectAll } = build(['a', 'b'], { defaultPrinter: 'B' })
  await connectAll()
  t.same(registry.choose(), { printer: 'b', source: 'env_var' })
  registry.renameDefault('a', 'x')
  t.equal(registry.choose().printer, 'b')
  registry.renameDefault('b', 'c')
  await registry.remove('b')
  await registry.add(printerOf('c'))
  await registry.add(printerOf('b'))
  t.equal(registry.resolve().name, 'c')
})

t.test('else the configured default, even while it has no session', async t => {
  const { registry, connectAll } = build(['a', 'b'], { defaultPrinter: 'b' })
  await connectAll()
  for (const name of [undefined, '']) t.same(registry.choose(name), { printer: 'b', source: 'env_var' })
  await registry.disconnect('b')
  t.same(registry.choose(), { printer: 'b', source: 'env_var' })
  t.throws(() => registry.resolve(), {
    message: "Printer 'b' not connected",
    extra: { detail: "'b' is configured, but has no session: the tool start_printer starts one." }
  }, 'and no other printer takes its place')
})

t.test('without any printer the sentence says so', async t => {
  const { registry } = build([])
  t.throws(() => registry.resolve(), { code: 'PRN_ERR_NO_PRINTER', message: /^No printer is configured yet\..*prnd printers add/ })
  t.throws(() => registry.resolve('a'), { code: 'PRN_ERR_NOT_CONNECTED' }, 'one that was named is named')
})

t.test('else the first that is connected, else one with a session', async t => {
  const { registry, connectAll, made } = build(['a', 'b', 'c'])
  const becomes = (name: string, service: ServiceState) => {
    const found = made.find(({ session }) => session.name === name)
    Object.assign(found?.session ?? {}, { service })
  }
  t.same(registry.choose(), { printer: undefined, source: 'none' })
  t.throws(() => registry.resolve(), {
    code: 'PRN_ERR_NOT_CONNECTED', message: "Printer 'default' not connected", extra: { detail: /^No printer has a session\. Configured: '/ }
  })
  await connectAll()
  t.same(registry.choose(), { printer: 'a', source: 'first_connected' })
  becomes('a', 'DISCONNECTED')
  t.same(registry.choose(), { printer: 'b', source: 'first_connected' }, 'one that is off is passed over')
  t.equal(registry.resolve().name, 'b')
  becomes('b', 'PAUSED')
  becomes('c', 'DISCONNECTED')
  t.same(registry.choose(), { printer: 'b', source: 'none' }, 'none is connected: one that can be reached')
  becomes('b', 'DISCONNECTED')
  t.same(registry.choose(), { printer: 'a', source: 'none' })
  t.equal(registry.resolve().name, 'a', 'which tells why it is not connected')
  becomes('c', 'CONNECTED')
  t.equal(registry.resolve().name, 'c')
})

t.test('each follows sessions there are and those that come, and lets go of those that go', async t => {
  const { registry, connectAll } = build(['a', 'b'])
  const log: string[] = []
  const heard = () => log.splice(0).sort()
  const stop = registry.each(({ name }) => { log.push(`+${name}`); return () => { log.push(`-${name}`) } })
  await connectAll()
  t.same(heard(), ['+a', '+b'], 'those that come')
  registry.each(({ name }) => { log.push(`late ${name}`) })
  t.same(heard(), ['late a', 'late b'], 'those there are')
  await registry.disconnect('a')
  t.same(heard(), ['-a'])
  await registry.connect('a')
  t.same(heard(), ['+a', 'late a'])
  stop()
  t.same(heard(), ['-a', '-b'], 'when it follows no more')
  await registry.connect('b')
  t.same(heard(), ['late b'])
})

t.test('a follower sees the session before it begins, and is let go before it ends', async t => {
  const { registry, made } = build(['a'])
  const seen: string[] = []
  registry.each(session => {
    seen.push(`life ${made.at(-1)?.life.length}`)
    return () => { seen.push(`aborted ${session.signal.aborted}`) }
  })
  await registry.connect('a')
  await registry.disconnect('a')
  t.same(seen, ['life 0', 'aborted false'])
})

t.test('followers that throw or reject, and disposers that throw, stop nothing', async t => {
  const { registry, errors } = build(['a'])
  const seen: string[] = []
  registry.each(() => { throw new Error('following') })
  registry.each((async () => { throw new Error('later') }) as () => void)
  registry.each(() => () => { throw new Error('leaving') })
  registry.each(session => { seen.push(session.name) })
  await registry.connect('a')
  await registry.disconnect('a')
  await turn()
  t.same(seen, ['a'])
  t.same(errors.sort(), ['a: following', 'a: later', 'a: leaving'])
})

t.test('a follower that follows more is not told twice', async t => {
  const { registry } = build(['a'])
  let inner = 0
  registry.each(() => { registry.each(() => { inner++ }) })
  await registry.connect('a')
  t.equal(inner, 1)
})

t.test('a printer can be added, replaced and removed', async t => {
  const { registry, told, made, running } = build(['a'])
  await registry.add(printerOf('b'))
  await registry.add(printerOf('b', 'other'))
  t.equal(registry.config('b')?.serial, 'other')
  t.same(registry.names, ['a', 'b'])
  t.same(running(), [made[1]], 'the session of the one replaced is ended')
  await registry.remove('b')
  t.same(registry.names, ['a'])
  await registry.remove('b')
  t.same(told, ['added b', 'removed b', 'added b', 'removed b', 'forgotten b'])
})

t.test('names are checked when a printer is added', async t => {
  const { registry } = build(['Workshop'])
  await t.rejects(registry.add(printerOf('a/b')), { code: 'PRN_ERR_BAD_INPUT', message: /^The printer's name must not contain/ })
  await t.rejects(registry.add(printerOf('WORKSHOP')), {
    code: 'PRN_ERR_BAD_INPUT', message: "Printer 'WORKSHOP' is already configured as 'Workshop'"
  })
  t.same(registry.names, ['Workshop'])
})

t.test('disconnecting keeps the printer, connecting anew ends the old session', async t => {
  const { registry, made, running, told } = build(['a'])
  const first = await registry.connect('a')
  const second = await registry.connect('a')
  t.not(first, second)
  t.same(made[0]?.life, ['started', 'ended'])
  await registry.disconnect('a')
  await registry.disconnect('a')
  t.same(registry.names, ['a'])
  t.same(running(), [])
  t.same(told, ['added a', 'removed a', 'added a', 'removed a'])
  await t.rejects(registry.connect('x'), { code: 'PRN_ERR_BAD_INPUT', message: "Printer 'x' is not configured" })
})

t.test('whatever is asked at once, one session is left and none is lost', async t => {
  const { registry, connectAll, running, made, told } = build(['a'], { ending: async () => { await turn() } })
  await Promise.all([connectAll(), registry.connect('a'), registry.connect('a'), registry.add(printerOf('a')), connectAll()])
  t.equal(running().length, 1)
  t.equal(running()[0]?.session, registry.get('a') as PrinterSession)
  t.equal(made.length, 4)
  t.same(told.filter((_, at) => at % 2 === 1), ['removed a', 'removed a', 'removed a'], 'one goes before the next comes')
  await Promise.all([registry.disconnect('a'), registry.connect('a'), registry.remove('a')])
  t.same(running(), [])
  t.same(registry.names, [])
})

t.test('a session that cannot be made is told of and hinders no other', async t => {
  const { registry, connectAll, errors } = build(['a'])
  await t.rejects(registry.add({ ...printerOf('b'), host: 'impossible' }), { message: 'cannot be made' })
  await connectAll()
  t.same(registry.sessions.map(({ name }) => name), ['a'])
  t.same(errors, ['b: cannot be made'])
})

t.test('a session that fails to end is gone all the same', async t => {
  const { registry, told } = build(['a'], { ending: async () => { throw new Error('stuck') } })
  await registry.connect('a')
  await t.rejects(registry.disconnect('a'), { message: 'stuck' })
  t.equal(registry.get('a'), undefined)
  t.same(told, ['added a', 'removed a'])
})

t.test('closing ends every session, also one that is just beginning, and none begins afterwards', async t => {
  let release = () => {}
  const held = new Promise<void>(resolve => { release = resolve })
  const { registry, connectAll, close, running } = build(['a', 'b'], { ending: () => held })
  await connectAll()
  const again = registry.connect('a')
  const closing = close()
  release()
  await t.rejects(again, { code: 'PRN_ERR_SHUTTING_DOWN' })
  await closing
  t.same(running(), [])
  await t.rejects(registry.connect('b'), { code: 'PRN_ERR_SHUTTING_DOWN' })
  await connectAll()
  await eventually(() => running().length === 0)
  t.same(registry.sessions, [])
})
