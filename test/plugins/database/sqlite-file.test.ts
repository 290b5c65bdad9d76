import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { openSqliteFile } from '../../../plugins/database/sqlite-file.js'
import { testFolder } from '../../helpers/folder.js'

const open = async (t: Test, statementMs?: number) => {
  const file = await openSqliteFile({ file: join(testFolder(t), 'test.sqlite'), pragmas: [] }, statementMs)
  t.teardown(() => file.close())
  return file
}

/** So many rows are counted in about a second. */
const counted = (rows: number) =>
  `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows}) select count(*) as rows from n`

t.test('rows and bytes go in and out; a failure has the code of SQLite, and the file works on', async t => {
  const file = await open(t)
  await file.run('create table boxes (id integer primary key, what blob)', [])
  t.match(await file.run('insert into boxes (what) values (?)', [Buffer.from('ab')]), { changes: 1, lastId: 1 })
  const { rows } = await file.run('select id, what from boxes where id = ?', [1])
  t.same(rows?.map(row => Buffer.from((row as { what: Uint8Array }).what).toString()), ['ab'])
  await t.rejects(file.run('select * from crates', []), { message: /no such table/, code: 'SQLITE_ERROR' })
  t.same((await file.run('select count(*) as n from boxes', [])).rows, [{ n: 1 }])
})

t.test('others go on while a statement takes its time', async t => {
  const file = await open(t)
  let turns = 0
  const turning = setInterval(() => { turns++ }, 1)
  const { rows } = await file.run(counted(3_000_000), [])
  clearInterval(turning)
  t.same(rows, [{ rows: 3_000_000 }])
  t.ok(turns > 10, 'the main thread took turns meanwhile')
})

t.test('a statement that does not end is given up, and so is what waits behind it', async t => {
  const file = await open(t, 50)
  const gone = { code: 'SQLITE_GONE', message: /more than 0.05 s/ }
  await Promise.all([
    t.rejects(file.run(counted(8_000_000), []), gone),
    t.rejects(file.run('select 1', []), gone)
  ])
  await t.rejects(file.run('select 1', []), gone, 'whoever comes later is told at once')
})

t.test('what cannot be opened says so', async t => {
  await t.rejects(openSqliteFile({ file: join(testFolder(t), 'no', 'such', 'folder.sqlite'), pragmas: [] }), /./)
})

t.test('a file that is closed takes nothing more, what was said before is in it, and files are open side by side', async t => {
  const folder = testFolder(t)
  const openIn = (name: string) => openSqliteFile({ file: join(folder, name), pragmas: [] })
  for (const name of ['a.sqlite', 'a.sqlite', 'b.sqlite']) {
    const [file, other] = await Promise.all([openIn(name), openIn('other.sqlite')])
    await other.run('create table if not exists others (n)', [])
    const before = [file.run('create table if not exists boxes (n)', []), file.run('insert into boxes values (1)', [])]
    t.equal(file.close(), file.close(), 'the thread hears it once')
    await file.close()
    await Promise.all(before)
    await t.rejects(file.run('select 1', []), { code: 'SQLITE_GONE', message: /closed/ })
    t.same((await other.run('select name from sqlite_master', [])).rows, [{ name: 'others' }])
    await other.close()
    await file.close()
  }
  const again = await openIn('a.sqlite')
  t.teardown(again.close)
  t.same((await again.run('select count(*) as n from boxes', [])).rows, [{ n: 2 }])
})

t.test('a file that could not be opened does not spoil the next one', async t => {
  const bad = { file: join(testFolder(t), 'test.sqlite'), pragmas: ['no_pragma = )'] }
  await t.rejects(openSqliteFile(bad), { code: 'SQLITE_ERROR' })
  t.same((await (await open(t)).run('select 1 as n', [])).rows, [{ n: 1 }])
})

/** Runs a program that has `openSqliteFile` and `path`. */
async function runProgram (folder: string, lines: string): Promise<void> {
  const module = new URL('../../../plugins/database/sqlite-file.js', import.meta.url)
  await writeFile(join(folder, 'program.mjs'), `
    const { openSqliteFile } = await import(${JSON.stringify(module.href)})
    const path = ${JSON.stringify(join(folder, 'test.sqlite'))}
    ${lines}`)
  await promisify(execFile)(process.execPath, [join(folder, 'program.mjs')], { timeout: 30_000 })
}

t.test('a process whose files are closed ends by itself', async t => {
  await t.resolves(runProgram(testFolder(t), `
    const file = await openSqliteFile({ file: path, pragmas: [] })
    await file.run('select 1', [])
    const closing = file.close()
    const late = await file.run('select 1', []).catch(error => error)
    if (late.code !== 'SQLITE_GONE') throw new Error('what comes late is told so')
    await closing`))
})

t.test('a process that exits meanwhile lets the statement end', async t => {
  await t.rejects(runProgram(testFolder(t), `
    const file = await openSqliteFile({ file: path, pragmas: [] })
    file.run(${JSON.stringify(counted(1_000_000))}, []).catch(() => {})
    for (let more = 0; more < 100; more++) file.run('select 1', []).catch(() => {})
    setTimeout(() => process.exit(7), 20)`), { code: 7, signal: null })
})
