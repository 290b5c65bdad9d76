// `npm test`: installs and builds when needed, runs every test, and ends with one line of figures.
// With PRN_TEST=brief the longest files are left out, by name: continuous integration has two cores and a limit.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { dirname, join } from 'node:path'
import { prepare } from '../presets/cli/prepare.mjs'

await prepare()
const { Parser } = await import('tap-parser')

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const tap = join(root, 'node_modules', 'tap', 'dist', 'esm', 'run.mjs')

/**
 * As it is installed, tap compiles each test with a plugin of its own that we do without. It notices, but only
 * once the first run has begun, which then takes several times as long.
 */
function shapeTap () {
  const built = join(root, 'node_modules', '@tapjs', 'test', 'test-built', 'dist', 'esm', 'index.js')
  if (existsSync(built) && !readFileSync(built, 'utf8').includes('@tapjs/typescript')) return
  spawnSync(process.execPath, [tap, 'build'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Each takes a minute or more of two cores; what they try is tried in smaller steps elsewhere. */
const LONG = [
  'contract/files-faults', 'hardening/fuzz', 'health/evaluate', 'outside/broken', 'outside/types',
  'plugins/camera/faults', 'plugins/camera/page', 'plugins/charts/browser', 'plugins/emulator/camera-rtsps',
  'plugins/health/pictures', 'plugins/socketio/socket', 'presets/cli/doctor', 'presets/cli/manage', 'presets/cli/plugins',
  'presets/cli/printers'
].map(name => `test/${name}.test.ts`)

/** What to run: the files named on the command line, else all, or all that are not long. */
function filesToRun () {
  const named = process.argv.slice(2)
  if (named.length > 0 || process.env.PRN_TEST !== 'brief') return named
  for (const file of LONG) console.log(`skip ${file}: long, and left out of a brief run`)
  return readdirSync(join(root, 'test'), { recursive: true }).map(path => `test/${path.replaceAll('\\', '/')}`)
    .filter(path => path.endsWith('.test.ts') && !LONG.includes(path)).sort()
}

shapeTap()
const child = spawn(process.execPath, [tap, 'run', '--reporter=tap', ...filesToRun()],
  { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })

const counts = { passed: 0, failed: 0, skipped: 0 }
const failures = []
const failedFiles = []
const skips = []
let files = 0

/** Depth 0 is a file, depth 1 a test in it; only what fails below is of interest. */
function watch (parser, path) {
  parser.on('child', inner => watch(inner, [...path, inner.name].filter(Boolean)))
  parser.on('assert', result => {
    const name = [...path, result.name].filter(Boolean).join(' > ')
    if (path.length === 0) console.log(`${result.ok ? 'ok  ' : 'FAIL'} ${result.name} ${Math.round(result.time ?? 0)} ms (${++files})`)
    if (result.skip) {
      counts.skipped++
      skips.push(`${name}: ${result.skip === true ? 'no reason given' : result.skip}`)
    } else if (path.length === 1) counts[result.ok ? 'passed' : 'failed']++
    if (path.length === 0 && !result.ok) failedFiles.push(result.name)
    if (!result.ok) failures.push({ name, diag: result.diag })
  })
}

const top = new Parser()
watch(top, [])
child.stdout.pipe(top)

const MOST_TRIED_AGAIN = 3

/** A file that failed beside many others is tried once more alone: on two cores a wait may have been too short. */
function passAlone (names) {
  if (names.length === 0 || names.length > MOST_TRIED_AGAIN) return false
  for (const name of names) console.log(`again, alone: ${name}`)
  const { status } = spawnSync(process.execPath, [tap, 'run', '--reporter=tap', '--jobs=1', ...names],
    { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status === 0) console.log('passed alone; what failed beside the others is above')
  return status === 0
}

child.on('close', code => {
  for (const { name, diag } of failures) {
    console.log(`FAIL ${name}`)
    if (diag) console.log(JSON.stringify(diag, null, 1).split('\n').slice(0, 40).map(line => `     ${line}`).join('\n'))
  }
  for (const skip of skips) console.log(`skip ${skip}`)
  if (code !== 0 && counts.failed === 0) counts.failed = 1 // a crash or a time-out outside any test
  if (counts.failed > 0 && passAlone(failedFiles)) {
    counts.passed += counts.failed
    counts.failed = 0
  }
  if (counts.skipped > 0) console.log(`${counts.skipped} skipped`)
  console.log(`${counts.passed} passed, ${counts.failed} failed`)
  process.exitCode = counts.failed === 0 ? 0 : 1
})
