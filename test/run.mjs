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

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
/** Many tests wait more than they work. */
const AT_ONCE = Math.min(8, 2 * availableParallelism())

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
const ALONE = /^t\.(?!test\()|\bprocess\.(env|on|once|exit|chdir|umask|title)\b/m
/** A process of its own costs a file half a second, and the product is compiled anew in it. */
const TOGETHER = 8

/** Files of one folder share a process where they can. */
function processesOf (names) {
  const alone = names.filter(name => !bundled || ALONE.test(readFileSync(join(root, name), 'utf8')))
  const groups = new Map()
  for (const name of names.filter(name => !alone.includes(name))) {
    groups.set(dirname(name), [...groups.get(dirname(name)) ?? [], name])
  }
  const parts = group => Array.from({ length: Math.ceil(group.length / TOGETHER) },
    (_, at) => group.slice(at * TOGETHER, (at + 1) * TOGETHER))
  return record.longestFirst([...alone.map(name => [name]), ...[...groups.values()].flatMap(parts)])
}

let count = 0
function onDone (result) {
  console.log(`${result.failed === 0 ? 'ok  ' : 'FAIL'} ${result.name} ${result.ms} ms (${++count})`)
  record.note(result)
}

async function runAll (processes, atOnce) {
  const waiting = [...processes]
  const results = []
  await Promise.all(Array.from({ length: atOnce }, async (_, place) => {
    for (let names = waiting.shift(); names !== undefined; names = waiting.shift()) {
      results.push(...await runProcess(names, { folder, cwd: root, place, onDone }))
    }
  }))
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

const results = await runAll(processesOf(files), AT_ONCE)
record.save()
for (const { failures } of results) failures.forEach(tell)
for (const skip of results.flatMap(({ skips }) => skips)) console.log(`skip ${skip}`)
const sum = of => results.reduce((total, result) => total + of(result), 0)
const skipped = sum(({ skips }) => skips.length)
if (skipped > 0) console.log(`${skipped} skipped`)
const failed = sum(result => result.failed)
console.log(`${sum(({ passed }) => passed)} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
