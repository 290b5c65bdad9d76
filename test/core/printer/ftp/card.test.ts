import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createVirtualPrinter, type FtpFault, type VirtualPrinterOptions } from '../../../../plugins/emulator/index.js'
import { eventually } from '../../../helpers/eventually.js'
import { openCard, QUICK } from './server.js'
import { testFolder } from '../../../helpers/folder.js'

async function start (t: Test, options: Partial<VirtualPrinterOptions> = {}) {
  const printer = createVirtualPrinter({ model: 'X1C', ...options })
  await printer.start()
  const running = openCard(printer.ports.ftps, printer.fingerprint, {}, { serial: printer.serial })
  t.teardown(async () => { await running.end(); await printer.stop() })
  const folder = testFolder(t, { up: 'abc'.repeat(50_000), empty: '' })
  return { printer, ...running, up: join(folder, 'up'), folder }
}

t.test('lists, stores, fetches, renames and deletes, on every family', async t => {
  for (const model of ['X1C', 'A1_MINI', 'P1S', 'H2D'] as const) {
    const { printer, card, up, folder } = await start(t, { model })
    t.same(await card.upload(up, '/timelapse/a b ü.3mf'), { size: 150_000 })
    await card.upload(join(folder, 'empty'), '/empty.3mf')
    const items = await card.list()
    t.match(items.find(({ path }) => path === '/timelapse/a b ü.3mf'), { size: 150_000, isFolder: false })
    t.equal(items.findIndex(({ path }) => path === '/timelapse') < items.findIndex(({ path }) => path.startsWith('/timelapse/')), true)
    t.equal(await card.size('/timelapse/a b ü.3mf'), 150_000)
    t.equal(await card.size('/nothing'), undefined)
    const target = join(folder, 'down')
    await card.download('/timelapse/a b ü.3mf', () => createWriteStream(target))
    t.ok((await readFile(target)).equals(await readFile(up)))
    await card.makeFolder('/new/folder')
    await card.rename('/timelapse/a b ü.3mf', '/new/folder/c.3mf')
    await card.remove('/empty.3mf')
    t.ok((await printer.card.files()).includes('/new/folder/c.3mf'))
    await card.removeFolder('/new')
    t.same((await printer.card.files()).filter(path => path !== '/verify_job'), [])
    await t.rejects(card.remove('/nothing'), { code: 'not_found' })
    await t.rejects(card.removeFolder('/'), { code: 'bad_path' })
  }
})

t.test('parts of files where the model sends them', async t => {
  const { card, printer } = await start(t)
  await printer.card.put('/a.3mf', Buffer.from(Array.from({ length: 200_000 }, (_, at) => at % 251)))
  t.equal(await card.allowsRanges(), true)
  const part = await card.read('/a.3mf', 100_000, 10)
  t.same([...part], Array.from({ length: 10 }, (_, at) => (100_000 + at) % 251))
  t.equal((await card.read('/a.3mf', 199_990, 500)).length, 10, 'no more than there is')
  t.equal((await card.read('/a.3mf', 300_000, 5)).length, 0)
  t.ok(await card.size('/a.3mf'), 'the connection can still be used')
  const small = await start(t, { model: 'A1_MINI' })
  t.equal(await small.card.allowsRanges(), false)
  await t.rejects(small.card.read('/a.3mf', 0, 1), { code: 'unsupported' })
})

/** Every step of an upload, and what may happen there. */
const CUTS: readonly FtpFault[] = [
  { command: 'CONNECT', resets: true },
  { command: 'USER', resets: true },
  { command: 'PASS', resets: true },
  { command: 'PROT', resets: true },
  { command: 'TYPE', resets: true },
  { command: 'EPSV', resets: true },
  { command: 'STOR', resets: true },
  { command: 'STOR', reply: '425 Failed to establish connection.' },
  { command: 'STOR', cutAt: 0 },
  { command: 'STOR', cutAt: 70_000, after: 'reset' },
  { command: 'STOR', cutAt: 70_000 },
  { command: 'SIZE', resets: true }
]

t.test('an upload cut at any step is done anew, or fails and leaves nothing', async t => {
  const { card, printer, up } = await start(t)
  for (const fault of CUTS) {
    const name = JSON.stringify(fault)
    printer.card.fault({ ...fault, times: 1 })
    t.same(await card.upload(up, '/once.3mf'), { size: 150_000 }, `once: ${name}`)
    t.equal((await printer.card.get('/once.3mf'))?.length, 150_000)
    await printer.card.remove('/once.3mf')
    printer.card.clearFaults()
  }
  for (const fault of CUTS.filter(({ command }) => command === 'STOR')) {
    printer.card.fault(fault)
    await t.rejects(card.upload(up, '/always.3mf'), { code: /connection_lost|incomplete/ }, JSON.stringify(fault))
    t.equal(await printer.card.get('/always.3mf'), undefined, 'nothing stays')
    printer.card.clearFaults()
  }
})

t.test('what the last reply says does not count, the size does', async t => {
  const { card, printer, up } = await start(t)
  printer.card.fault({ command: 'STOR', ending: '426 Failure reading network stream.', times: 1 })
  t.same(await card.upload(up, '/a.3mf'), { size: 150_000 }, 'all there, whatever was said')
  printer.card.fault({ command: 'STOR', cutAt: 100, after: '226 Transfer complete.' })
  await t.rejects(card.upload(up, '/b.3mf'), { name: 'SdCardError' }, 'said to be complete, and is not')
  t.equal(await printer.card.get('/b.3mf'), undefined)
  printer.card.clearFaults()
  printer.card.fault({ command: 'RETR', cutAt: 100, after: '226 Transfer complete.', times: 1 })
  const target = join(testFolder(t), 'x')
  t.same(await card.download('/a.3mf', () => createWriteStream(target)), { size: 150_000 }, 'a short download is fetched again')
  printer.card.fault({ command: 'STOR', cutAt: 100 })
  printer.card.fault({ command: 'DELE', reply: '550 Delete operation failed.' })
  await t.rejects(card.upload(up, '/c.3mf'), { message: /A partial file may be left on the card: \/c\.3mf/ })
})

