import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { lockFolder, readServiceFile } from '../../../core/kernel/folder-lock.js'
import { isAlive, ownIdentity } from '../../../core/util/process-identity.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { findProgram } from '../../helpers/programs.js'

const { signal } = new AbortController()
const HELD = { code: 'PRN_ERR_FOLDER_IN_USE' }
const KEY = 'k'.repeat(64)
const prlimit = findProgram('prlimit')
const withoutLimits = prlimit === undefined ? 'needs prlimit' : false

/** Leaves what a service that was killed leaves. */
async function leave (dataDir: string, mark: object): Promise<string> {
  const path = join(dataDir, 'service.json')
  await writeFile(path, JSON.stringify({ process: { ...ownIdentity(), ...mark }, key: KEY, port: 4000 }))
  return path
}

async function endedPid (t: Test): Promise<number> {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  t.ok(child.pid)
  return child.pid ?? 0
}

t.test('one service at a time uses a data folder', async t => {
  const dataDir = testFolder(t)
  const first = await lockFolder(dataDir, signal)
  await first.announce(4711)
  await t.rejects(lockFolder(dataDir, signal), { ...HELD, message: new RegExp(`process ${process.pid}, on port 4711.*PRN_DATA_DIR`) })
  t.match(await readServiceFile(dataDir), { key: first.key, port: 4711 }, 'and the first one keeps it')
  t.equal((await stat(join(dataDir, 'service.json'))).mode & 0o777, 0o600, 'its key is nobody else\'s')
  await first.release()
  t.equal(await readServiceFile(dataDir), undefined)
  const second = await lockFolder(dataDir, signal)
  t.not(second.key, first.key)
  await second.release()
})

t.test('of two that begin at the same moment one comes first', async t => {
  const dataDir = testFolder(t)
  await leave(dataDir, { pid: await endedPid(t) })
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => lockFolder(dataDir, signal)))
  const taken = outcomes.flatMap(outcome => outcome.status === 'fulfilled' ? [outcome.value] : [])
  t.equal(taken.length, 1)
  await taken[0]?.release()
})

t.test('what a killed service left is taken over', async t => {
  for (const [what, mark] of Object.entries({
    'its process is gone': { pid: await endedPid(t) },
    'its number belongs to another process now': { started: '1' }
  })) {
    const dataDir = testFolder(t)
    await leave(dataDir, mark)
    const lock = await lockFolder(dataDir, signal)
    t.equal((await readServiceFile(dataDir))?.key, lock.key, what)
    await lock.release()
  }
})

t.test('a damaged file is in nobody\'s way', async t => {
  const dataDir = testFolder(t)
  await writeFile(join(dataDir, 'service.json'), '{"process":')
  const lock = await lockFolder(dataDir, signal)
  t.equal((await readServiceFile(dataDir))?.key, lock.key)
  await lock.release()
})

t.test('a process of another container counts as ended once it is silent', async t => {
  const dataDir = testFolder(t)
  const path = await leave(dataDir, { realm: 'another container' })
  const times = { touchMs: 20, silentMs: 3_000 }
  const alive = lockFolder(dataDir, signal, times)
  let at = Date.now() / 1000
  const touching = setInterval(() => { void utimes(path, ++at, at) }, 50)
  await t.rejects(alive, HELD, 'it is touched')
  clearInterval(touching)
  await eventually(() => utimes(path, 1, 1).then(() => true))
  const lock = await lockFolder(dataDir, signal, times)
  const { mtimeMs } = await stat(path)
  await eventually(async () => (await stat(path)).mtimeMs > mtimeMs)
  t.match(JSON.parse(await readFile(path, 'utf8')), { key: lock.key }, 'and the new one is touched in turn')
  await lock.release()
})

t.test('the wait for another container ends with the signal', async t => {
  const dataDir = testFolder(t)
  await leave(dataDir, { realm: 'another container' })
  const controller = new AbortController()
  const waiting = lockFolder(dataDir, controller.signal)
  controller.abort()
  await t.rejects(waiting)
})

t.test('a disk without room keeps no service from starting, and the lock is stored once there is some', { skip: withoutLimits }, async t => {
  for (const mark of [{ pid: await endedPid(t) }, { realm: 'before the machine was started again' }]) {
    const dataDir = testFolder(t)
    await utimes(await leave(dataDir, mark), 1, 1)
    await writeFile(join(dataDir, 'instance.json'), JSON.stringify({ id: 'ours' }))
    const node = [process.execPath, '--import=tsx', join(import.meta.dirname, 'lock-without-room.ts'), dataDir]
    const child = spawn(prlimit ?? '', ['--fsize=0:unlimited', ...node], { stdio: ['ignore', 'pipe', 'inherit'] })
    t.teardown(() => child.kill('SIGKILL'))
    let said = ''
    child.stdout.setEncoding('utf8').on('data', text => { said += text })
    await eventually(() => said !== '', 60_000)
    t.equal(said, 'false ours\n')
    t.match(await readServiceFile(dataDir), { port: 4000 }, 'the file of the other one is still there')
    execFileSync(prlimit ?? '', ['--fsize=unlimited', '--pid', String(child.pid)])
    await eventually(() => said.endsWith('released\n'), 60_000)
    t.equal(await readServiceFile(dataDir), undefined)
  }
})

t.test('processes are told apart', async t => {
  t.equal(isAlive(ownIdentity()), true)
  t.equal(isAlive({ ...ownIdentity(), pid: await endedPid(t) }), false)
  t.equal(isAlive({ ...ownIdentity(), realm: 'elsewhere' }), undefined)
  t.equal(isAlive({ ...ownIdentity(), started: '' }), undefined)
})
