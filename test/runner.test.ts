import { join } from 'node:path'
import t, { type Test } from 'tap'

interface Outcome {
  readonly passed: number
  readonly failed: number
  readonly failures: readonly { readonly name: string }[]
}
type RunFile = (name: string, args: readonly string[], cwd: string, place: number) => Promise<Outcome>

const ROOT = join(import.meta.dirname, '..')
const { runFile } = await import(join(ROOT, 'test', 'runner', 'file.mjs')) as { runFile: RunFile }

/** Runs a file of tests; it lies in the repository, where the packages are found. */
const outcomeOf = async (t: Test, lines: readonly string[]) => {
  const folder = t.testdir({ 'file.mjs': ["import t from 'tap'", ...lines].join('\n') })
  const { passed, failed, failures } = await runFile('file', [join(folder, 'file.mjs')], ROOT, 99)
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
