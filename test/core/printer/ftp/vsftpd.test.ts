import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { giveAway, NO_VSFTPD, startVsftpd, VSFTPD_USER } from '../../../helpers/vsftpd.js'
import { eventually } from '../../../helpers/eventually.js'
import { CODE, openCard, QUICK, SERIAL } from './server.js'
import { testFolder } from '../../../helpers/folder.js'

async function digest (path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
  t.test(`the server of most printers, ${maxVersion}, sessions resumed`, { skip: NO_VSFTPD }, async t => {
    const { port, fingerprint, root, log } = await startVsftpd(t, SERIAL, CODE)
    const { card, end } = openCard(port, fingerprint, { user: VSFTPD_USER, maxVersion })
    t.teardown(end)
    const folder = testFolder(t)
    const [up, down] = [join(folder, 'up'), join(folder, 'down')]
    await writeFile(up, Buffer.from(Array.from({ length: 3_000_000 }, (_, at) => (at * 7919) >> 3 & 255)))
    await card.upload(up, '/sd/ein Teil ü.gcode.3mf')
    t.equal(await digest(join(root, 'ein Teil ü.gcode.3mf')), await digest(up), 'stored as it was')
    await card.download('/sd/ein Teil ü.gcode.3mf', () => createWriteStream(down))
    t.equal(await digest(down), await digest(up), 'fetched as it was')
    t.equal(await card.allowsRanges(), true)
    t.equal((await card.read('/sd/ein Teil ü.gcode.3mf', 1_000_000, 4096)).length, 4096)
    t.equal((await card.read('/sd/ein Teil ü.gcode.3mf', 2_999_000, 4096)).length, 1000)
    await card.makeFolder('/sd/x/[y] z*/ä'.replace('*', ''))
    await card.rename('/sd/ein Teil ü.gcode.3mf', '/sd/x/[y] z/ä/b.3mf')
    t.ok((await card.list()).some(({ path, size }) => path === '/sd/x/[y] z/ä/b.3mf' && size === 3_000_000))
    await writeFile(join(root, 'x', '.hidden'), 'not listed')
    await giveAway(join(root, 'x', '.hidden'))
    await card.removeFolder('/sd/x')
    t.same(await readdir(root), [])
    await t.rejects(card.remove('/sd/nothing'), { code: 'not_found' })
    await card.upload(up, '/sd/new/ones/a.3mf')
    t.equal(await digest(join(root, 'new', 'ones', 'a.3mf')), await digest(up), 'missing folders are made')
    t.notMatch(await log(), /"522[ -]/)
  })
}

t.test('a thousand files in folders, and a wrong code', { skip: NO_VSFTPD }, async t => {
  const { port, fingerprint, root } = await startVsftpd(t, SERIAL, CODE)
  const { card, end } = openCard(port, fingerprint, { user: VSFTPD_USER })
  const wrong = openCard(port, fingerprint, { user: VSFTPD_USER }, { accessCode: 'wrong' })
  t.teardown(async () => { await end(); await wrong.end() })
  for (let at = 0; at < 20; at++) {
    const folder = join(root, `folder ${at}`, 'deeper')
    await mkdir(folder, { recursive: true })
    await Promise.all(Array.from({ length: 50 }, (_, nth) => writeFile(join(folder, `part ${nth}.gcode.3mf`), 'x')))
  }
  const items = await card.list()
  t.equal(items.filter(({ isFolder }) => !isFolder).length, 1000)
  t.equal(new Set(items.map(({ path }) => path)).size, items.length)
  await t.rejects(wrong.card.list(), { code: 'access_code_rejected' })
})

t.test('what is refused is told by what is there', { skip: NO_VSFTPD }, async t => {
  const { port, fingerprint, root } = await startVsftpd(t, SERIAL, CODE)
  const { card, end } = openCard(port, fingerprint, { user: VSFTPD_USER })
  t.teardown(end)
  const up = join(testFolder(t, { up: 'abc' }), 'up')
  await card.upload(up, '/sd/jobs/a.3mf')
  await t.rejects(card.remove('/sd/jobs'), { code: 'is_folder', message: /name it with a slash at the end: \/sd\/jobs\/$/ })
  await t.rejects(card.removeFolder('/sd/jobs/a.3mf'), { code: 'is_file', message: /leave out the slash at the end/ })
  await t.rejects(card.makeFolder('/sd/jobs/a.3mf'), { code: 'is_file', message: '/sd/jobs/a.3mf is a file on the card, so there can be no folder of that name' })
  await t.rejects(card.makeFolder('/sd/jobs/a.3mf/deeper'), { code: 'is_file' })
  await t.rejects(card.upload(up, '/sd/jobs'), { code: 'is_folder' })
  await t.rejects(card.upload(up, '/sd/jobs/a.3mf/b.3mf'), { code: 'is_file' })
  await t.rejects(card.rename('/sd/jobs/a.3mf', '/sd/none/a.3mf'), { code: 'no_folder', message: /^There is no folder \/sd\/none\/ on the card/ })
  await t.rejects(card.rename('/sd/nothing', '/sd/b.3mf'), { code: 'not_found' })
  t.same(await readdir(root, { recursive: true }), ['jobs', 'jobs/a.3mf'], 'all is as it was')
})

t.test('names that begin with a dot are listed, and odd names can be fetched', { skip: NO_VSFTPD }, async t => {
  const { port, fingerprint, root } = await startVsftpd(t, SERIAL, CODE)
  const { card, end } = openCard(port, fingerprint, { user: VSFTPD_USER })
  t.teardown(end)
  const folder = testFolder(t, { up: 'abc' })
  await card.upload(join(folder, 'up'), '/sd/.hidden/.part.3mf')
  t.same((await card.list()).map(({ path }) => path), ['/sd', '/sd/.hidden', '/sd/.hidden/.part.3mf'])
  const odd = 'so "a" : *?.3mf'
  await writeFile(join(root, odd), 'odd')
  await giveAway(join(root, odd))
  await card.download(`/sd/${odd}`, () => createWriteStream(join(folder, 'down')))
  t.equal(await readFile(join(folder, 'down'), 'utf8'), 'odd')
})

t.test('a server that takes one client is waited for', { skip: NO_VSFTPD }, async t => {
  const { port, fingerprint } = await startVsftpd(t, SERIAL, CODE, { max_clients: '1' })
  const first = openCard(port, fingerprint, { user: VSFTPD_USER, timeouts: { ...QUICK, idleMs: 60_000 } })
  const second = openCard(port, fingerprint, { user: VSFTPD_USER })
  t.teardown(async () => { await first.end(); await second.end() })
  await first.card.list()
  await t.rejects(second.card.list(), { code: 'too_many_clients', message: /421 There are too many connected users.*Tried 3 times\.$/ })
  await first.end()
  await eventually(async () => await second.card.list().then(() => true, () => false))
})

t.test('a large upload goes in pieces', { skip: NO_VSFTPD }, async t => {
  const { port, fingerprint, root } = await startVsftpd(t, SERIAL, CODE)
  const { card, end } = openCard(port, fingerprint, { user: VSFTPD_USER })
  t.teardown(end)
  const up = join(testFolder(t), 'big')
  const file = await open(up, 'w')
  await file.truncate(300 * 1024 ** 2)
  await file.close()
  await card.list()
  const told: number[] = []
  await card.upload(up, '/sd/big.3mf', { onProgress: ({ bytes }) => { told.push(bytes) } })
  t.equal((await stat(join(root, 'big.3mf'))).size, 300 * 1024 ** 2)
  t.ok(new Set(told).size > 2, `it went in pieces: ${told.length}`)
})
