import { readFileSync, readdirSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { llmsPage } from '../../docs/generator/llms.js'

const ROOT = join(import.meta.dirname, '..', '..')
const TEXT = readFileSync(join(ROOT, 'llms.txt'), 'utf8')
const lines = TEXT.split('\n')
const linkLines = lines.filter(line => line.startsWith('- ['))
const paths = linkLines.map(line => /^- \[[^\]]+\]\((\/[^)]+)\): \S/.exec(line)?.[1] ?? `not a link with a note: ${line}`)

t.test('llms.txt is fresh: run npm run docs when this fails', async t => {
  t.equal(TEXT, llmsPage())
})

t.test('it has the form of llmstxt.org: a title, a summary, and sections of links', async t => {
  t.equal(lines[0], '# prnd')
  t.match(lines[2], /^> \S/)
  t.equal(lines.filter(line => line.startsWith('# ')).length, 1)
  t.same(lines.filter(line => /^#{3,}/.test(line)), [])
  t.ok(lines.indexOf('## Optional') > lines.lastIndexOf('## Reference'), 'what can be left out is last')
})

t.test('every link leads to a file', async t => {
  t.same(paths.filter(path => !existsSync(join(ROOT, path))), [])
  t.equal(new Set(paths).size, paths.length, 'each once')
})

t.test('every guide and every page of the reference is listed', async t => {
  const pages = ['guides', 'reference'].flatMap(folder =>
    readdirSync(join(ROOT, 'docs', folder)).map(name => `/docs/${folder}/${name}`))
    .filter(path => path.endsWith('.md') && path !== '/docs/guides/README.md')
  t.ok(pages.length > 30)
  t.same(pages.filter(path => !paths.includes(path)), [])
})
