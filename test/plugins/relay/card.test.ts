import { createHash } from 'node:crypto'
import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { promisify } from 'node:util'
import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { findProgram } from '../../helpers/programs.js'
import { fetched, FULL, openCard, READ, REAL, relay } from './relay.js'
import { testFolder } from '../../helpers/folder.js'

const run = promisify(execFile)
const curl = findProgram('curl')
const lftp = findProgram('lftp')
const CONTENT = Buffer.from(Array.from({ length: 700_000 }, (_, at) => at % 251))
/** A buffer in a line, so that a difference can be read. */
const brief = (bytes: Buffer | undefined): string =>
  bytes === undefined ? 'none' : `${bytes.length} ${createHash('sha256').update(bytes).digest('hex')}`

t.test('the card of the printer, through the relay', async t => {
  const service = await relay(t)
  const { printer, kernel, http } = service
  const done: string[] = []
  kernel.events.on('operation:done', ({ operation, surface }) => { done.push(`${operation} ${surface}`) })
  await printer.card.put('/cache/old.3mf', CONTENT)
  const client = await openCard(t, service)

  await t.test('files are listed, sent, fetched, renamed and deleted', async t => {
    t.same((await client.list('/cache')).map(({ name, size }) => [name, size]), [['old.3mf', CONTENT.length]])
    t.equal(brief(await fetched(client, '/cache/old.3mf')), brief(CONTENT))
    await client.uploadFrom(Readable.from([CONTENT, CONTENT]), '/cache/new.3mf')
    t.equal(brief(await printer.card.get('/cache/new.3mf')), brief(Buffer.concat([CONTENT, CONTENT])))
    t.equal(await client.size('/cache/new.3mf'), 2 * CONTENT.length)
    await client.rename('/cache/new.3mf', '/cache/newer.3mf')
    await client.send('MKD /parts')
    await client.remove('/cache/newer.3mf')
    t.same(await printer.card.files(), ['/cache/old.3mf', '/verify_job'])
    t.same(done, ['files.uploadStored', 'files.rename', 'files.createFolder', 'files.delete'].map(name => `${name} relay (Slicer)`))
    const { body } = await http('GET', '/api/file_transfers', { printer: 'x1c' })
    t.match(JSON.stringify(body), /"path":"\/cache\/new.3mf"/, 'transfers are shown as such')
  })

  await t.test('a folder with something in it is not removed', async t => {
    await t.rejects(client.send('RMD /cache'), { code: 550 })
    t.ok(await printer.card.get('/cache/old.3mf'))
  })

  await t.test('read-only may fetch and nothing else', async t => {
    const viewer = await openCard(t, service, READ)
    t.equal(brief(await fetched(viewer, '/cache/old.3mf')), brief(CONTENT))
    await t.rejects(viewer.uploadFrom(Readable.from([CONTENT]), '/cache/x.3mf'), { code: 553 })
    await t.rejects(viewer.remove('/cache/old.3mf'), { code: 550 })
    await t.rejects(viewer.send('MKD /x'), { code: 550 })
    await t.rejects(viewer.rename('/cache/old.3mf', '/x.3mf'), { code: 550 })
    t.ok(await printer.card.get('/cache/old.3mf'))
  })

  await t.test('a client that goes in the middle leaves nothing behind', async t => {
    const other = await openCard(t, service)
    const source = new PassThrough()
    source.on('error', () => {})
    const sending = other.uploadFrom(source, '/cache/half.3mf').catch((error: Error) => error)
    source.write(CONTENT)
    await eventually(async () => (await printer.card.get('/cache/half.3mf')) !== undefined)
    other.ftp.socket.destroy()
    t.type(await sending, Error)
    await eventually(async () => (await printer.card.get('/cache/half.3mf')) === undefined)
    t.ok(await fetched(client, '/cache/old.3mf'), 'the card is still served')
  })

  await t.test('a client that drips holds the card for nobody, and its file arrives whole', async t => {
    const slow = await openCard(t, service)
    const source = new PassThrough()
    let isSent = false
    const sending = slow.uploadFrom(source, '/cache/drip.3mf').finally(() => { isSent = true })
    source.write(CONTENT)
    await eventually(async () => (await printer.card.get('/cache/drip.3mf')) !== undefined)
    const dripping = setInterval(() => source.write('drip'), 200)
    t.teardown(() => clearInterval(dripping))
    t.ok((await http('POST', '/api/refresh_sdcard_contents', { printer: 'x1c' })).status === 200, 'the card is listed')
    await client.uploadFrom(Readable.from([CONTENT]), '/cache/other.3mf')
    t.equal(brief(await printer.card.get('/cache/other.3mf')), brief(CONTENT), 'another upload passes')
    t.notOk(isSent, 'while the first still drips')
    t.equal(await printer.card.get('/cache/drip.3mf'), undefined, 'no part of it lies there meanwhile')
    clearInterval(dripping)
    source.end(CONTENT)
    await sending
    const whole = await printer.card.get('/cache/drip.3mf')
    t.equal(brief(whole?.subarray(0, CONTENT.length)), brief(CONTENT))
    t.equal(brief(whole?.subarray(-CONTENT.length)), brief(CONTENT))
    await client.remove('/cache/drip.3mf')
    await client.remove('/cache/other.3mf')
    t.same((await readdir(join(kernel.dataDir, 'uploads'))).filter(name => name.endsWith('.part')), [], 'nothing is left of it here')
  })

  await t.test('two send at once', async t => {
    const other = await openCard(t, service)
    await Promise.all([client, other].map((one, at) => one.uploadFrom(Readable.from([CONTENT]), `/cache/both-${at}.3mf`)))
    t.equal(brief(await printer.card.get('/cache/both-0.3mf')), brief(CONTENT))
    t.equal(brief(await printer.card.get('/cache/both-1.3mf')), brief(CONTENT))
  })

  await t.test('what a job needs stays as it is', async t => {
    const off = kernel.services.files.protect((_session, path) => path === '/cache/old.3mf' ? 'it is being printed' : undefined)
    await t.rejects(client.remove('/cache/old.3mf'), { code: 550 })
    await t.rejects((await openCard(t, service)).uploadFrom(Readable.from(['x']), '/cache/old.3mf'))
    off()
    t.equal(brief(await printer.card.get('/cache/old.3mf')), brief(CONTENT))
  })

  await t.test('wrong codes, the printer\'s own among them, open nothing', async t => {
    await t.rejects(openCard(t, service, REAL), { code: 530 })
    await t.rejects(openCard(t, service, ''), { code: 530 })
  })

  await t.test('what does not fit leaves nothing behind', async t => {
    printer.card.capacity = 1_000
    await t.rejects((await openCard(t, service)).uploadFrom(Readable.from([CONTENT]), '/cache/big.3mf'))
    await eventually(async () => await printer.card.get('/cache/big.3mf') === undefined)
    printer.card.capacity = 1e9
  })

  await t.test('without the printer there are no files', async t => {
    const name = service.name
    await kernel.printers.disconnect(name)
    const lonely = await openCard(t, service)
    await t.rejects(lonely.uploadFrom(Readable.from([CONTENT]), '/cache/x.3mf'), { code: 553 })
    await kernel.printers.connect(name)
    await eventually(() => kernel.printers.get(name)?.live === true)
    t.equal(brief(await fetched(await openCard(t, service), '/cache/old.3mf')), brief(CONTENT))
  })
})

