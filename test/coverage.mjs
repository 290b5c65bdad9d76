// `npm run coverage [files]`: runs tests as `npm test` does, and prints how much of each folder they went through.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Report } from 'c8'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')
const FOLDER = join(ROOT, 'coverage', 'raw')
const COMPILED = '/node_modules/.cache/prnd-tests/'
const SOURCES = ['core', 'plugins', 'presets']

rmSync(FOLDER, { recursive: true, force: true })
const tests = spawn(process.execPath, [join(ROOT, 'test', 'run.mjs'), ...process.argv.slice(2)], {
  cwd: ROOT, stdio: 'inherit', env: { ...process.env, NODE_V8_COVERAGE: FOLDER }
})

const slim = new Set()
/** Each process writes eight megabytes, nine tenths of them about packages and maps that stand in the files too. */
function compact () {
  for (const name of existsSync(FOLDER) ? readdirSync(FOLDER) : []) {
    if (slim.has(name)) continue
    try {
      const { result } = JSON.parse(readFileSync(join(FOLDER, name), 'utf8'))
      writeFileSync(join(FOLDER, name), JSON.stringify({ result: result.filter(({ url }) => url.includes(COMPILED)) }))
      slim.add(name)
    } catch {} // it is being written
  }
}
const timer = setInterval(compact, 2_000)
process.exitCode = await new Promise(resolve => tests.once('exit', code => resolve(code ?? 1)))
clearInterval(timer)
compact()

// What ran are the compiled files; their source maps lead back.
const report = new Report({
  tempDirectory: FOLDER,
  include: SOURCES.map(name => `${name}/**/*.ts`),
  exclude: [],
  excludeAfterRemap: true,
  excludeNodeModules: false,
  mergeAsync: true, // one file of figures at a time: together they take gigabytes
  resolve: '',
  src: []
})
const map = await report.getCoverageMapFromAllCoverageFiles()

/** `core/printer`, `plugins/camera`; files beside the folders count to their parent. */
const folderOf = path => {
  const [top, next, ...rest] = relative(ROOT, path).split(/[/\\]/)
  return rest.length > 0 ? `${top}/${next}` : top
}

const KINDS = ['lines', 'branches', 'functions']
const folders = new Map()
function add (name, summary) {
  const sums = folders.get(name) ?? Object.fromEntries(KINDS.map(kind => [kind, { total: 0, covered: 0 }]))
  for (const kind of KINDS) {
    sums[kind].total += summary[kind].total
    sums[kind].covered += summary[kind].covered
  }
  folders.set(name, sums)
}

for (const path of map.files()) {
  const summary = map.fileCoverageFor(path).toSummary().data
  add(folderOf(path), summary)
  add('all', summary)
}

const isSource = path => path.endsWith('.ts') && !path.endsWith('.d.ts')
const below = name => readdirSync(join(ROOT, name), { recursive: true }).map(path => join(ROOT, name, path))
const unread = SOURCES.flatMap(below).filter(path => isSource(path) && !map.files().includes(path))

const share = ({ covered, total }) => total === 0 ? '–' : `${(100 * covered / total).toFixed(1)} %`
const row = cells => cells.map((cell, at) => at === 0 ? cell.padEnd(28) : cell.padStart(11)).join('')
console.log(`\n${row(['', ...KINDS])}`)
for (const [name, sums] of [...folders].sort(([a], [b]) => a.localeCompare(b))) {
  console.log(row([name, ...KINDS.map(kind => share(sums[kind]))]))
}
console.log(`\n${unread.length} files were loaded by no test; they do not count above`)
rmSync(FOLDER, { recursive: true, force: true })
