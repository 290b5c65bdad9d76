// `npm test`: installs and builds when needed, runs every test, and ends with one line of figures.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
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

shapeTap()
const child = spawn(process.execPath, [tap, 'run', '--reporter=tap', ...process.argv.slice(2)],
  { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })

const counts = { passed: 0, failed: 0, skipped: 0 }
const failures = []
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
    if (!result.ok) failures.push({ name, diag: result.diag })
  })
}

const top = new Parser()
watch(top, [])
child.stdout.pipe(top)

child.on('close', code => {
  for (const { name, diag } of failures) {
    console.log(`FAIL ${name}`)
    if (diag) console.log(JSON.stringify(diag, null, 1).split('\n').slice(0, 40).map(line => `     ${line}`).join('\n'))
  }
  for (const skip of skips) console.log(`skip ${skip}`)
  if (code !== 0 && counts.failed === 0) counts.failed = 1 // a crash or a time-out outside any test
  if (counts.skipped > 0) console.log(`${counts.skipped} skipped`)
  console.log(`${counts.passed} passed, ${counts.failed} failed`)
  process.exitCode = counts.failed === 0 ? 0 : 1
})
