import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { minVersion, satisfies } from 'semver'
import t from 'tap'

const ROOT = join(import.meta.dirname, '..', '..')
const MOST_MIB = 6

interface Locked { readonly engines?: { readonly node?: string }, readonly optional?: boolean }

t.test('every package fits the oldest version of Node that is promised', async t => {
  const manifest = await readFile(join(ROOT, 'package.json'), 'utf8')
  const { engines } = JSON.parse(manifest) as { engines: { node: string } }
  const oldest = minVersion(engines.node)?.version ?? ''
  const text = await readFile(join(ROOT, 'package-lock.json'), 'utf8')
  const lock = JSON.parse(text) as { packages: Record<string, Locked> }
  const misfits = Object.entries(lock.packages).filter(([, { engines, optional }]) =>
    optional !== true && engines?.node !== undefined && !satisfies(oldest, engines.node))
  t.same(misfits.map(([path]) => path), [], `npm ci --engine-strict works with Node ${oldest}`)
})

interface Packed { readonly size: number, readonly files: readonly { readonly path: string }[] }

// Without its scripts, which would build anew: the suite has built already. Types are added by `prepack`.
t.test('the published package holds what is built and nothing else', { timeout: 120_000 }, async t => {
  const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'],
    { cwd: ROOT, maxBuffer: 16 * 1024 * 1024 })
  const parsed = JSON.parse(stdout) as Record<string, Packed>
  const [packed] = Object.values(parsed) // a list, or by name, as the version of npm likes
  if (packed === undefined) throw new Error('npm pack listed no package')
  const paths = packed.files.map(({ path }) => path)
  const built = paths.filter(path => path.startsWith('dist/'))
  t.same(paths.filter(path => !/^(dist|docs)\//.test(path)).sort(),
    ['AGENTS.md', 'CHANGELOG.md', 'CODE_OF_CONDUCT.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md', 'llms.txt',
      'package.json'])
  t.same(paths.filter(path => path.endsWith('.map') || path.startsWith('docs/generat')), [], 'nothing for developers')
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8')
  const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = '']) => link)
  t.ok(links.length > 20)
  t.same(links.filter(link => !paths.includes(link)), [], 'what README shows and links to is packed')
  for (const path of ['dist/presets/cli/main.js', 'dist/core/index.js', 'dist/plugins/people/index.js',
    'dist/presets/testing/index.js']) t.ok(built.includes(path), path)
  t.same(built.filter(path => !/^dist\/(chunks|core|plugins|presets|types)\//.test(path)), [], 'folders')
  t.same(built.filter(path => /(^|\/)(test|tests|docs|secrets|node_modules)\//.test(path)), [], 'no tests, no secrets')
  t.same(built.filter(path => /(?<!\.d)\.ts$|\.(pem|key|env|sqlite|log)$|(^|\/)\./.test(path)), [], 'no sources, keys, data')
  t.ok(packed.size < MOST_MIB * 2 ** 20, `${packed.size} bytes`)
})
