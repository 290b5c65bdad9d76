import { join } from 'node:path'
import t, { type Test } from 'tap'

interface Outcome {
  readonly passed: number
  readonly failed: number
  readonly failures: readonly { readonly name: string }[]
  readonly programs: boolean
}
type RunFile = (name: string, args: readonly string[], cwd: string, place: number) => Promise<Outcome>

const ROOT = join(import.meta.dirname, '..')
const { runFile } = await import(join(ROOT, 'test', 'runner', 'file.mjs')) as { runFile: RunFile }

/** Runs a file of tests; it lies in the repository, where the packages are found. */
const ran = async (t: Test, lines: readonly string[]) => {
  const folder = t.testdir({ 'file.mjs': ["import t from 'tap'", ...lines].join('\n') })
  return await runFile('file', [join(folder, 'file.mjs')], ROOT, 99)
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
  ]), [1, 2, ['file > nothing', 'file > outer > inner']])
})

t.test('a file without tests fails, and one that ends with an error', async t => {
  t.same(await outcomeOf(t, []), [0, 1, ['file']])
  t.match(await outcomeOf(t, ["t.test('one', async t => t.pass())", "throw new Error('late')"]), [1, Number])
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
  const root = t.testdir({ node_modules: { '.cache': {} } })
  const record = openRecord(root)
  record.note({ name: 'short', ms: 1, programs: false })
  record.note({ name: 'long', ms: 2, programs: true })
  record.save()
  const again = openRecord(root)
  t.same(again.longestFirst(['short', 'a', 'long', 'b']), ['a', 'b', 'long', 'short'])
  t.same(['short', 'long', 'a'].filter(again.mayUsePrograms), ['long', 'a'])
})

t.test('lines of the bundle are told as lines of their sources', async t => {
  const { build } = await import('esbuild')
  const { createPositions } = await import(join(ROOT, 'test', 'runner', 'positions.mjs'))
  const folder = t.testdir({ 'one.ts': 'type A = string\n\nexport const fail = (a: A) => { throw new Error(a) }\n' })
  const outfile = join(folder, 'bundle.cjs')
  await build({ entryPoints: [join(folder, 'one.ts')], bundle: true, format: 'cjs', platform: 'node', outfile, sourcemap: 'external' })
  const { fail } = await import(outfile) as { fail: (a: string) => never }
  try {
    fail('x')
  } catch (error) {
    t.match(createPositions(`${outfile}.map`, folder)((error as Error).stack), /at fail \(one\.ts:3:39\)/)
  }
})
