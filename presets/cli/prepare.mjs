// Runs before anything is installed: only Node's own modules here.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const SOURCES = ['core', 'plugins', 'presets']
const BUILT_FROM = ['package.json', 'package-lock.json', 'tsup.config.ts', 'tsconfig.json']
const LOCK_STAMP = join(root, 'node_modules', '.prn-lock')
const BUILD_STAMP = join(root, 'dist', '.prn-build')

const read = path => existsSync(path) ? readFileSync(path, 'utf8') : ''
const digest = text => createHash('sha256').update(text).digest('hex')

const files = folder => readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
  const path = join(folder, entry.name)
  return entry.isDirectory() ? files(path) : [path]
})

/** What the sources look like now: names, sizes and times. */
const sourceMark = () => {
  const paths = [...SOURCES.flatMap(folder => files(join(root, folder))), ...BUILT_FROM.map(name => join(root, name))]
  return digest(paths.sort().map(fileMark).join('\n'))
}

const fileMark = path => {
  const { size, mtimeMs } = statSync(path)
  return `${path} ${size} ${mtimeMs}`
}

const lockMark = () => digest(read(join(root, 'package-lock.json')))

/** Runs a program and shows what it says; the process ends with its code when it fails. */
const run = (command, args) => new Promise((resolve, reject) => {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], shell: process.platform === 'win32' })
  child.once('error', reject)
  child.once('exit', code => {
    if (code === 0) return resolve()
    console.error(`${command} ${args.join(' ')} failed`)
    process.exit(1)
  })
})

/** True when the installed packages are those of the lock file, also when npm was called by hand. */
function isInstalled () {
  const own = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(own)) return false
  if (read(LOCK_STAMP) === lockMark()) return true
  return !existsSync(LOCK_STAMP) && statSync(own).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs
}

const step = (text, since) => console.error(since === undefined ? `${text} …` : `${text}: ${((Date.now() - since) / 1000).toFixed(1)} s`)

/** Installs the packages and builds, where that is not done yet. Quick when there is nothing to do. */
export async function prepare () {
  if (!isInstalled()) {
    const since = Date.now()
    step('Installing packages from the lock file (about half a minute, once)')
    await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'])
    writeFileSync(LOCK_STAMP, lockMark())
    step('Installed', since)
  }
  const mark = sourceMark()
  if (read(BUILD_STAMP) === mark) return
  const since = Date.now()
  step('Building')
  await run(process.execPath, [join(root, 'node_modules', 'tsup', 'dist', 'cli-default.js')])
  writeFileSync(BUILD_STAMP, mark)
  step('Built', since)
}
