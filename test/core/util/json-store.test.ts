import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { Type } from 'typebox'
import { eventually } from '../../helpers/eventually.js'
import { openJsonStore, privateFolder, writeJson } from '../../../core/util/json-store.js'
import { testFolder } from '../../helpers/folder.js'

const schema = Type.Object({ count: Type.Integer(), name: Type.Optional(Type.String()) })
const initial = { count: 0 }

function place (t: Test, files: Record<string, string> = {}) {
  const folder = testFolder(t, files)
  const path = join(folder, 'store.json')
  const warnings: string[] = []
  const open = () => openJsonStore(path, { schema, initial, warn: text => warnings.push(text) })
  return { folder, path, warnings, open }
}

t.test('without a file the initial document holds, and none is made', async t => {
  const { folder, open } = place(t)
  t.same((await open()).get(), initial)
  t.same(await readdir(folder), [])
})

t.test('what was set is there at once, and in the file when set resolves', async t => {
  const { path, open } = place(t)
  const store = await open()
  const writing = store.set({ count: 1 })
  t.same(store.get(), { count: 1 })
  await writing
  t.equal(await readFile(path, 'utf8'), '{\n  "count": 1\n}\n')
  t.equal((await stat(path)).mode & 0o777, 0o600)
  t.same((await open()).get(), { count: 1 })
})

t.test('sets at the same time never mix: the last one stands', async t => {
  const { folder, path, open } = place(t)
  const store = await open()
  await Promise.all(Array.from({ length: 30 }, (_, at) => store.set({ count: at, name: 'n'.repeat(at * 1_000) })))
  t.equal(JSON.parse(await readFile(path, 'utf8')).count, 29)
  t.same(await readdir(folder), ['store.json'], 'nothing temporary stays')
})

t.test('sets that wait for the one before are written together', async t => {
  const { path, open } = place(t)
  const store = await open()
  const first = store.set({ count: 1 })
  await sleep(0)
  const writes = [store.set({ count: 2 }), store.set({ count: 3 }), store.set({ count: 4 })]
  t.not(writes[0], first, 'the first is under way')
  t.equal(new Set(writes).size, 1)
  await writes[0]
  t.equal(JSON.parse(await readFile(path, 'utf8')).count, 4)
})

t.test('a folder that went meanwhile is made again', async t => {
  const { folder, path, open } = place(t)
  const store = await open()
  await rm(folder, { recursive: true })
  await store.set({ count: 1 })
  t.equal(JSON.parse(await readFile(path, 'utf8')).count, 1)
})

t.test('a set that fails rejects, and the next one is tried all the same', async t => {
  const { folder, path, open } = place(t)
  const store = await open()
  await rm(folder, { recursive: true })
  await writeFile(folder, 'in the way')
  await t.rejects(store.set({ count: 1 }))
  await store.settled()
  await rm(folder)
  await mkdir(folder)
  await store.set({ count: 2 })
  t.match(await readFile(path, 'utf8'), /"count": 2/)
})

t.test('a document that is no JSON is refused, and hinders no other', async t => {
  const { path } = place(t)
  const store = await openJsonStore(path, { schema: Type.Unknown(), initial: {}, warn: () => {}, compact: true })
  await store.set({ good: [1] })
  const circle: Record<string, unknown> = {}
  circle.self = circle
  await Promise.all([t.rejects(store.set(circle), TypeError), store.set({ good: [2] })])
  t.same(store.get(), { good: [2] })
  t.equal(await readFile(path, 'utf8'), '{"good":[2]}\n', 'compact, where wanted')
})

t.test('a damaged file is set aside as it is and told of', async t => {
  for (const [text, reason] of [
    ['{"count": 1', 'line 1, column 12: a comma or the closing bracket is expected'],
    ['', 'line 1, column 1: a value is expected; a comma before it may be one too many'],
    ['\u0000\u0000\u0000', 'line 1, column 1: a value is expected; a comma before it may be one too many'],
    ['{"count": "one"}', 'count must be integer'],
    ['[]', 'it must be object']
  ] as const) {
    const { folder, path, warnings, open } = place(t, { 'store.json': text })
    const store = await open()
    t.same(store.get(), initial)
    const [aside = ''] = await readdir(folder)
    t.match(aside, /^store\.json\.damaged-\d+$/)
    t.equal(await readFile(join(folder, aside), 'utf8'), text)
    t.same(warnings, [`${path} is damaged (${reason}); it was set aside as ${join(folder, aside)} and a new one is begun`])
    await store.set({ count: 5 })
    t.equal((await readdir(folder)).length, 2)
  }
})

t.test('a file that cannot be read is an error, not an empty document', async t => {
  const { path, open } = place(t)
  await mkdir(path)
  await t.rejects(open(), {
    code: 'PRN_ERR_NOT_A_FILE',
    message: `'${path}' is a folder, where a file is expected. ` +
    'Remove it, or put the file itself in its place.'
  })
})

t.test('folders on the way are made for their owner only', async t => {
  const path = join(testFolder(t), 'a', 'b', 'c.json')
  await writeJson(path, [1])
  t.equal(await readFile(path, 'utf8'), '[\n  1\n]\n')
  t.equal((await stat(join(path, '..'))).mode & 0o777, 0o700)
  const folder = await privateFolder(testFolder(t), 'x', 'y')
  t.equal((await stat(folder)).mode & 0o777, 0o700)
})

t.test('settled waits for what is being written', async t => {
  const { path, open } = place(t)
  const store = await open()
  await store.settled()
  void store.set({ count: 3 })
  await store.settled()
  t.match(await readFile(path, 'utf8'), /"count": 3/)
})

t.test('killed in the middle of writing, a good file is left', async t => {
  const { folder, path } = place(t)
  const written: number[] = []
  const count = async () => (JSON.parse(await readFile(path, 'utf8')) as { at: number }).at
  for (let round = 0; round < 2; round++) {
    const child = spawn(process.execPath, ['--import=tsx', join(import.meta.dirname, 'store-writer.ts'), path],
      { stdio: ['ignore', 'pipe', 'inherit'] })
    t.teardown(() => child.kill('SIGKILL'))
    const said: string[] = []
    child.stdout.setEncoding('utf8').on('data', text => said.push(text))
    await eventually(async () => await count() > (written.at(-1) ?? 0), 60_000)
    await sleep(round * 7)
    child.kill('SIGKILL')
    await once(child, 'exit')
    t.same(said, [], 'the file it found was good')
    const { at, filling } = JSON.parse(await readFile(path, 'utf8')) as { at: number, filling: string }
    t.equal(filling.length, 100_000)
    written.push(at)
  }
  t.ok(written.every((at, round) => at > (written[round - 1] ?? 0)), `each round went on where the last stopped: ${written.join(', ')}`)
  t.notOk((await readdir(folder)).some(name => name.includes('damaged')))
})
