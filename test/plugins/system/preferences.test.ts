import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { boot } from '../../helpers/boot-features.js'

const FILE = 'user_prefs.json'
const start = (t: Test, dataDir: string, warnings: string[] = []) =>
  boot(t, { models: [], config: { dataDir }, dependencies: { logEcho: sink(warnings) } })
/** A folder that outlives the kernels of a test. */
async function folder (t: Test, content?: string): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'prnd-preferences-'))
  t.teardown(() => rm(path, { recursive: true, force: true }))
  if (content !== undefined) await writeFile(join(path, FILE), content)
  return path
}
const sink = (lines: string[]) => ({ write: (line: string) => lines.push(line) }) as unknown as NodeJS.WritableStream

t.test('values keep their JSON types, over HTTP and tools alike', async t => {
  const { http, tool } = await start(t, await folder(t))
  const values = {
    on: true,
    off: false,
    zero: 0,
    half: 0.5,
    text: '',
    words: 'a b',
    list: [1, 'x', null],
    deep: { a: { b: [] } },
    none: null
  }
  for (const [key, value] of Object.entries(values)) {
    t.same((await http('POST', '/api/user_prefs', { printer: 'any', key, value })).body, { success: true })
    t.same((await http('GET', '/api/user_prefs', { printer: 'any', key })).body, { key: `any:${key}`, value })
    t.same((await tool('get_user_pref', { name: 'any', key })).value, { key: `any:${key}`, value })
  }
  const stored = await tool('set_user_pref', { name: 'any', key: 'on', value: 'now a text' })
  t.same(stored.value, { key: 'any:on', value: 'now a text' })
  t.same((await http('GET', '/api/user_prefs', { printer: 'any', key: 'on' })).body.value, 'now a text')
  t.same((await http('GET', '/api/user_prefs', { printer: 'any', key: 'unknown' })).body.value, null)
  t.same((await http('GET', '/api/user_prefs', { printer: 'other', key: 'zero' })).body.value, null, 'each has its own')
})

t.test('what comes as text stays text', async t => {
  const { kernel } = await start(t, await folder(t))
  for (const request of [
    { url: '/api/user_prefs?printer=p&key=k&value=5' },
    {
      url: '/api/user_prefs',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'printer=p&key=k&value=true'
    }
  ]) {
    await kernel.app.inject({ method: 'POST', ...request })
    t.type((await kernel.app.inject('/api/user_prefs?printer=p&key=k')).json().value, 'string')
  }
})

const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown

t.test('values are limited in depth and size, and what is refused hinders no other', async t => {
  const path = await folder(t)
  const { http, kernel } = await start(t, path)
  const store = (key: string, value: unknown) => http('POST', '/api/user_prefs', { printer: 'p', key, value })
  const deepest = await kernel.app.inject({
    method: 'POST',
    url: '/api/user_prefs?printer=p&key=deep',
    headers: { 'content-type': 'application/json' },
    payload: `{"value":${'['.repeat(14_000)}${']'.repeat(14_000)}}`
  })
  t.equal(deepest.statusCode, 400)
  for (const [value, reason] of [
    [nested(1_000), /nested more than 64 levels deep/],
    [nested(40), /nested 16 levels deep/],
    ['x'.repeat(20_000), /16384 bytes/],
    [Array.from({ length: 10_000 }, (_, at) => at), /16384 bytes/]
  ] as const) {
    t.match(await store('large', value), { status: 400, body: { error: 'bad_input', reason } })
    t.match(await store('small', 'ok'), { status: 200 }, 'writes go on')
  }
  t.match(await store('k'.repeat(300), 1), { status: 400, body: { reason: /200 characters/ } })
  t.same((await http('GET', '/api/user_prefs', { printer: 'p', key: 'large' })).body.value, null)
  t.match(await store('deep', nested(16)), { status: 200 })
  t.equal(await readFile(join(path, FILE), 'utf8'), `{"p:small":"ok","p:deep":${JSON.stringify(nested(16))}}\n`, 'compact')
})

t.test('preferences are limited in number; null makes room', async t => {
  const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`p:${at}`, at]))
  const { http } = await start(t, await folder(t, JSON.stringify(many)))
  const store = (key: string, value: unknown) => http('POST', '/api/user_prefs', { printer: 'p', key, value })
  t.match(await store('one more', 1), { status: 400, body: { reason: /2000 preferences.*null/ } })
  t.match(await store('5', 'another value'), { status: 200 })
  t.match(await store('6', null), { status: 200 })
  t.same((await http('GET', '/api/user_prefs', { printer: 'p', key: '6' })).body.value, null)
  t.match(await store('one more', 1), { status: 200 })
})

t.test('what an earlier version kept beyond the limits is removed and told of', async t => {
  const text = '['.repeat(14_000) + ']'.repeat(14_000)
  const warnings: string[] = []
  const { http } = await start(t, await folder(t, `{"p:deep":${text},"p:good":1}`), warnings)
  t.match(warnings.join(), /1 preferences are too large and are removed: p:deep/)
  t.same((await http('GET', '/api/user_prefs', { printer: 'p', key: 'good' })).body.value, 1)
  t.match(await http('POST', '/api/user_prefs', { printer: 'p', key: 'new', value: 2 }), { status: 200 })
})

