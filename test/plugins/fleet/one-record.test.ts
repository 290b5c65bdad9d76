import t from 'tap'
import { createVirtualPrinter } from '../../../plugins/emulator/index.js'
import { eventually } from '../../helpers/eventually.js'
import { NO_NATS, startNats } from '../../helpers/nats.js'
import { build, listening } from '../../outside/installed.js'
import { configured, daemon, entryOf } from '../../presets/prnd.js'
import { startPostgres, withoutPostgres } from '../database/postgres.js'
import { bootHub, bootNode } from './fleet.js'

const WITHIN_MS = 60_000

t.before(build)

t.test('a print goes on under another holder', { skip: NO_NATS || withoutPostgres }, async t => {
  const [nats, postgres] = [await startNats(t), await startPostgres(t)]
  const database = { url: postgres.newDatabase() }
  const printer = createVirtualPrinter({ model: 'P1S', name: 'shared', host: '127.0.0.1' })
  await printer.start()
  t.teardown(() => printer.stop())
  const entry = entryOf(printer, { host: '127.0.0.1' })
  const fleetOf = (node: string) => ({ servers: [nats.url], site: 'hall', node, shared: ['shared'] })
  const hub = await bootHub(t, { servers: [nats.url] }, [], { config: { plugins: { database } } })
  const { file } = await configured(t, { printers: [entry], plugins: { fleet: fleetOf('a'), database } })
  const first = daemon(t, file)
  await listening(first)
  const holder = () => hub.kernel.printers.get('shared')?.remote?.name
  const isLive = () => hub.kernel.printers.get('shared')?.live
  await eventually(() => holder() === 'hall/a' && isLive(), WITHIN_MS)
  const other = await bootNode(t, fleetOf('b'), { models: [], config: { printers: [entry], plugins: { database } } })
  const prints = async () => (await hub.http('GET', '/api/history')).body.prints ?? []

  printer.startJob({ name: 'vase', minutes: 60 })
  await eventually(async () => (await prints()).length === 1, WITHIN_MS)
  const [{ id }] = await prints()

  await t.test('that takes it from one that was killed', async t => {
    first.child.kill('SIGKILL')
    await first.gone
    await eventually(() => holder() === 'hall/b' && isLive(), WITHIN_MS)
    printer.stopJob()
    await eventually(async () => (await prints())[0]?.result !== 'running', WITHIN_MS)
    t.match(await prints(), [{ id, result: 'cancelled' }])
    t.equal((await prints()).length, 1, 'in one record')
  })

  await t.test('that takes it from one that is stopped, though it ends between the two', async t => {
    const second = daemon(t, file)
    await listening(second)
    printer.startJob({ name: 'lid', minutes: 60 })
    await eventually(async () => (await prints())[0]?.result === 'running', WITHIN_MS)
    const [{ id: next }] = await prints()
    const closing = other.kernel.close()
    printer.stopJob()
    await closing
    await eventually(() => holder() === 'hall/a' && isLive(), WITHIN_MS)
    await eventually(async () => (await prints())[0]?.result !== 'running', WITHIN_MS)
    t.match(await prints(), [{ id: next, result: 'cancelled' }, { id, result: 'cancelled' }])
    t.equal((await prints()).length, 2)
  })
})
