import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import ts from 'typescript'

const ROOT = join(import.meta.dirname, '..')

const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.page.json'), ts.sys.readFile)
const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT)

const below = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true }).map(path => join(ROOT, folder, String(path)))

t.test('the compiler checks every script that browsers get', async t => {
  const scripts = below('plugins').filter(path => path.endsWith('.js'))
  t.ok(scripts.length > 50)
  t.same(scripts.filter(path => !fileNames.includes(path.replaceAll('\\', '/'))), [])
})

t.test('they have no mistake in their types', async t => {
  const program = ts.createProgram(fileNames, options)
  t.same(ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) =>
    `${file?.fileName}:${file?.text.slice(0, start).split('\n').length}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`), [])
  t.equal(options.checkJs, true)
})

t.test('scripts, style sheets and documents are files of their own', async t => {
  const sources = ['core', 'plugins', 'presets'].flatMap(below).filter(path => path.endsWith('.ts'))
  const inText = /\bdocument\.(querySelector|getElementById|createElement|body)\b|\{\s*(display|margin|color-scheme|box-sizing):/
  const TEMPLATE = 'presets/cli/plugin-template.data.ts' // what it holds is written into another package
  t.same(sources.filter(path => inText.test(ts.sys.readFile(path) ?? '')).map(path => path.slice(ROOT.length + 1)), [TEMPLATE])
})

/** Names that are the same in every language. */
const NAMES = new Set(['AMS', 'fps', 'CSV', 'JSON Lines', 'prnd', 'English', 'Deutsch', 'G-code'])
/** Parts of a page that a person reads, in a document or in a template of a script. */
const templatesIn = (path: string, text: string): string[] => path.endsWith('.html')
  ? [text.replaceAll(/<(script|style)[\s\S]*?<\/\1>/g, '')]
  : [...text.matchAll(/html`([^`]*)`/g)].map(([, template = '']) => template)

t.test('pages say nothing that is not in the tables of texts', async t => {
  const found: string[] = []
  for (const path of below('plugins')) {
    // Pages in the window of an AI application have one language.
    if (!/[/\\]page[/\\][^/\\]+\.(js|html)$/.test(path) || path.includes(join('plugins', 'mcp'))) continue
    for (const template of templatesIn(path, ts.sys.readFile(path) ?? '')) {
      const text = template.replaceAll(/\$\{[^{}]*(\{[^{}]*\}[^{}]*)*\}/g, '')
      const read = [...text.matchAll(/>([^<>{}=;]*[A-Za-z]{3,}[^<>{}=;]*)</g)].map(([, words = '']) => words.trim())
      const told = [...text.matchAll(/\b(?:aria-label|title|placeholder|alt)="([^"{]*[A-Za-z]{3,}[^"]*)"/g)]
      const words = [...read, ...told.map(([, words = '']) => words)]
      found.push(...words.filter(one => !NAMES.has(one)).map(one => `${path}: ${one}`))
    }
  }
  t.same(found, [])
})

/** Attributes of the fields in templates: a `>` inside `${…}` does not end them. */
function * fieldsIn (source: string): Generator<string> {
  for (const { index } of source.matchAll(/<(?:input|textarea)\b/g)) {
    let depth = 0
    let end = index
    for (; end < source.length && !(depth === 0 && source[end] === '>'); end++) {
      if (source[end] === '{') depth++
      if (source[end] === '}') depth--
    }
    yield source.slice(index, end)
  }
}

/** Drawn again only by what is done on it. */
const STILL = join('backup', 'page', 'main.js')

t.test('a switch of a form that looks at its input knows its new state before the form does', async t => {
  const found: string[] = []
  let forms = 0
  for (const path of below('plugins').filter(path => /[/\\]page[/\\].+\.js$/.test(path))) {
    const source = ts.sys.readFile(path) ?? ''
    if (!/<form\b[^`]*?\sonInput=/.test(source)) continue
    forms++
    for (const field of fieldsIn(source)) {
      if (/\schecked=/.test(field) && !/\sonInput=/.test(field)) found.push(`${path.slice(ROOT.length + 1)}: ${field}`)
    }
  }
  t.ok(forms > 2, `${forms} forms`)
  t.same(found, [], 'between input and change the page is drawn again, with the old state')
})

t.test('what is typed into a field is not put back when the page is drawn again', async t => {
  const found: string[] = []
  let fields = 0
  for (const path of below('plugins').filter(path => /[/\\]page[/\\].+\.js$/.test(path))) {
    const source = ts.sys.readFile(path) ?? ''
    if (!source.includes('html`')) continue
    for (const field of fieldsIn(source)) {
      fields++
      if (!/\svalue=/.test(field) || /\sreadonly\b|type="?(hidden|checkbox|radio)\b/.test(field)) continue
      const isWhole = /type="?(date|time|color|range)\b/.test(field) || path.endsWith(STILL) // changes only from one value to the next
      if (!/\sonInput=/.test(field) && !(isWhole && /\sonChange=/.test(field))) found.push(`${path.slice(ROOT.length + 1)}: ${field}`)
    }
  }
  t.ok(fields > 100, `${fields} fields`)
  t.same(found, [], 'they take defaultValue, or keep what is typed')
})
