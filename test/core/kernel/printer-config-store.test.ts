import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { readConfig } from '../../../core/kernel/config-file.js'
import { removeOrphanedCodes, openPrinterConfigStore } from '../../../core/kernel/printer-config-store.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'

async function opened (t: Test, tree?: object) {
  const folder = testFolder(t)
  const file = join(folder, 'config.json')
  if (tree !== undefined) await writeFile(file, JSON.stringify(tree))
  const warnings: string[] = []
  return {
    folder,
    file,
    warnings,
    book: openPrinterConfigStore(file, join(folder, 'data'), message => warnings.push(message)),
    tree: async () => JSON.parse(await readFile(file, 'utf8')),
    codes: async () => JSON.parse(await readFile(join(folder, 'data', 'secrets', 'printers.json'), 'utf8')).accessCodes
  }
}

const entry = { name: 'one', host: '10.0.0.1', serial: 's1' }

t.test('the first printer makes the file', async t => {
  const { book, tree, codes, file } = await opened(t)
  await book.save(entry, '12345678')
  t.same(await tree(), { printers: [entry] })
  t.same(await codes(), { S1: '12345678' })
  t.equal((await stat(file)).mode & 0o777, 0o600)
})

t.test('everything else in the file stays, in its order', async t => {
  const before = {
    api: { host: '127.0.0.1' },
    printers: [{ name: 'zero', host: 'a', serial: 'S0' }, { ports: { ftps: 1990 }, model: 'P1S', accessCode: 'old', ...entry }],
    plugins: { print: false }
  }
  const { book, tree } = await opened(t, before)
  await book.save({ name: 'One', host: '10.0.0.2', serial: 'S1', ports: { mqtt: 1883 } }, 'new')
  t.same(Object.keys(await tree()), ['api', 'printers', 'plugins'])
  t.same((await tree()).printers[1],
    { ports: { ftps: 1990, mqtt: 1883 }, model: 'P1S', name: 'One', host: '10.0.0.2', serial: 'S1' })
})

t.test('a reference to a code is kept when asked to, and else replaced', async t => {
  const accessCode = { env: 'ONE_CODE' }
  const { book, tree, codes } = await opened(t, { printers: [{ ...entry, accessCode }] })
  await book.save({ ...entry, host: 'b' }, 'resolved', true)
  t.same((await tree()).printers, [{ ...entry, host: 'b', accessCode }])
  await t.rejects(codes(), { code: 'ENOENT' }, 'it is not copied')
  await book.save(entry, 'given')
  t.same((await tree()).printers, [entry])
  t.same(await codes(), { S1: 'given' })
})

t.test('another serial number: its code moves along', async t => {
  const { book, codes } = await opened(t)
  await book.save(entry, 'c')
  await book.save({ ...entry, serial: 'S2' }, 'c', true)
  t.same(await codes(), { S2: 'c' })
})

t.test('a printer that the file has under another name is not stored again', async t => {
  const { book, file } = await opened(t, { printers: [{ ...entry, name: 'by hand' }] })
  const before = await readFile(file, 'utf8')
  const refused = { code: 'PRN_ERR_BAD_INPUT', extra: { field: 'serial', problem: 'serial_taken', other: 'by hand' } }
  await t.rejects(book.save({ ...entry, serial: 'S1' }, 'c'), refused)
  t.equal(await readFile(file, 'utf8'), before)
  const twice = await Promise.allSettled(['a', 'b'].map(async name => await book.save({ ...entry, name, serial: 'S2' }, 'c')))
  t.same(twice.map(({ status }) => status), ['fulfilled', 'rejected'], 'of two at once, the second one is refused')
  await t.resolves(readConfig(file, { env: {} }), 'the next start accepts the file')
})

t.test('erased with its code, unless another printer has that serial number', async t => {
  const { book, file, tree, codes } = await opened(t)
  await book.save(entry, 'c')
  await writeFile(file, JSON.stringify({ printers: [...(await tree()).printers, { ...entry, name: 'two' }] }))
  await book.erase('ONE')
  t.same((await tree()).printers.map(({ name }: { name: string }) => name), ['two'])
  t.same(await codes(), { S1: 'c' })
  await book.erase('nobody')
  await book.erase('two')
  t.same(await codes(), {})
})

