import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Parser } from 'tap-parser'

/** A file that is not done by then hangs, s. */
const TIMEOUT_S = 120
/** After that long without the end of a file the process is ended from outside, ms. */
const KILL_MS = (TIMEOUT_S + 10) * 1000

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
 * @param folder the compiled tree
 * @param place tells the process from those beside it
 * @param onDone told of each file
 * @returns for each file its figures, and what failed in it; a crash or a time-out outside any test counts as one
 *   failure, as does a file without tests, and each test without an assertion. `programs` says that the file may
 *   depend on programs of the machine.
 */
export function runProcess (files, { folder, cwd, place, onDone }) {
  return new Promise(resolve => {
    const all = new Map(files.map(name => [name, nothingOf(name)]))
    const now = () => [...all.values()].find(({ isDone }) => !isDone) ?? all.get(files.at(-1))
    // Names begin with that of the file, which the process puts there.
    const seenOf = ([first]) => all.get(first.slice(0, first.indexOf(' > '))) ?? now()
    let began = performance.now()
    const parser = new Parser()
    watch(parser, [], seenOf)
    const timer = setTimeout(() => child.kill('SIGKILL'), KILL_MS)

    function end (seen) {
      seen.ms = Math.round(performance.now() - began)
      began = performance.now()
      timer.refresh()
      failEmpty(seen)
      const none = seen.passed + seen.failed + seen.skips.length === 0
      if (seen.failed === 0 && none) fail(seen, { tests: 'none' })
      seen.isDone = true
    }
    function fail (seen, diag) {
      seen.failed++
      seen.failures.push({ name: seen.name, diag })
    }
    parser.on('comment', text => {
      const seen = all.get(DONE.exec(text)?.[1])
      if (!seen) return
      end(seen)
      if (now() !== seen) onDone(seen) // of the last one the end of the process says more
    })

    const env = {
      ...process.env,
      TAP_TIMEOUT: String(TIMEOUT_S * files.length),
      PRN_TEST_FILES: files.join('\n'),
      PRN_TEST_PLACE: String(place),
      PRN_TEST_PIPE: '3'
    }
    const entry = join(folder, 'test', 'runner', 'batch.js')
    const child = spawn(process.execPath, ['--enable-source-maps', '--require', PROGRAMS, entry], {
      cwd, stdio: ['ignore', 'pipe', 'inherit', 'pipe'], env
    })
    const done = new Promise(resolve => parser.once('complete', resolve))
    child.stdout.pipe(parser)
    child.stdio[3].on('data', data => {
      for (const name of String(data).trim().split('\n')) (all.get(name) ?? now()).programs = true
    })
    child.once('exit', async (exitCode, signal) => {
      clearTimeout(timer)
      // A process it has left behind may hold the pipe open.
      const { ok } = await Promise.race([done, new Promise(resolve => setTimeout(resolve, 2_000, { ok: false }))])
      const results = [...all.values()]
      const left = results.filter(({ isDone }) => !isDone)
      for (const seen of left) end(seen)
      const last = results.at(-1)
      if ((!ok || exitCode !== 0) && results.every(({ failed }) => failed === 0)) {
        for (const seen of left.length > 0 ? left : [last]) {
          fail(seen, { exitCode, signal, plan: ok ? 'complete' : 'not complete' })
        }
      }
      for (const seen of new Set([...left, last])) onDone(seen)
      resolve(results)
    })
  })
}
