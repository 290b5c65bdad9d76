// Runs before anything is installed, so it may only use Node's own modules.
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

/** Fingerprint of the sources: names, sizes and times. */
const sourceMark = root => {
  const paths = [...SOURCES.flatMap(folder => files(join(root, folder))), ...BUILT_FROM.map(name => join(root, name))]
  return digest(paths.sort().map(fileMark).join('\n'))
}

const lockMark = root => digest(read(join(root, 'package-lock.json')))

/** True unless the installed packages match the lock file, whichever command installed them. */
export function needsInstall (root = ROOT) {
  const own = join(root, 'node_modules', '.package-lock.json') // npm's own record, written last
  if (!existsSync(own)) return true
  if (read(lockStamp(root)) === lockMark(root)) return false
  return statSync(own).mtimeMs < statSync(join(root, 'package-lock.json')).mtimeMs
}

/** True unless the build matches the current sources. */
export const needsBuild = (root = ROOT) =>
  !existsSync(join(root, ENTRY)) || read(buildStamp(root)) !== sourceMark(root)

/** Runs a program with its output on standard error, as standard output belongs to the program that follows. */
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

/** Installs the packages and builds, if necessary. Rejects if one of them fails; the next call then tries again. */
export async function bringUpToDate ({ root = ROOT, run = runIn(root), say = console.error } = {}) {
  if (needsInstall(root)) {
    await step('Installing packages from the lock file (about half a minute, once)', 'Installed', say, async () => {
      await run(...INSTALL)
      writeFileSync(lockStamp(root), lockMark(root))
    })
  }
  if (needsBuild(root)) {
    const mark = sourceMark(root) // taken before the build: later changes are built the next time
    await step('Building', 'Built', say, async () => {
      await run(...build(root))
      writeFileSync(buildStamp(root), mark)
    })
  }
}

/** As `bringUpToDate`, for programs: a failure is printed in one line and ends the process. */
export async function prepare () {
  try {
    await bringUpToDate()
  } catch (error) {
    console.error(error.message)
    process.exit(1)
  }
}

// When run directly, it prepares for the rest of a script.
if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) await prepare()