t.test('changes at once come one after the other', async t => {
  const { book, tree, codes, file, folder } = await opened(t)
  const other = openPrinterConfigStore(file, join(folder, 'data'), () => {})
  await Promise.all(Array.from({ length: 12 }, (_, at) =>
    (at % 2 === 0 ? book : other).save({ name: `p${at}`, host: 'h', serial: `S${at}` }, `c${at}`)))
  t.equal((await tree()).printers.length, 12)
  t.equal(Object.keys(await codes()).length, 12)
})

t.test('a file that is no configuration is left as it is', async t => {
  const { book, file } = await opened(t)
  await writeFile(file, '{ "printers": [')
  await t.rejects(book.save(entry, 'c'), { code: 'PRN_ERR_CONFIG' })
  await t.rejects(book.erase('one'), { code: 'PRN_ERR_CONFIG' })
  t.equal(await readFile(file, 'utf8'), '{ "printers": [')
  await writeFile(file, '{ "prnters": [] }')
  await t.rejects(book.save(entry, 'c'), { message: /unknown key 'prnters'/ })
})

t.test('killed in the middle, again and again: every printer still has its code', { timeout: 120_000 }, async t => {
  const { file, folder, book } = await opened(t)
  const dataDir = join(folder, 'data')
  await book.save({ name: 'stays', host: 'h', serial: 'STAYS' }, 'code-of-STAYS')
  let before = ''
  for (let round = 0; round < 5; round++) {
    const child = spawn(process.execPath, ['--import=tsx', join(import.meta.dirname, 'printer-config-store-writer.ts'), file, dataDir],
      { stdio: ['ignore', 'pipe', 'inherit'] })
    t.teardown(() => child.kill('SIGKILL'))
    const said: string[] = []
    child.stdout.setEncoding('utf8').on('data', text => said.push(text))
    await eventually(async () => await readFile(file, 'utf8') !== before, 60_000)
    await sleep(round * 13)
    child.kill('SIGKILL')
    await once(child, 'exit')
    t.same(said, [])
    before = await readFile(file, 'utf8')
    const { config } = await readConfig(file, { env: {} })
    const { accessCodes } = JSON.parse(await readFile(join(dataDir, 'secrets', 'printers.json'), 'utf8'))
    for (const { serial } of config.printers) t.equal(accessCodes[serial], `code-of-${serial}`)
    t.ok(config.printers.some(({ name }) => name === 'stays'))
  }
})

t.test('codes of printers that were never written down, or are not any more, are removed at the next start', async t => {
  const { book, codes, file, folder, tree } = await opened(t)
  const data = join(folder, 'data')
  const other = join(folder, 'other.json')
  await book.save(entry, '12345678')
  await openPrinterConfigStore(other, data, () => {}).save({ ...entry, serial: 's2' }, '22222222')
  await t.rejects(book.save({ name: '', host: '', serial: 's3' }, '33333333'), 'stored is the code only')
  t.same(await codes(), { S1: '12345678', S2: '22222222', S3: '33333333' })
  await removeOrphanedCodes(file, data, [], () => {})
  t.same(await codes(), { S1: '12345678', S2: '22222222' }, 'codes of another configuration stay')
  await writeFile(file, JSON.stringify({ ...await tree(), printers: [] }))
  await removeOrphanedCodes(file, data, ['s1'], () => {})
  t.match(await codes(), { S1: '12345678' }, 'the service uses it')
  await removeOrphanedCodes(file, data, [], () => {})
  t.same(await codes(), { S2: '22222222' })
  await writeFile(join(data, 'secrets', 'printers.json'), JSON.stringify({ version: 1, accessCodes: { OLD: '44444444' } }))
  await removeOrphanedCodes(file, data, [], () => {})
  t.same(await codes(), { OLD: '44444444' }, 'it is not known for which configuration')
})
