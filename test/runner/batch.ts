// Runs the files of tests that the runner names, one after the other, and asks for the next one. The names of their
// tests begin with that of the file, and a comment tells that it is done.
import { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import t, { type Test } from 'tap'

/** How long lines are held back: each one that is written by itself would wait for the runner. */
const HELD_MS = 50

function holdOutput (): void {
  const write = process.stdout.write.bind(process.stdout)
  let held: string[] = []
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (held.length > 0) write(held.join(''))
    held = []
  }
  process.stdout.write = (text: string | Uint8Array, ...rest: unknown[]) => {
    held.push(typeof text === 'string' ? text : Buffer.from(text).toString())
    timer ??= setTimeout(flush, HELD_MS).unref()
    const done = rest.at(-1)
    if (typeof done === 'function') queueMicrotask(() => { done() })
    return true
  }
  process.on('exit', flush)
}

holdOutput()
const add = t.test.bind(t) as (...args: unknown[]) => Promise<unknown>
/** ms */
const timeout = Number(process.env.PRN_TEST_TIMEOUT)

type Work = (t: Test) => unknown

const isOptions = (value: unknown): value is object => typeof value === 'object' && value !== null

/** What a file asks for of the test that all files share, each has for itself. */
async function run (file: string): Promise<void> {
  process.env.PRN_TEST_FILE = file
  const running: Promise<unknown>[] = []
  const beginnings: (() => unknown)[] = []
  const endings: (() => unknown)[] = []
  let begun: Promise<void> | undefined
  async function begin () { for (const work of beginnings) await work() }
  const test = (name: string, ...rest: unknown[]) => {
    const [options, ...more] = isOptions(rest[0]) ? rest : [{}, ...rest]
    const [work] = more as Work[]
    const prepared = async (t: Test) => {
      await (begun ??= begin())
      await work?.(t)
    }
    const done = add(`${file} > ${name}`, { timeout, ...options as object },
      ...(work && beginnings.length > 0 ? [prepared] : more))
    running.push(done)
    return done
  }
  const before = (work: () => unknown) => { beginnings.push(work) }
  const teardown = (end: () => unknown) => { endings.unshift(end) }
  Object.assign(t, { test, before, teardown, jobs: 1, setTimeout () {} }) // the runner ends a file that hangs
  try {
    await import(`../../${file.replace(/\.ts$/, '.js')}`)
    await Promise.all(running)
    for (const end of endings) await end()
  } catch (error) {
    await test('is loaded, and ends', async (t: Test) => t.fail((error as Error).message, { error }))
  }
  t.comment(`done ${file}`)
}

const runner = new Socket({ fd: 4 })
for await (const file of createInterface({ input: runner })) {
  await run(file)
  runner.write('next\n')
}
