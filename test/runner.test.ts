import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { PROJECT, testFolder } from './helpers/folder.js'

interface Outcome {
  readonly passed: number
  readonly failed: number
  readonly failures: readonly { readonly name: string }[]
  readonly programs: boolean
}
interface Where {
  readonly folder: string
  readonly cwd: string
  readonly place: number
  readonly onDone: (outcome: Outcome) => void
}
type RunProcess = (take: () => string | undefined, where: Where) => Promise<readonly Outcome[]>

const ROOT = join(import.meta.dirname, '..')
const { runProcess } = await import(join(ROOT, 'test', 'runner', 'process.mjs')) as { runProcess: RunProcess }
/** Of this very file as it runs: what runs files of tests is beside it. */
const BATCH = join(dirname(fileURLToPath(import.meta.url)), 'runner', 'batch.js')

/** Runs files of tests in one process; they lie in the repository, where the packages are found. */
async function ranTogether (t: Test, files: Readonly<Record<string, readonly string[]>>) {
  const texts = Object.entries(files).map(([name, lines]) => [name.replace('.ts', '.js'), ["import t from 'tap'", ...lines].join('\n')])
  const folder = testFolder(t, {
    'package.json': '{ "type": "module" }',
    ...Object.fromEntries(texts),
    test: { runner: { 'batch.js': await readFile(BATCH, 'utf8') } }
  }, PROJECT)
  const told: Outcome[] = []
  const onDone = (outcome: Outcome) => { told.push(outcome) }
  const names = Object.keys(files)
  const outcomes = await runProcess(() => names.shift(), { folder, cwd: ROOT, place: 99, onDone })
  t.same(told, outcomes, 'each is told once, in order')
  return outcomes
}

const ran = async (t: Test, lines: readonly string[]): Promise<Outcome> => {
  const [outcome] = await ranTogether(t, { 'file.ts': lines })
  if (!outcome) throw new Error('there is no outcome')
  return outcome
}

const outcomeOf = async (t: Test, lines: readonly string[]) => {
  const { passed, failed, failures } = await ran(t, lines)
  return [passed, failed, failures.map(({ name }) => name)]
}

t.test('what asserts passes', async t => {
  t.same(await outcomeOf(t, ["t.test('one', async t => { await t.test('inner', async t => t.pass()) })"]), [1, 0, []])
})

t.test('a test that asserts nothing fails, also one within another', async t => {
  t.same(await outcomeOf(t, [
    "t.test('nothing', async t => t.comment('x'))",
    "t.test('outer', async t => { t.ok(true); await t.test('inner', async () => {}) })",
    "t.test('skipped', { skip: 'a reason' }, async () => {})"
  ]), [1, 2, ['file.ts > nothing', 'file.ts > outer > inner']])
})

t.test('a file without tests fails, and one that ends with an error', async t => {
  t.same(await outcomeOf(t, []), [0, 1, ['file.ts']])
  t.match(await outcomeOf(t, ["t.test('one', async t => t.pass())", "throw new Error('late')"]), [1, Number])
})

t.test('files that share a process are told apart, and what one leaves at the end is done before the next', async t => {
  const [first, second, third] = await ranTogether(t, {
    'one.ts': [
      't.teardown(() => { globalThis.ended = true })',
      "t.test('a', async t => { await new Promise(resolve => setTimeout(resolve, 5)); t.ok(true) })"
    ],
    'two.ts': ["t.test('b', async t => { t.ok(globalThis.ended); t.ok(process.env.PATH) })", "t.test('c', async t => t.fail('no'))"],
    'three.ts': ["t.test('d', async t => { t.pass() })", 'process.exit(7)']
  })
  t.match(first, { passed: 1, failed: 0, programs: false })
  t.match(second, { passed: 1, failed: 1, failures: [{ name: 'two.ts > c > no' }, { name: 'two.ts > c' }], programs: true })
  t.match(third, { failed: 1, failures: [{ name: 'three.ts' }] })
})

