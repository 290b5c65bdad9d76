// Runs before anything is installed: only Node's own modules here.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const SOURCES = ['core', 'plugins', 'presets']
const BUILT_FROM = ['package.json', 'package-lock.json', 'tsup.config.ts', 'tsconfig.json']
const ENTRY = join('dist', 'presets', 'cli', 'main.js')

const lockStamp = root => join(root, 'node_modules', '.prnd-lock')
const buildStamp = root => join(root, 'dist', '.prnd-build')

const read = path => existsSync(path) ? readFileSync(path, 'utf8') : ''
const digest = text => createHash('sha256').update(text).digest('hex')

const files = folder => readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
  const path = join(folder, entry.name)
  return entry.isDirectory() ? files(path) : [path]
})

const fileMark = path => {
  const { size, mtimeMs } = statSync(path)
  return `${path} ${size} ${mtimeMs}`
}

/** What the sources look like now: names, sizes and times. */
const sourceMark = root => {
  const paths = [...SOURCES.flatMap(folder => files(join(root, folder))), ...BUILT_FROM.map(name => join(root, name))]
  return digest(paths.sort().map(fileMark).join('\n'))
}

const lockMark = root => digest(read(join(root, 'package-lock.json')))

/** True unless the installed packages are those of the lock file, by whichever command they came. */
export function needsInstall (root = ROOT) {
  const own = join(root, 'node_modules', '.package-lock.json') // npm's own record, written last
  if (!existsSync(own)) return true
  if (read(lockStamp(root)) === lockMark(root)) return false
  return statSync(own).mtimeMs < statSync(join(root, 'package-lock.json')).mtimeMs
}

/** True unless what is built was built from the sources as they are. */
export const needsBuild = (root = ROOT) =>
  !existsSync(join(root, ENTRY)) || read(buildStamp(root)) !== sourceMark(root)

/** Runs a program and shows what it says, beside the standard output, which belongs to what comes after. */
const runIn = root => (command, args) => new Promise((resolve, reject) => {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' })
  child.once('error', reject)
  child.once('exit', code => {
    if (code === 0) resolve()
    else reject(new Error(`${command} ${args.join(' ')} failed`))
  })
})

const INSTALL = ['npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']]
const build = root => [process.execPath, [join(root, 'node_modules', 'tsup', 'dist', 'cli-default.js')]]

async function step (before, after, say, work) {
  const since = Date.now()
  say(`${before} …`)
  await work()
  say(`${after}: ${((Date.now() - since) / 1000).toFixed(1)} s`)
}

/**
 * Installs the packages and builds, where that is not done yet. Quick when there is nothing to do.
 * Rejects when one of them fails; the next call then tries again.
 */
export async function bringUpToDate ({ root = ROOT, run = runIn(root), say = console.error } = {}) {
  if (needsInstall(root)) {
    await step('Installing packages from the lock file (about half a minute, once)', 'Installed', say, async () => {
      await run(...INSTALL)
      writeFileSync(lockStamp(root), lockMark(root))
    })
  }
  if (needsBuild(root)) {
    const mark = sourceMark(root) // of before: what changes meanwhile is built the next time
    await step('Building', 'Built', say, async () => {
      await run(...build(root))
      writeFileSync(buildStamp(root), mark)
    })
  }
}

/** As `bringUpToDate`, for programs: a failure is said in one line and ends the process. */
export async function prepare () {
  try {
    await bringUpToDate()
  } catch (error) {
    console.error(error.message)
    process.exit(1)
  }
}

// Run by itself it prepares, for scripts that go on with something else.
if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) await prepare()
