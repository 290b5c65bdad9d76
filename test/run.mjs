// `npm test [files]`: installs and builds when needed, runs every test, and ends with one line of figures. With
// `--programs` it leaves out the files that started no process in the last run: what they say is the same on any PATH.
import { readFileSync, readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { prepare } from '../presets/cli/prepare.mjs'

await prepare()
const { compile } = await import('./runner/compile.mjs')
const { runProcess } = await import('./runner/process.mjs')
const { createPositions } = await import('./runner/positions.mjs')
const { openRecord } = await import('./runner/record.mjs')
const { keepBusy } = await import('./runner/pace.mjs')
const { useMemory } = await import('./runner/memory-folder.mjs')

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const CORES = availableParallelism()
const AT_ONCE = { fewest: CORES, most: Math.min(12, 4 * CORES) }

useMemory()
const record = openRecord(root)
const named = process.argv.slice(2).filter(argument => !argument.startsWith('--'))
const all = named.length > 0
  ? named
  : readdirSync(join(root, 'test'), { recursive: true }).map(path => `test/${path.replaceAll('\\', '/')}`)
    .filter(path => path.endsWith('.test.ts')).sort()
const files = process.argv.includes('--programs') ? all.filter(record.mayUsePrograms) : all

/** So many files take longer than making a bundle; figures of what ran are asked for by source. */
const MANY = 12
const bundled = files.length >= MANY && process.env.NODE_V8_COVERAGE === undefined
const folder = await compile(root, { bundled })

/** What changes the process as a whole, or all tests of a file, has a process of its own. */
const ALONE = /^t\.(?!(test|teardown|setTimeout|before)\(|jobs = )|\bprocess\.(env|on|once|exit|chdir|umask|title)\b/m
const isAlone = name => !bundled || ALONE.test(readFileSync(join(root, name), 'utf8'))
/** A process costs a second before its first test, and grows with every file. */
const TOGETHER = 24

const alone = new Set(files.filter(isAlone))
// Those first: only a new process can take one, so that they would be left for the end.
const waiting = record.longestFirst(files).sort((a, b) => alone.has(b) - alone.has(a))

/** Hands out files to one process: the longest, and others after it if it may share a process. */
function createTake () {
  const taken = []
  return () => {
    const isOver = alone.has(taken[0]) || taken.length === TOGETHER
    const at = isOver ? -1 : waiting.findIndex(name => taken.length === 0 || !alone.has(name))
    if (at < 0) return undefined
    taken.push(...waiting.splice(at, 1))
    return taken.at(-1)
  }
}

let count = 0
function onDone (result) {
  console.log(`${result.failed === 0 ? 'ok  ' : 'FAIL'} ${result.name} ${result.ms} ms (${++count})`)
  record.note(result)
}

async function runAll () {
  const results = []
  const run = async place => {
    results.push(...await runProcess(createTake(), { folder, cwd: root, place, onDone }))
  }
  await keepBusy(() => waiting.length > 0, run, AT_ONCE)
  return results
}

/** Lines of the test library's own. */
const LIBRARY = /node_modules\/(@tapjs|tap)\//
const inSources = bundled ? createPositions(join(folder, 'bundle.cjs.map'), root) : text => text

function tell ({ name, diag }) {
  console.log(`FAIL ${name}`)
  if (!diag) return
  const lines = inSources(inspect(diag, { depth: 6, breakLength: 120 })).split('\n').filter(line => !LIBRARY.test(line))
  console.log(lines.slice(0, 40).map(line => `     ${line}`).join('\n'))
}

const results = await runAll()
record.save()
for (const { failures } of results) failures.forEach(tell)
for (const skip of results.flatMap(({ skips }) => skips)) console.log(`skip ${skip}`)
const sum = of => results.reduce((total, result) => total + of(result), 0)
const skipped = sum(({ skips }) => skips.length)
if (skipped > 0) console.log(`${skipped} skipped`)
const failed = sum(result => result.failed)
console.log(`${sum(({ passed }) => passed)} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
