import { createWriteStream } from 'node:fs'
import { readFile, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createServerQuirks } from '../../../../core/printer/ftp/server-quirks.js'
import type { SdCardDeps } from '../../../../core/printer/ftp/index.js'
import { createIdentity, createVirtualPrinter, type VirtualPrinterOptions } from '../../../../plugins/emulator/index.js'
import { createCard } from '../../../../plugins/emulator/ftp/card.js'
import { profileOf } from '../../../../plugins/emulator/ftp/profile.js'
import { createFtpServer } from '../../../../plugins/printer-servers/index.js'
import { CODE, openCard, QUICK, SERIAL } from './server.js'
import { testFolder } from '../../../helpers/folder.js'

async function start (t: Test, options: Partial<VirtualPrinterOptions> = {}, deps: Partial<SdCardDeps> = {}) {
  const printer = createVirtualPrinter({ model: 'X1C', ...options })
  await printer.start()
  const running = openCard(printer.ports.ftps, printer.fingerprint, deps, { serial: printer.serial })
  t.teardown(async () => { await running.end(); await printer.stop() })
  const folder = testFolder(t, { up: 'abc'.repeat(50_000) })
  return { printer, ...running, up: join(folder, 'up'), folder }
}

t.test('what is there and may not be changed is told apart from what is not there', async t => {
  for (const model of ['X1C', 'A1_MINI'] as const) {
    const { card, printer } = await start(t, { model })
    await printer.card.put('/jobs/a.3mf', 'a')
    printer.card.readOnly = true
    const refused = { code: 'not_writable', message: /write-protected/ }
    await t.rejects(card.remove('/jobs/a.3mf'), refused)
    await t.rejects(card.removeFolder('/jobs'), refused)
    await t.rejects(card.rename('/jobs/a.3mf', '/b.3mf'), refused)
    await t.rejects(card.rename('/jobs', '/other'), refused)
    await t.rejects(card.makeFolder('/new'), refused)
    await card.makeFolder('/jobs')
    await t.rejects(card.remove('/nothing'), { code: 'not_found' })
    await t.rejects(card.removeFolder('/nothing'), { code: 'not_found' })
    await t.rejects(card.rename('/nothing', '/b.3mf'), { code: 'not_found' })
    printer.card.readOnly = false
    await t.rejects(card.rename('/jobs/a.3mf', '/none/b.3mf'), { code: 'no_folder' })
    await card.remove('/jobs/a.3mf')
    t.equal(await printer.card.get('/jobs/a.3mf'), undefined)
  }
})

t.test('what does not fit is not begun, where the server tells how much is free', async t => {
  const { card, printer, up } = await start(t, { sdCard: { capacity: 200_000 } })
  const free = await card.free() ?? 0
  t.ok(free > 199_000 && free <= 200_000, `${free}`)
  await card.upload(up, '/a.3mf')
  t.equal(await card.free(), free - 150_000)
  await truncate(up, 201_000)
  printer.card.fault({ command: 'STOR', reply: '553 Could not create file.' })
  await t.rejects(card.upload(up, '/a.3mf'), { code: 'full', message: /51000 more bytes are needed, 49984 are free/ })
  printer.card.clearFaults()
  t.equal((await printer.card.get('/a.3mf'))?.length, 150_000, 'the earlier file is whole')
  await truncate(up, 160_000)
  t.same(await card.upload(up, '/a.3mf'), { size: 160_000 }, 'what is replaced counts as free')
  const small = await start(t, { model: 'A1_MINI', sdCard: { capacity: 100_000 } })
  t.equal(await small.card.free(), undefined)
  await t.rejects(small.card.upload(small.up, '/a.3mf'), { code: 'full' })
})

t.test('encrypted transfers that stand still go unencrypted on the small server alone', async t => {
  let plain = 0
  const deps = { timeouts: { ...QUICK, silenceMs: 600 }, onPlain: () => { plain++ } }
  const { card, printer, up, folder } = await start(t, { model: 'A1_MINI' }, deps)
  await card.upload(up, '/a.3mf')
  printer.card.fault({ command: 'RETR', stallAt: 149_000, ifEncrypted: true })
  const target = join(folder, 'down')
  for (let time = 0; time < 2; time++) {
    await card.download('/a.3mf', () => createWriteStream(target))
    t.ok((await readFile(target)).equals(await readFile(up)))
    t.equal(plain, 1, 'it stays so')
  }
  t.ok((await card.list()).some(({ path }) => path === '/a.3mf'))
  await card.upload(up, '/b.3mf')
  const large = await start(t, { model: 'X1C' }, deps)
  await large.printer.card.put('/a.3mf', 'x'.repeat(150_000))
  large.printer.card.fault({ command: 'RETR', stallAt: 1000, ifEncrypted: true })
  await t.rejects(large.card.download('/a.3mf', () => createWriteStream(target)), { code: 'connection_lost' })
  t.equal(plain, 1)
})

t.test('unencrypted transfers: only when they help, and never when strictness was asked for', async t => {
  const late = new Error('Timeout (data socket)')
  const fail = (mayBePlain: boolean, error = late) => {
    const quirks = createServerQuirks({ maxVersion: 'TLSv1.2', mayBePlain: () => mayBePlain, onPlain: () => {} })
    quirks.greeted('220 Service ready')
    quirks.begin()
    quirks.dataOpened()
    quirks.failed(error)
    return quirks
  }
  const tried = fail(true)
  t.equal(tried.isPlain, true)
  tried.begin()
  tried.done()
  tried.begin()
  tried.dataOpened()
  tried.failed(late)
  t.equal(tried.isPlain, false, 'it did not help')
  tried.begin()
  tried.dataOpened()
  tried.failed(late)
  t.equal(tried.isPlain, false, 'and is not tried again')
  t.equal(fail(false).isPlain, false)
  t.equal(fail(true, new Error('read ECONNRESET')).isPlain, false)
  const unwilling = fail(true)
  unwilling.plainRefused()
  t.equal(unwilling.isPlain, false)
})

t.test('a server that speaks nothing but TLS 1.3 and insists on resumed sessions', async t => {
  const store = createCard({}, Date.now, () => {})
  const server = await createFtpServer({
    host: '127.0.0.1',
    port: 0,
    identity: await createIdentity(SERIAL),
    profile: profileOf({ series: 'X1' } as never, true),
    now: Date.now,
    admit: ({ password }) => password === CODE ? store : undefined,
    minVersion: 'TLSv1.3',
    maxVersion: 'TLSv1.3'
  })
  const { card, end } = openCard(server.port, undefined)
  t.teardown(async () => { await end(); await server.close() })
  const folder = testFolder(t, { up: 'abc'.repeat(50_000) })
  for (const path of ['/a.3mf', '/b.3mf', '/c.3mf']) await card.upload(join(folder, 'up'), path)
  t.equal((await card.list()).length, 3)
  await card.download('/c.3mf', () => createWriteStream(join(folder, 'down')))
  t.equal((await stat(join(folder, 'down'))).size, 150_000)
  t.equal((await card.read('/b.3mf', 100, 10)).toString(), 'bcabcabcab')
})
