import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { homedir, hostname, userInfo } from 'node:os'
import { dirname, join, relative } from 'node:path'
import t from 'tap'
import { anchorOf } from '../../docs/generator/markdown.js'
import { ConnectionError, CONNECTION_ERROR_CODES } from '../../core/printer/connection-error.js'

const ROOT = join(import.meta.dirname, '..', '..')

const documents = [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'AGENTS.md', 'SECURITY.md', 'CODE_OF_CONDUCT.md'],
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md')).map(name => join('docs', name))
].map(name => ({ name, text: readFileSync(join(ROOT, name), 'utf8') }))

/** Code is not read for links. */
const prose = (text: string) => text.replace(/^```.*?^```/gms, '')
const linksOf = (text: string) => [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = '']) => to)
const anchorsOf = (path: string): ReadonlySet<string> =>
  new Set(prose(readFileSync(path, 'utf8')).match(/^#+ .*$/gm)?.map(line => anchorOf(line.replace(/^#+ /, ''))))

const anchors = new Map<string, ReadonlySet<string>>()
function hasAnchor (path: string, anchor: string): boolean {
  const known = anchors.get(path) ?? anchorsOf(path)
  anchors.set(path, known)
  return known.has(anchor)
}

function isThere (from: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? join(ROOT, from) : join(ROOT, dirname(from), path)
  return existsSync(target) && (anchor === undefined || !target.endsWith('.md') || hasAnchor(target, anchor))
}

t.test('every relative link leads somewhere, to its heading too', async t => {
  const dead = documents.flatMap(({ name, text }) => linksOf(text)
    .filter(link => !/^[a-z]+:/.test(link) && !isThere(name, link)).map(link => `${name}: ${link}`))
  t.same(dead, [])
  t.ok(documents.flatMap(({ text }) => linksOf(text)).length > 300)
})

t.test('a dead link would be found', async t => {
  t.notOk(isThere('README.md', 'docs/nowhere.md'))
  t.notOk(isThere('README.md', 'docs/reference/errors.md#prn_err_nowhere'))
  t.ok(isThere('README.md', 'docs/reference/errors.md#prn_err_not_connected'))
})

/** Paths of the repository in code spans, such as `core/errors.ts`; those with placeholders are none. */
const pathsIn = (text: string) => [...prose(text).matchAll(/`((?:core|plugins|presets|docs|test)\/[\w./-]+)`/g)]
  .map(([, path = '']) => path).filter(path => !path.includes('NAME'))

t.test('files that the pages for developers name are there', async t => {
  const pages = documents.filter(({ name }) =>
    ['CONTRIBUTING.md', 'AGENTS.md', join('docs', 'architecture.md'), join('docs', 'style.md')].includes(name))
  const named = pages.flatMap(({ name, text }) => pathsIn(text).map(path => ({ name, path })))
  t.ok(named.length > 100, `${named.length} paths`)
  t.same(named.filter(({ path }) => !existsSync(join(ROOT, path))).map(({ name, path }) => `${name}: ${path}`), [])
  t.notOk(existsSync(join(ROOT, 'core/nowhere.ts')), 'one that is not there would be found')
})

t.test('no document names paths, people or machines of one place', async t => {
  const names = [homedir(), hostname(), userInfo().username, ROOT].filter(name => name.length > 4)
  const places = /(?<![\w.])\/(work|home|Users|root)\//
  t.same(documents.filter(({ text }) => places.test(text) || names.some(name => text.includes(name)))
    .map(({ name }) => name), [])
})

t.test('every page of the documentation is reached from the README', async t => {
  const reached = new Set<string>()
  const follow = (name: string): void => {
    if (reached.has(name)) return
    reached.add(name)
    for (const link of linksOf(documents.find(one => one.name === name)?.text ?? '')) {
      const path = join(ROOT, dirname(name), link.split('#')[0] ?? '')
      if (link.endsWith('/')) readdirSync(path).forEach(page => follow(relative(ROOT, join(path, page))))
      else if (existsSync(path)) follow(relative(ROOT, path))
    }
  }
  follow('README.md')
  t.same(documents.map(({ name }) => name).filter(name => !reached.has(name)), [])
})

const GUIDE = readFileSync(join(ROOT, 'docs', 'guides', 'getting-started.md'), 'utf8')

t.test('getting started explains every problem that a session can have', async t => {
  t.same(CONNECTION_ERROR_CODES.filter(code => !GUIDE.includes(`| \`${code}\``)), [])
  t.equal(new ConnectionError('unreachable', 'x').code, 'unreachable')
})

t.test('the sentences that getting started quotes are those of the service', async t => {
  const source = ['core/errors.ts', ...readdirSync(join(ROOT, 'core', 'printer'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts')).map(name => join('core', 'printer', name))]
    .map(path => readFileSync(join(ROOT, path), 'utf8')).join('\n')
    .replace(/['"`] \+\s*['"`]/g, '').replace(/\\'/g, "'").replace(/\$\{[^}]*\}|%[sd]/g, '…')
  const quoted = [...GUIDE.matchAll(/^\|[^|]*\| \*([^*]+)\* \|/gm)].map(([, text = '']) => text)
  const parts = quoted.flatMap(text => text.split('…')).map(part => part.trim()).filter(part => part.length > 3)
  t.ok(parts.length > 20, `${parts.length} parts`)
  t.same(parts.filter(part => !source.includes(part)), [])
})