t.test('what a file does before its tests, and how many at once, is its own', async t => {
  const [one, two] = await ranTogether(t, {
    'one.ts': [
      't.jobs = 2',
      't.before(async () => { await null; globalThis.before = (globalThis.before ?? 0) + 1 })',
      "t.test('a', async t => { t.equal(globalThis.before, 1) })",
      "t.test('b', async t => { t.equal(globalThis.before, 1) })"
    ],
    'two.ts': ["t.test('c', async t => { t.equal(globalThis.before, 1); t.equal(t.parent?.jobs ?? 1, 1) })"]
  })
  t.match([one, two], [{ passed: 2, failed: 0 }, { passed: 1, failed: 0 }])
  const [bad] = await ranTogether(t, { 'bad.ts': ["t.before(async () => { throw new Error('no') })", "t.test('a', async t => { t.pass() })"] })
  t.match(bad, { passed: 0, failed: 1 })
})

t.test('an error that nobody caught is told of the test that began it', async t => {
  const folder = testFolder(t, {
    'script.mjs': `
    import { AsyncResource } from 'node:async_hooks'
    import { readFile } from 'node:fs'
    import { connect, createServer } from 'node:net'
    import { Domain } from ${JSON.stringify(pathToFileURL(join(dirname(BATCH), 'async-domain.js')).href)}
    const heard = []
    /** As the library begins a test. */
    const within = (name, work) => new AsyncResource(name).runInAsyncScope(() => {
      const domain = new Domain(error => { heard.push(name + ': ' + error.message) })
      work(domain)
    })
    const fail = message => () => { throw new Error(message) }
    within('a', () => setTimeout(fail('timer'), 5))
    within('b', () => { void (async () => { await null; fail('rejection')() })() })
    within('c', () => readFile('/', fail('file')))
    within('outer', () => within('inner', domain => { domain.destroy(); setTimeout(fail('late'), 5) }))
    within('outer', () => within('inner', () => { setTimeout(fail('timer'), 5) }))
    within('server', () => {
      const server = createServer(socket => { socket.on('data', fail('socket')).on('close', () => server.close()) })
      server.listen(0, '127.0.0.1', () => within('client', () => {
        const socket = connect(server.address().port, '127.0.0.1', () => socket.write('x'))
        setTimeout(() => socket.destroy(), 100)
      }))
    })
    within('patient', () => within('bad', () => { new Domain(fail('worse')); setTimeout(fail('bad'), 5) }))
    process.on('exit', () => console.log(JSON.stringify(heard.sort())))
  `
  })
  const run = promisify(execFile)
  const { stdout } = await run(process.execPath, [join(folder, 'script.mjs')])
  t.same(JSON.parse(stdout), ['a: timer', 'b: rejection', 'bad: worse', 'c: file', 'inner: timer', 'outer: late', 'server: socket'])
  const outside = testFolder(t, {
    'script.mjs': `
    import { Domain } from ${JSON.stringify(pathToFileURL(join(dirname(BATCH), 'async-domain.js')).href)}
    setTimeout(() => new Domain(() => {}), 1)
    setTimeout(() => { throw new Error('of nobody') }, 20)
  `
  })
  await t.rejects(run(process.execPath, [join(outside, 'script.mjs')]), { code: 1, stderr: /of nobody/ })
})

t.test('a file that hangs does not take the others with it: those before it have passed', async t => {
  const [first, second] = await ranTogether(t, {
    'one.ts': ["t.test('a', async t => { t.ok(true) })"],
    'two.ts': ["t.test('b', async t => { t.ok(true) })", "setTimeout(() => process.kill(process.pid, 'SIGKILL'), 200)", 'await new Promise(() => {})']
  })
  t.match(first, { passed: 1, failed: 0 })
  t.match(second, { failed: 1, failures: [{ name: 'two.ts', diag: { signal: 'SIGKILL' } }] })
})