t.test('names and keys are texts like any other', async t => {
  const { http } = await start(t, await folder(t))
  for (const [printer, key] of [
    ['a:b', 'c'], ['a', 'b:c'], ['__proto__', 'x'], ['ü & ?', 'a/b'], ['constructor', 'name']
  ] as const) {
    await http('POST', '/api/user_prefs', { printer, key, value: key })
    t.same((await http('GET', '/api/user_prefs', { printer, key })).body, { key: `${printer}:${key}`, value: key })
  }
  t.same((await http('GET', '/api/user_prefs', { printer: 'to', key: 'String' })).body.value, null)
})

t.test('they are kept in a private file that is never half written', async t => {
  const dataDir = await folder(t)
  const { http, kernel } = await start(t, dataDir)
  await Promise.all(Array.from({ length: 50 }, (_, n) =>
    http('POST', '/api/user_prefs', { printer: 'p', key: `k${n}`, value: n })))
  const path = join(dataDir, FILE)
  const written = JSON.parse(await readFile(path, 'utf8')) as Record<string, number>
  t.equal(Object.keys(written).length, 50, 'none of many at once is lost')
  t.equal(written['p:k49'], 49)
  t.equal((await stat(path)).mode & 0o777, 0o600)
  t.same((await readdir(dataDir)).filter(name => name.startsWith(FILE)), [FILE], 'nothing is left beside it')
  t.equal(kernel.services.system.preferences.get()['p:k0'], 0)
})

t.test('a reader never sees half a file, whenever the writer is killed', async t => {
  const dataDir = await folder(t)
  const { http } = await start(t, dataDir)
  const path = join(dataDir, FILE)
  await http('POST', '/api/user_prefs', { printer: 'p', key: 'first', value: 1 })
  const over = new AbortController()
  const writes = Promise.all(Array.from({ length: 30 }, (_, n) =>
    http('POST', '/api/user_prefs', { printer: 'p', key: `k${n}`, value: 'x'.repeat(15_000) })))
  const reads: unknown[] = []
  const reading = (async () => {
    while (!over.signal.aborted) reads.push(JSON.parse(await readFile(path, 'utf8'))['p:first'])
  })()
  await writes
  over.abort()
  await reading
  t.ok(reads.length > 3, `${reads.length} reads in between`)
  t.ok(reads.every(value => value === 1))
})

t.test('they are there again after a restart', async t => {
  const dataDir = await folder(t)
  const first = await start(t, dataDir)
  await first.http('POST', '/api/user_prefs', { printer: 'p', key: 'k', value: { kept: [true] } })
  await first.kernel.close()
  const { http } = await start(t, dataDir)
  t.same((await http('GET', '/api/user_prefs', { printer: 'p', key: 'k' })).body.value, { kept: [true] })
})

t.test('a damaged file is set aside, told of, and never fatal', async t => {
  for (const damage of ['', '{"a":', '[1]', '"text"', 'null', '\u0000\u0001']) {
    const dataDir = await folder(t, damage)
    const lines: string[] = []
    const { http } = await start(t, dataDir, lines)
    t.same((await http('GET', '/api/user_prefs', { printer: 'p', key: 'k' })).body.value, null)
    const aside = (await readdir(dataDir)).filter(name => name.startsWith(`${FILE}.damaged-`))
    t.equal(aside.length, 1, damage)
    t.equal(await readFile(join(dataDir, aside[0] ?? ''), 'utf8'), damage, 'as it was')
    t.ok(lines.some(line => line.includes('is damaged') && line.includes(aside[0] ?? '?')), 'the operator is told')
    await http('POST', '/api/user_prefs', { printer: 'p', key: 'k', value: 1 })
    t.same(JSON.parse(await readFile(join(dataDir, FILE), 'utf8')), { 'p:k': 1 })
  }
})

t.test('what is missing is told', async t => {
  const { http } = await start(t, await folder(t))
  for (const params of [{}, { printer: 'p' }, { key: 'k' }, { printer: '', key: 'k' }]) {
    t.match((await http('GET', '/api/user_prefs', params)),
      { status: 400, body: { reason: 'printer and key are required' } })
    t.match((await http('POST', '/api/user_prefs', { value: 1, ...params })),
      { status: 400, body: { reason: 'printer, key, and value are required' } })
  }
  t.match((await http('POST', '/api/user_prefs', { printer: 'p', key: 'k' })), { status: 400 })
})

t.test('a file that others may read is made private by the next write', async t => {
  const dataDir = await folder(t, '{"p:old":true}')
  const path = join(dataDir, FILE)
  await chmod(path, 0o644)
  const { http } = await start(t, dataDir)
  t.same((await http('GET', '/api/user_prefs', { printer: 'p', key: 'old' })).body.value, true)
  await http('POST', '/api/user_prefs', { printer: 'p', key: 'new', value: 1 })
  t.equal((await stat(path)).mode & 0o777, 0o600)
})