t.test('full, read-only, pulled out', async t => {
  const { card, printer, up } = await start(t, { sdCard: { capacity: 100_000 } })
  await t.rejects(card.upload(up, '/big.3mf'), { code: 'full' })
  t.equal(await printer.card.get('/big.3mf'), undefined)
  printer.card.capacity = 1e9
  printer.card.readOnly = true
  await t.rejects(card.upload(up, '/a.3mf'), { code: 'not_writable' })
  printer.card.readOnly = false
  printer.card.bytesPerSecond = 200_000
  const upload = card.upload(up, '/a.3mf', { onProgress: ({ bytes }) => { if (bytes > 0) printer.card.eject() } })
  await t.rejects(upload, { name: 'SdCardError' })
  t.same(await card.list(), [])
  t.equal(printer.report().sdcard, false)
  printer.card.insert()
  t.ok((await card.list()).length > 5)
})

t.test('a transfer that stands still is given up; one that is merely slow is not', async t => {
  const { card, printer, up } = await start(t)
  const quick = openCard(printer.ports.ftps, printer.fingerprint, { timeouts: { ...QUICK, silenceMs: 1500 } },
    { serial: printer.serial })
  t.teardown(quick.end)
  printer.card.bytesPerSecond = 70_000
  t.same(await quick.card.upload(up, '/slow.3mf'), { size: 150_000 }, 'longer than the time-out, and always moving')
  printer.card.bytesPerSecond = Infinity
  printer.card.fault({ command: 'RETR', stallAt: 1000 })
  await t.rejects(quick.card.download('/slow.3mf', () => createWriteStream(join(testFolder(t), 'y'))), { code: 'connection_lost' })
  printer.card.clearFaults()
  await eventually(async () => await card.size('/slow.3mf') === 150_000)
})

t.test('cancelling: in line, under way, and what comes next', async t => {
  const { card, printer, up } = await start(t)
  printer.card.bytesPerSecond = 100_000
  const [first, second] = [new AbortController(), new AbortController()]
  const running = card.upload(up, '/first.3mf', { signal: first.signal, onProgress: ({ bytes }) => { if (bytes > 0) first.abort() } })
  const waiting = card.upload(up, '/second.3mf', { signal: second.signal })
  const third = card.size('/verify_job')
  second.abort(new Error('no longer wanted'))
  await t.rejects(waiting, { message: 'no longer wanted' })
  await t.rejects(running, { name: 'AbortError' })
  t.equal(await third, 16)
  t.same(await printer.card.files(), ['/verify_job'])
})

t.test('one listing for all who ask at a time, and one thing at a time', async t => {
  const { card, printer } = await start(t)
  let listings = 0
  const count = printer.card.fault({ command: 'LIST', delayMs: 5 })
  const [a, b] = await Promise.all([card.list(), card.list()])
  count()
  t.equal(a, b, 'the same answer')
  const gone = new AbortController()
  const [left, stays] = [card.list({ signal: gone.signal }), card.list()]
  gone.abort()
  await t.rejects(left)
  listings = (await stays).length
  t.ok(listings > 5, 'who stays gets it')
})

t.test('an empty card is not a failed listing', async t => {
  const { card, printer } = await start(t, { sdCard: { folder: testFolder(t) } })
  t.same((await card.list()).filter(({ isFolder }) => isFolder), [])
  printer.card.fault({ command: 'LIST', reply: '550 no' })
  await t.rejects(card.list(), { code: 'not_found' })
  printer.card.clearFaults()
  printer.card.fault({ command: 'LIST', resets: true, times: 2 })
  t.ok(Array.isArray(await card.list()), 'two lost connections are made up for')
})

t.test('who it talks to', async t => {
  const { printer } = await start(t)
  const other = openCard(printer.ports.ftps, 'AA:BB', {}, { serial: printer.serial })
  const wrong = openCard(printer.ports.ftps, undefined, {}, { serial: '00M00A000000000' })
  const code = openCard(printer.ports.ftps, undefined, {}, { serial: printer.serial, accessCode: 'hunter22' })
  t.teardown(async () => { await Promise.all([other.end(), wrong.end(), code.end()]) })
  await t.rejects(other.card.list(), { code: 'certificate' })
  await t.rejects(wrong.card.list(), { code: 'certificate' })
  const error = await code.card.list().catch(error => error)
  t.match(error, { code: 'access_code_rejected' })
  t.notMatch(error.message, 'hunter22')
  const silent = createServer(() => {})
  await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
  t.teardown(() => silent.close())
  const { port } = silent.address() as { port: number }
  const deaf = openCard(port, undefined, { timeouts: { ...QUICK, connectMs: 200 } })
  await t.rejects(deaf.card.list(), { code: 'unreachable' })
  await deaf.end()
  await t.rejects(openCard(1, undefined).card.list(), { code: 'unreachable' })
})

t.test('it ends at once with its session', async t => {
  const { card, printer, up, end } = await start(t)
  printer.card.bytesPerSecond = 20_000
  const upload = card.upload(up, '/a.3mf')
  upload.catch(() => {})
  await eventually(async () => (await printer.card.files()).includes('/a.3mf'))
  await end()
  await t.rejects(upload)
  await t.rejects(card.list())
})
