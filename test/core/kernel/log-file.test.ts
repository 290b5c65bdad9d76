import { existsSync, symlinkSync } from 'node:fs'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { openLogFile } from '../../../core/kernel/log-file.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'

const FULL = '/dev/full'
const line = (at: number) => `${String(at).padStart(99, '.')}\n`

t.test('the log rotates: no more than two files of the size that is allowed', async t => {
  const folder = testFolder(t)
  const path = join(folder, 'prnd.log')
  const file = openLogFile(path, { mostBytes: 1_000, warn: message => t.fail(message) })
  for (let at = 0; at < 100; at++) file.write(line(at))
  await file.close()
  t.same((await readdir(folder)).sort(), ['prnd.log', 'prnd.log.1'])
  await eventually(async () => (await stat(`${path}.1`)).size > 1_000)
  for (const name of [path, `${path}.1`]) t.ok((await stat(name)).size <= 1_100)
  const text = await readFile(`${path}.1`, 'utf8') + await readFile(path, 'utf8')
  t.ok(text.endsWith(line(99)))
  const numbers = text.trimEnd().split('\n').map(each => Number(each.replaceAll('.', '')))
  t.same(numbers, Array.from(numbers, (_, at) => 100 - numbers.length + at), 'nothing is lost between the two')
})

t.test('a file that is too large already rotates at once', async t => {
  const path = join(testFolder(t, { 'prnd.log': 'x'.repeat(2_000) }), 'prnd.log')
  const file = openLogFile(path, { mostBytes: 1_000, warn: message => t.fail(message) })
  file.write('new\n')
  await file.close()
  t.equal(await readFile(path, 'utf8'), 'new\n')
  t.equal((await stat(`${path}.1`)).size, 2_000)
})

t.test('after a full disk the log comes back', { skip: existsSync(FULL) ? false : 'needs /dev/full' }, async t => {
  const path = join(testFolder(t), 'prnd.log')
  symlinkSync(FULL, path)
  const said: string[] = []
  const file = openLogFile(path, { retryMs: 0, warn: message => said.push(message) })
  t.teardown(() => file.close())
  file.write('1\n')
  await eventually(() => said.length === 1)
  t.match(said[0], /the log file cannot be written: .*no space/i)
  file.write('2\n')
  await rm(path)
  await eventually(async () => {
    file.write('3\n')
    return await readFile(path, 'utf8').then(text => text.includes('3\n'), () => false)
  })
  await eventually(() => said.length === 2)
  t.match(said[1], /can be written again; \d+ lines are missing/)
})

t.test('a folder that is in the way is told once, and waited for', async t => {
  const folder = testFolder(t, { logs: 'a file' })
  const path = join(folder, 'logs', 'prnd.log')
  const said: string[] = []
  const file = openLogFile(path, { retryMs: 0, warn: message => said.push(message) })
  for (let at = 0; at < 5; at++) file.write('lost\n')
  t.equal(said.length, 1)
  await rm(join(folder, 'logs'))
  file.write('kept\n')
  await file.close()
  t.equal(await readFile(path, 'utf8'), 'kept\n')
  await writeFile(path, '')
})