t.test('what crashes after a test of another file has failed is told, too', async t => {
  const [first, second] = await ranTogether(t, {
    'one.ts': ["t.test('a', async t => { t.fail('no') })"],
    'two.ts': ["t.test('b', async t => { t.ok(true) })", "process.kill(process.pid, 'SIGKILL')"]
  })
  t.match(first, { passed: 0, failed: 1 })
  t.match(second, { failed: 1, failures: [{ name: 'two.ts', diag: { signal: 'SIGKILL' } }] })
})

t.test('a file that starts a process, or looks at the PATH, may depend on programs', async t => {
  const programs = async (line: string) =>
    (await ran(t, ["import { spawn, execFileSync } from 'node:child_process'", `t.test('one', async t => { ${line} })`])).programs
  t.equal(await programs('t.pass(process.env.HOME)'), false)
  t.equal(await programs("process.env.OWN = '1'; t.equal(process.env.OWN, '1')"), false)
  t.equal(await programs('t.ok(process.env.PATH)'), true)
  t.equal(await programs("t.ok(execFileSync(process.execPath, ['-v']))"), true)
  t.equal(await programs("spawn(process.execPath, ['-v']).once('exit', () => {}); t.pass()"), true)
})

t.test('files that took longest are first after those that nobody knows', async t => {
  const { openRecord } = await import(join(ROOT, 'test', 'runner', 'record.mjs'))
  const root = testFolder(t, { node_modules: { '.cache': {} } })
  const record = openRecord(root)
  record.note({ name: 'short', ms: 1, programs: false })
  record.note({ name: 'long', ms: 2, programs: true, failed: 0 })
  record.note({ name: 'long', ms: 0, programs: true, failed: 1 })
  record.note({ name: 'b', ms: 3, programs: true, failed: 1 })
  record.save()
  const again = openRecord(root)
  t.same(again.longestFirst(['short', 'a', 'long', 'b']), ['a', 'b', 'long', 'short'])
  t.same(['short', 'long', 'a'].filter(again.mayUsePrograms), ['long', 'a'])
})

t.test('processes are begun while there is room', async t => {
  const { keepBusy, createIdleMeter } = await import(join(ROOT, 'test', 'runner', 'pace.mjs'))
  const runs = async (idle: () => number) => {
    let [left, running, most] = [20, 0, 0]
    const places: number[] = []
    await keepBusy(() => left > 0, async (place: number) => {
      left--
      most = Math.max(most, ++running)
      places.push(place)
      await new Promise(resolve => setTimeout(resolve, 40))
      running--
    }, { fewest: 2, most: 4, idle, tickMs: 1 })
    return { left, most, places: new Set(places) }
  }
  t.same(await runs(() => 0.5), { left: 0, most: 4, places: new Set([0, 1, 2, 3]) })
  t.same(await runs(() => 0), { left: 0, most: 2, places: new Set([0, 1]) }, 'never fewer than that')
  const processors = [[10, 90], [15, 95], [15, 95]].map(([idle, user]) => [{ times: { idle, user } }])
  const share = createIdleMeter(() => processors.shift())
  t.same([share(), share()], [0.5, 0])
})

t.test('lines of the bundle are told as lines of their sources', async t => {
  const { build } = await import('esbuild')
  const { createPositions } = await import(join(ROOT, 'test', 'runner', 'positions.mjs'))
  const folder = testFolder(t, { 'one.ts': 'type A = string\n\nexport const fail = (a: A) => { throw new Error(a) }\n' })
  const outfile = join(folder, 'bundle.cjs')
  await build({ entryPoints: [join(folder, 'one.ts')], bundle: true, format: 'cjs', platform: 'node', outfile, sourcemap: 'external' })
  const { fail } = await import(outfile) as { fail: (a: string) => never }
  try {
    fail('x')
  } catch (error) {
    t.match(createPositions(`${outfile}.map`, folder)((error as Error).stack), /at fail \(one\.ts:3:39\)/)
  }
})
