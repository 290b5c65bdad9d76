// Runs files of tests one after the other. The names of their tests begin with that of the file, and a comment tells
// that it is done.
import t, { type Test } from 'tap'

const add = t.test.bind(t) as (...args: unknown[]) => Promise<unknown>

/** What a file asks for of the test that all files share, each has for itself. */
async function run (file: string): Promise<void> {
  process.env.PRN_TEST_FILE = file
  const running: Promise<unknown>[] = []
  const endings: (() => unknown)[] = []
  const test = (name: string, ...rest: unknown[]) => {
    const done = add(`${file} > ${name}`, ...rest)
    running.push(done)
    return done
  }
  Object.assign(t, { test, teardown: (end: () => unknown) => { endings.unshift(end) } })
  try {
    await import(`../../${file.replace(/\.ts$/, '.js')}`)
    await Promise.all(running)
    for (const end of endings) await end()
  } catch (error) {
    await test('is loaded, and ends', async (t: Test) => t.fail((error as Error).message, { error }))
  }
  t.comment(`done ${file}`)
}

// Not as arguments: the test library makes names of folders of these.
for (const file of process.env.PRN_TEST_FILES?.split('\n') ?? []) await run(file)
