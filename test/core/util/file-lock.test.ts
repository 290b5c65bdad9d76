import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, readdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { hostname, uptime } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { withFileLock } from '../../../core/util/file-lock.js'
import { ownIdentity } from '../../../core/util/process-identity.js'
import { testFolder } from '../../helpers/folder.js'

const HELD_MS = 150

function place (t: Test) {
  const folder = testFolder(t)
  const path = join(folder, 'config.json')
  const lock = `${path}.lock`
  return { folder, path, lock, left: (text: string) => writeFile(lock, text) }
}

/** A process that takes the file and keeps it until it is killed. */
async function holder (t: Test, path: string) {
  const child = spawn(process.execPath, ['--import=tsx', join(import.meta.dirname, 'file-lock-holder.ts'), path],
    { stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

const before = (ms: number) => (Date.now() - ms) / 1000

t.test('work on one file is done one after the other, and nothing is left beside it', async t => {
  const { path, folder } = place(t)
  let inside = 0
  let most = 0
  const work = async () => {
    most = Math.max(most, ++inside)
    await sleep(2)
    inside--
  }
  await Promise.all(Array.from({ length: 10 }, () => withFileLock(path, work)))
  t.equal(most, 1)
  t.same(await readdir(folder), [])
})

t.test('a failure is handed on and lets go', async t => {
  const { path, folder } = place(t)
  await t.rejects(withFileLock(path, async () => { throw new Error('no') }), { message: 'no' })
  t.equal(await withFileLock(path, async () => 'yes'), 'yes')
  t.same(await readdir(folder), [])
})

t.test('the folder is made; one that cannot be is an error', async t => {
  const { folder, left, lock } = place(t)
  t.equal(await withFileLock(join(folder, 'a', 'b.json'), async () => 1), 1)
  await left('a file')
  await t.rejects(withFileLock(join(lock, 'b.json'), async () => 1), { code: /ENOTDIR|EEXIST/ })
})

t.test('a file has one lock by whatever links it is reached', async t => {
  const { folder, path, lock } = place(t)
  await writeFile(path, '{}')
  await symlink(path, join(folder, 'link.json'))
  await symlink(folder, join(folder, 'link'))
  for (const name of ['link.json', 'link/config.json', 'link/link.json']) {
    await withFileLock(join(folder, name), async () => {
      t.equal((await readFile(lock, 'utf8')).split(' ')[0], String(process.pid), name)
    })
  }
})

t.test('another process that holds it is waited for, and taken for gone when it is', { timeout: 60_000 }, async t => {
  const { path, lock, folder } = place(t)
  const child = await holder(t, path)
  t.match(await readFile(lock, 'utf8'), new RegExp(`^${child.pid} `))
  let isOver = false
  setTimeout(() => { isOver = true }, HELD_MS / 2)
  await t.rejects(withFileLock(path, async () => 1, HELD_MS), {
    code: 'PRN_ERR_FILE_LOCKED',
    message: `${path} is being changed by another process. Try again; if no other prnd is running, delete ${lock}.`
  })
  t.ok(isOver, 'it was waited for')
  let entered = false
  const waiting = withFileLock(path, async () => { entered = true })
  await sleep(HELD_MS)
  t.notOk(entered)
  child.kill('SIGKILL')
  await waiting
  t.ok(entered)
  t.same(await readdir(folder), [])
})

t.test('one that was left by the same number before this start', async t => {
  const { path, lock, left } = place(t)
  const mine = `${process.pid} ${hostname()} x`
  await left(mine)
  await t.rejects(withFileLock(path, async () => 1, HELD_MS), { code: 'PRN_ERR_FILE_LOCKED' })
  const hourAgo = before(3_600_000)
  await utimes(lock, hourAgo, hourAgo)
  t.equal(await withFileLock(path, async () => 1), 1)
})

t.test('one of another machine, or of a container that is gone, is taken away after an hour', async t => {
  const { path, lock, left } = place(t)
  await left('1234567 elsewhere x')
  await utimes(lock, before(3_500_000), before(3_500_000))
  await t.rejects(withFileLock(path, async () => 1, HELD_MS), { code: 'PRN_ERR_FILE_LOCKED' })
  t.equal(await readFile(lock, 'utf8'), '1234567 elsewhere x')
  await utimes(lock, before(3_700_000), before(3_700_000))
  t.equal(await withFileLock(path, async () => 1, HELD_MS), 1)
})

t.test('one that was left is not taken for that of another program with its number', async t => {
  const { path, lock, left } = place(t)
  const other = String(process.ppid) // runs, and holds nothing
  const { realm } = ownIdentity()
  await left([other, hostname(), 'x', 'another-start', encodeURIComponent(realm)].join(' '))
  t.equal(await withFileLock(path, async () => 1, HELD_MS), 1, 'the number was given again')
  await left(`${other} ${hostname()} x`) // as an earlier version wrote it
  await t.rejects(withFileLock(path, async () => 1, HELD_MS), { code: 'PRN_ERR_FILE_LOCKED' })
  const start = before((uptime() + 60) * 1000)
  await utimes(lock, start, start)
  t.equal(await withFileLock(path, async () => 1, HELD_MS), 1, 'the machine was started since')
})

t.test('an empty one may be about to be written, and is a left-over later', async t => {
  const { path, lock, left } = place(t)
  await left('')
  await t.rejects(withFileLock(path, async () => 1, HELD_MS), { code: 'PRN_ERR_FILE_LOCKED' })
  await utimes(lock, before(10_000), before(10_000))
  t.equal(await withFileLock(path, async () => 1, HELD_MS), 1)
})

t.test('who crashed while clearing up does not stop the next one for ever', async t => {
  const { path, lock, left, folder } = place(t)
  const child = await holder(t, path)
  child.kill('SIGKILL')
  await once(child, 'exit')
  await left(await readFile(lock, 'utf8'))
  await writeFile(`${lock}.clearing`, '')
  await t.rejects(withFileLock(path, async () => 1, HELD_MS), { code: 'PRN_ERR_FILE_LOCKED' })
  await utimes(`${lock}.clearing`, before(10_000), before(10_000))
  t.equal(await withFileLock(path, async () => 1), 1)
  t.same(await readdir(folder), [])
})

t.test('a left-over is cleared by one of many, again and again', { timeout: 120_000 }, async t => {
  const { path, folder } = place(t)
  await writeFile(path, '0')
  const gone = spawn(process.execPath, ['-e', ''])
  await once(gone, 'exit')
  const counters = Array.from({ length: 4 }, () => spawn(process.execPath,
    ['--import=tsx', join(import.meta.dirname, 'file-lock-counter.ts'), path, String(gone.pid)], { stdio: 'inherit' }))
  for (const child of counters) t.teardown(() => child.kill('SIGKILL'))
  await Promise.all(counters.map(async child => t.same(await once(child, 'exit'), [0, null])))
  t.equal(await readFile(path, 'utf8'), '200')
  t.same(await readdir(folder), ['config.json'])
})
