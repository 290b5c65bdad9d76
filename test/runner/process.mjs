import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Parser } from 'tap-parser'

/**
 * A test that is not done by then hangs, ms; so does a file, whose process is ended from outside a little later. The
 * longest take two minutes beside others on two slow cores.
 */
const TIMEOUT_MS = 300_000
const KILL_MS = TIMEOUT_MS + 10_000
/** The library bounds all tests of a process together, s; there is no such bound. */
const NEVER_S = 100_000

/**
 * Processes share the cores: threads that help each of them to collect garbage cost more than they bring. So does
 * collecting it from old objects while there are hardly any, MB.
 */
const ENGINE = ['--single-threaded-gc', '--initial-old-space-size=256', '--enable-source-maps']
const PROGRAMS = fileURLToPath(new URL('programs.cjs', import.meta.url))
const DONE = /^# done (.*)/

const nothingOf = name => ({
  name, passed: 0, failed: 0, skips: [], failures: [], empty: [], ms: 0, programs: false, isDone: false
})

/** Notes what happened in a test and in those within it; one that asserts nothing cannot fail, and therefore does. */
function watch (parser, path, seenOf) {
  parser.on('complete', ({ count, ok }) => {
    if (path.length > 0 && count === 0 && ok) seenOf(path).empty.push(path.join(' > '))
  })
  parser.on('child', inner => watch(inner, [...path, inner.name].filter(Boolean), seenOf))
  parser.on('assert', result => {
    const names = [...path, result.name].filter(Boolean)
    const [name, seen] = [names.join(' > '), seenOf(names)]
    if (result.skip) seen.skips.push(`${name}: ${result.skip === true ? 'no reason given' : result.skip}`)
    else if (path.length === 0) seen[result.ok ? 'passed' : 'failed']++
    if (!result.ok && !result.skip) seen.failures.push({ name, diag: result.diag })
  })
}

function failEmpty (seen) {
  for (const name of seen.empty) {
    seen.failures.push({ name, diag: { problem: 'the test asserts nothing' } })
    if (name.split(' > ').length === 2) seen.passed--
    seen.failed++
  }
}

/**
 * Runs files of tests in one process, one after the other.
 * @param take the next file, when the one before is done; undefined ends the process
 * @param folder the compiled tree
 * @param place tells the process from those beside it
 * @param onDone told of each file
 * @returns for each file its figures, and what failed in it; a crash or a time-out outside any test counts as one
 *   failure, as does a file without tests, and each test without an assertion. `programs` says that the file may
 *   depend on programs of the machine.
 */
export function runProcess (take, { folder, cwd, place, onDone }) {
  return new Promise(resolve => {
    const results = []
    const now = () => results.at(-1)
    const named = name => results.find(seen => seen.name === name)
    // Names begin with that of the file, which the process puts there.
    const seenOf = ([first]) => named(first.slice(0, first.indexOf(' > '))) ?? now()
    let began = performance.now()
    const parser = new Parser()
    watch(parser, [], seenOf)
    const timer = setTimeout(() => child.kill('SIGKILL'), KILL_MS)

    function begin () {
      const name = take()
      if (name === undefined) return child.stdio[4].end()
      results.push(nothingOf(name))
      child.stdio[4].write(`${name}\n`)
    }
    /** What it wrote may come later: the library holds its last line back until there is another one. */
    function goOn () {
      now().ms = Math.round(performance.now() - began)
      began = performance.now()
      timer.refresh()
      begin()
    }
    function fail (seen, diag) {
      seen.failed++
      seen.failures.push({ name: seen.name, diag })
    }
    parser.on('comment', text => {
      const seen = named(DONE.exec(text)?.[1])
      if (!seen) return
      failEmpty(seen)
      if (seen.passed + seen.failed + seen.skips.length === 0) fail(seen, { tests: 'none' })
      seen.isDone = true
      if (seen !== now()) onDone(seen) // of the last one the end of the process says more
    })

    const env = {
      ...process.env,
      TAP_TIMEOUT: String(NEVER_S),
      PRN_TEST_TIMEOUT: String(TIMEOUT_MS),
      PRN_TEST_PLACE: String(place),
      PRN_TEST_PIPE: '3'
    }
    const entry = join(folder, 'test', 'runner', 'batch.js')
    const child = spawn(process.execPath, [...ENGINE, '--require', PROGRAMS, entry], {
      cwd, stdio: ['ignore', 'pipe', 'inherit', 'pipe', 'pipe'], env
    })
    const done = new Promise(resolve => parser.once('complete', resolve))
    child.stdout.pipe(parser)
    child.stdio[3].on('data', data => {
      for (const name of String(data).trim().split('\n')) (named(name) ?? now()).programs = true
    })
    child.stdio[4].on('data', goOn)
    child.stdio[4].on('error', () => {}) // its process has crashed, of which its end tells
    child.once('exit', async (exitCode, signal) => {
      clearTimeout(timer)
      // A process it has left behind may hold the pipe open.
      const { ok } = await Promise.race([done, new Promise(resolve => setTimeout(resolve, 2_000, { ok: false }))])
      const diag = { exitCode, signal, plan: ok ? 'complete' : 'not complete' }
      const left = results.filter(({ isDone }) => !isDone)
      for (const seen of left) {
        failEmpty(seen)
        if (seen.failed === 0) fail(seen, diag)
      }
      const last = now()
      if ((!ok || exitCode !== 0) && results.every(({ failed }) => failed === 0)) fail(last, diag)
      for (const seen of new Set([...left, last])) onDone(seen)
      resolve(results)
    })
    begin()
  })
}
