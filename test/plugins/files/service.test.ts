import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { ModelName } from '../../../plugins/emulator/index.js'
import { bootFiles } from './boot-files.js'
import { testFolder } from '../../helpers/folder.js'

const CONTENT = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 253))

async function start (t: Test, model: ModelName) {
  const dataDir = testFolder(t)
  const booted = await bootFiles(t, { models: [model], config: { dataDir } })
  const session = booted.kernel.printers.resolve(booted.name)
  await booted.printer.card.put('/cache/a.3mf', CONTENT)
  const { files } = booted.kernel.services
  const downloads = () => files.transfers.list().filter(({ direction }) => direction === 'download').length
  return { ...booted, card: booted.printer.card, session, files, downloads, copies: join(dataDir, 'plugins', 'files', 'copies') }
}

t.test('parts of a file: from the card where it allows that, else from one copy', async t => {
  for (const [model, copies] of [['X1C', 0], ['A1_MINI', 1]] as const) {
    const { files, session, downloads } = await start(t, model)
    const file = await files.open(session, '/cache/a.3mf')
    t.match(file.entry, { path: '/cache/a.3mf', size: 300_000 })
    t.ok((await file.read(299_000, 5000)).equals(CONTENT.subarray(299_000)), 'the end')
    t.ok((await file.read(10, 70_000)).equals(CONTENT.subarray(10, 70_010)), 'the middle')
    t.ok((await file.read(20, 30)).equals(CONTENT.subarray(20, 50)), 'again')
    t.equal((await file.read(300_000, 1)).length, 0)
    await t.rejects(file.read(-1, 1), { code: 'PRN_ERR_BAD_INPUT' })
    await file.close()
    t.equal(downloads(), copies, model)
  }
})

t.test('a copy is made once, shared, and made anew when the file has changed', async t => {
  const { files, session, downloads, card, copies } = await start(t, 'A1_MINI')
  const [one, two] = await Promise.all([files.fetch(session, '/cache/a.3mf'), files.fetch(session, '/cache/a.3mf')])
  t.equal(one, two)
  t.ok((await readFile(one)).equals(CONTENT))
  t.equal(await files.fetch(session, '/cache/a.3mf'), one)
  t.equal(downloads(), 1)
  await card.put('/cache/a.3mf', 'shorter')
  const other = await files.fetch(session, '/cache/a.3mf')
  t.not(other, one)
  t.equal(await readFile(other, 'utf8'), 'shorter')
  t.same((await readdir(copies)).filter(name => name.endsWith('.part')), [])
  await t.rejects(files.fetch(session, '/cache'), { code: 'PRN_ERR_FILE_NOT_FOUND' })
  await t.rejects(files.fetch(session, '/cache/b.3mf'), { code: 'PRN_ERR_FILE_NOT_FOUND' })
})

t.test('a failed copy leaves nothing, and the next call tries again', async t => {
  const { files, session, card, copies } = await start(t, 'A1_MINI')
  card.fault({ command: 'RETR', cutAt: 1000 })
  await t.rejects(files.fetch(session, '/cache/a.3mf'), { code: 'PRN_ERR_CARD_FAILED' })
  t.same(await readdir(copies), [])
  card.clearFaults()
  t.ok((await readFile(await files.fetch(session, '/cache/a.3mf'))).equals(CONTENT))
})

t.test('the cached tree follows what was done through it', async t => {
  const { files, session, card } = await start(t, 'X1C')
  const has = (path: string) => files.cached(session)?.some(entry => entry.path === path)
  t.equal(files.cached(session), undefined)
  t.equal(await files.list(session), await files.list(session), 'listed once')
  await files.rename(session, '/cache', '/kept')
  t.same([has('/cache/a.3mf'), has('/kept/a.3mf')], [false, true])
  t.same(await card.get('/kept/a.3mf'), CONTENT)
  await files.remove(session, '/kept/')
  t.same([has('/kept'), has('/kept/a.3mf')], [false, false])
  await card.put('/late.3mf', 'x')
  t.match(await files.find(session, 'late.3mf'), { path: '/late.3mf' }, 'looked for when it is not known')
  t.equal(await files.find(session, '/never.3mf'), undefined)
})

t.test('folders and files that are named as the other say how to write them', async t => {
  const { files, session, card, copies } = await start(t, 'X1C')
  const said = (message: RegExp) => ({ code: 'PRN_ERR_BAD_INPUT', message })
  const local = join(copies, '..', 'local')
  await writeFile(local, 'x')
  for (const known of [false, true]) {
    if (known) await files.list(session)
    await t.rejects(files.remove(session, '/cache'), said(/is a folder.*with a slash at the end: \/cache\//))
    await t.rejects(files.remove(session, '/cache/a.3mf/'), said(/is a file: .*leave out the slash/))
    await t.rejects(files.upload(session, local, '/cache'), said(/is a folder on the card: name the file in it too/))
    await t.rejects(files.upload(session, local, '/cache/'), said(/ends in a slash, as folders do: name the file in it too/))
  }
  t.ok((await card.files()).includes('/cache/a.3mf'))
})