t.test('an upload beyond the uploads folder ends with the answer for a full card, and leaves nothing behind', async t => {
  const service = await relay(t, { config: { plugins: { files: { uploadMiB: 1, uploadsMiB: 1 } } } })
  const client = await openCard(t, service)
  const large = Array.from({ length: 4 }, () => CONTENT)
  await t.rejects(client.uploadFrom(Readable.from(large), '/cache/large.3mf'), { code: 552 })
  await eventually(async () => await service.printer.card.get('/cache/large.3mf') === undefined)
  const partsLeft = async () => (await readdir(join(service.kernel.dataDir, 'uploads'))).filter(name => name.endsWith('.part'))
  await eventually(async () => (await partsLeft()).length === 0)
  const again = await openCard(t, service)
  await again.uploadFrom(Readable.from([CONTENT]), '/cache/small.3mf')
  t.equal(brief(await service.printer.card.get('/cache/small.3mf')), brief(CONTENT), 'the room is free again')
})

t.test('curl sends and fetches', { skip: curl === undefined ? 'curl is not installed (Debian package curl)' : false }, async t => {
  const service = await relay(t)
  const folder = testFolder(t)
  await writeFile(join(folder, 'up'), CONTENT)
  const at = `ftps://127.0.0.1:${service.ports.ftps}/cache/c.3mf`
  const login = ['-sS', '-k', '--ftp-skip-pasv-ip', '-u', `bblp:${FULL}`]
  await run(curl as string, [...login, '-T', join(folder, 'up'), at])
  t.equal(brief(await service.printer.card.get('/cache/c.3mf')), brief(CONTENT))
  await run(curl as string, [...login, '-o', join(folder, 'down'), at])
  t.equal(brief(await readFile(join(folder, 'down'))), brief(CONTENT))
})

t.test('lftp sends and lists', { skip: lftp === undefined ? 'lftp is not installed (Debian package lftp)' : false }, async t => {
  const service = await relay(t)
  const folder = testFolder(t)
  await writeFile(join(folder, 'l.3mf'), CONTENT)
  const { stdout } = await run(lftp as string, ['-c', `set ssl:verify-certificate no; set ftp:fix-pasv-address yes; set net:max-retries 2;
    open -u bblp,${FULL} ftps://127.0.0.1:${service.ports.ftps}; cd /cache; put ${join(folder, 'l.3mf')}; ls`], { timeout: 60_000 })
  t.match(stdout, /700000 .* l\.3mf/)
  t.equal(brief(await service.printer.card.get('/cache/l.3mf')), brief(CONTENT))
})
