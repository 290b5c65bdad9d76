import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Parser } from 'tap-parser'

/** A file that is not done by then hangs, s. */
const TIMEOUT_S = 120
/** After that long it is ended from outside, ms. */
const KILL_MS = (TIMEOUT_S + 10) * 1000

const PROGRAMS = fileURLToPath(new URL('programs.cjs', import.meta.url))

/** Notes what happened in a test and in those within it; one that asserts nothing cannot fail, and therefore does. */
function watch (parser, path, seen) {
  parser.on('complete', ({ count, ok }) => {
    if (path.length > 1 && count === 0 && ok) seen.empty.push(path)
  })
  parser.on('child', inner => watch(inner, [...path, inner.name].filter(Boolean), seen))
  parser.on('assert', result => {
    const name = [...path, result.name].filter(Boolean).join(' > ')
    if (result.skip) seen.skips.push(`${name}: ${result.skip === true ? 'no reason given' : result.skip}`)
    else if (path.length === 1) seen[result.ok ? 'passed' : 'failed']++
    if (!result.ok && !result.skip) seen.failures.push({ name, diag: result.diag })
  })
}

/**
 * Runs one file of tests.
 * @param place tells it from those beside it
 * @returns its figures, and what failed in it; a crash or a time-out outside any test counts as one failure, as does
 *   a file without tests, and each test without an assertion. `programs` says that it may depend on programs of the
 *   machine.
 */
export function runFile (name, args, cwd, place) {
  return new Promise(resolve => {
    const seen = { name, passed: 0, failed: 0, skips: [], failures: [], empty: [], ms: 0, programs: false }
    const began = performance.now()
    const parser = new Parser()
    watch(parser, [name], seen)
    const env = { ...process.env, TAP_TIMEOUT: String(TIMEOUT_S), PRN_TEST_PLACE: String(place), PRN_TEST_PIPE: '3' }
    const child = spawn(process.execPath, ['--enable-source-maps', '--require', PROGRAMS, ...args], {
      cwd, stdio: ['ignore', 'pipe', 'inherit', 'pipe'], env
    })
    const timer = setTimeout(() => child.kill('SIGKILL'), KILL_MS)
    const done = new Promise(resolve => parser.once('complete', resolve))
    child.stdout.pipe(parser)
    child.stdio[3].once('data', () => { seen.programs = true })
    child.once('exit', async (code, signal) => {
      clearTimeout(timer)
      // A process it has left behind may hold the pipe open.
      const { ok } = await Promise.race([done, new Promise(resolve => setTimeout(resolve, 2_000, { ok: false }))])
      seen.ms = Math.round(performance.now() - began)
      for (const path of seen.empty) {
        seen.failures.push({ name: path.join(' > '), diag: { problem: 'the test asserts nothing' } })
        if (path.length === 2) seen.passed--
        seen.failed++
      }
      const empty = seen.passed + seen.failed + seen.skips.length === 0
      if ((!ok || code !== 0 || empty) && seen.failed === 0) {
        seen.failed = 1
        seen.failures.push({ name, diag: { exitCode: code, signal, plan: ok ? 'complete' : 'not complete', ...(empty && { tests: 'none' }) } })
      }
      resolve(seen)
    })
  })
}
