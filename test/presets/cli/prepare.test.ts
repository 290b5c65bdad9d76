import { mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { finished, ROOT, place } from '../../outside/installed.js'
import { testFolder } from '../../helpers/folder.js'

type Run = (command: string, args: readonly string[]) => Promise<void>
interface Prepare {
  needsInstall (root: string): boolean
  needsBuild (root: string): boolean
  bringUpToDate (options: { root: string, run: Run, say: (text: string) => void }): Promise<void>
}
const { needsInstall, needsBuild, bringUpToDate } = await import(join(ROOT, 'presets', 'cli', 'prepare.mjs')) as Prepare

/** A clone: sources, nothing installed, nothing built. */
async function clone (t: Test) {
  const root = testFolder(t)
  for (const path of ['package.json', 'package-lock.json', 'tsup.config.ts', 'tsconfig.json', 'core/a.ts', 'plugins/b/index.ts', 'presets/c.ts']) {
    await place(join(root, path), `content of ${path}`)
  }
  const ran: string[] = []
  const said: string[] = []
  /** What npm and the builder leave behind. */
  const run: Run = async (command, args) => {
    ran.push(command === 'npm' ? `npm ${args[0]}` : args[0]?.includes('tsup') === true ? 'build' : command)
    if (command === 'npm') await place(join(root, 'node_modules', '.package-lock.json'), '{}')
    else await place(join(root, 'dist', 'presets', 'cli', 'main.js'), '')
  }
  const prepare = async (how = run) => {
    ran.length = 0
    await bringUpToDate({ root, run: how, say: text => said.push(text) })
    return [...ran]
  }
  return { root, prepare, said, path: (...parts: string[]) => join(root, ...parts) }
}

const later = () => new Date(Date.now() + 5_000)

t.test('a fresh clone is installed and built, and says so', async t => {
  const { root, prepare, said } = await clone(t)
  t.ok(needsInstall(root))
  t.ok(needsBuild(root))
  t.same(await prepare(), ['npm ci', 'build'])
  t.match(said, [/^Installing packages .* …$/, /^Installed: \d+\.\d s$/, /^Building …$/, /^Built: \d+\.\d s$/])
})

t.test('the second time there is nothing to do and nothing to say', async t => {
  const { root, prepare, said } = await clone(t)
  await prepare()
  said.length = 0
  t.same(await prepare(), [])
  t.same(said, [])
  t.notOk(needsInstall(root))
  t.notOk(needsBuild(root))
})

t.test('another lock file is installed anew, and what is built from it built', async t => {
  const { prepare, path } = await clone(t)
  await prepare()
  await writeFile(path('package-lock.json'), 'other')
  await utimes(path('package-lock.json'), later(), later())
  t.same(await prepare(), ['npm ci', 'build'])
  t.same(await prepare(), [])
})

t.test('a lock file that was only touched is not installed', async t => {
  const { root, prepare, path } = await clone(t)
  await prepare()
  await utimes(path('package-lock.json'), later(), later())
  t.notOk(needsInstall(root))
})

t.test('packages installed by hand are taken as they are', async t => {
  const { root, prepare, path } = await clone(t)
  await place(path('node_modules', '.package-lock.json'), '{}')
  await utimes(path('node_modules', '.package-lock.json'), later(), later())
  t.notOk(needsInstall(root))
  t.same(await prepare(), ['build'])
  await writeFile(path('package-lock.json'), 'other')
  await utimes(path('package-lock.json'), new Date(Date.now() + 10_000), new Date(Date.now() + 10_000))
  t.ok(needsInstall(root), 'until the lock file is younger')
  await utimes(path('node_modules', '.package-lock.json'), new Date(Date.now() + 20_000), new Date(Date.now() + 20_000))
  t.notOk(needsInstall(root), 'and again once they are')
})

t.test('every source counts: changed, added, removed', async t => {
  const { root, prepare, path } = await clone(t)
  await prepare()
  await writeFile(path('core', 'a.ts'), 'changed')
  t.ok(needsBuild(root))
  await prepare()
  await place(path('plugins', 'd', 'index.ts'), 'new')
  t.same(await prepare(), ['build'])
  await rm(path('plugins', 'd'), { recursive: true })
  t.same(await prepare(), ['build'])
  await writeFile(path('tsup.config.ts'), 'changed too')
  t.same(await prepare(), ['build'])
  await mkdir(path('docs'))
  await writeFile(path('docs', 'x.md'), 'no source')
  t.same(await prepare(), [])
})

t.test('what is built is missing: it is built again', async t => {
  const { root, prepare, path } = await clone(t)
  await prepare()
  await rm(path('dist', 'presets'), { recursive: true })
  t.ok(needsBuild(root))
  await rm(path('dist'), { recursive: true })
  t.same(await prepare(), ['build'])
})

t.test('a build of before is not taken for one of now', async t => {
  const { root, prepare, path } = await clone(t)
  await place(path('dist', 'presets', 'cli', 'main.js'), 'old')
  t.ok(needsBuild(root))
  await prepare()
  t.notOk(needsBuild(root))
})

t.test('after a failure the next call tries again', async t => {
  const { prepare, root } = await clone(t)
  await t.rejects(prepare(async command => { throw new Error(`${command} failed`) }), { message: 'npm failed' })
  t.ok(needsInstall(root))
  const noBuild: Run = async (command, args) => {
    if (command !== 'npm') throw new Error('the build failed')
    await place(join(root, 'node_modules', '.package-lock.json'), String(args))
  }
  await t.rejects(prepare(noBuild), { message: 'the build failed' })
  t.notOk(needsInstall(root))
  t.same(await prepare(), ['build'])
})

t.test('a source that changes while it is built is built the next time', async t => {
  const { prepare, root, path } = await clone(t)
  await prepare()
  await writeFile(path('core', 'a.ts'), 'first change')
  await prepare(async () => { await writeFile(path('core', 'a.ts'), 'and a second, longer one') })
  t.ok(needsBuild(root))
})

t.test('run by itself it prepares, imported it does nothing', async t => {
  const { root, path } = await clone(t)
  await place(path('presets', 'cli', 'prepare.mjs'), await readFile(join(ROOT, 'presets', 'cli', 'prepare.mjs'), 'utf8'))
  await place(path('node_modules', '.package-lock.json'), '{}')
  await utimes(path('node_modules', '.package-lock.json'), later(), later())
  await place(path('node_modules', 'tsup', 'dist', 'cli-default.js'),
    "const { mkdirSync, writeFileSync } = require('node:fs'); mkdirSync('dist/presets/cli', { recursive: true }); writeFileSync('dist/presets/cli/main.js', 'built')")
  await place(path('node_modules', 'tsup', 'package.json'), '{}')
  await import(path('presets', 'cli', 'prepare.mjs'))
  t.ok(needsBuild(root))
  const { code, err } = await finished(t, [path('presets', 'cli', 'prepare.mjs')], { cwd: path('presets') })
  t.equal(code, 0, err)
  t.match(err, /^Building …\nBuilt: /)
  t.equal(await readFile(path('dist', 'presets', 'cli', 'main.js'), 'utf8'), 'built')
  t.notOk(needsBuild(root))
})
