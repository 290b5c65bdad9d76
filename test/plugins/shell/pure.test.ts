import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { createDocuments } from '../../../plugins/shell/document.js'
import { missingTexts, shellTexts, strayTexts } from '../../../plugins/shell/index.js'
import { checkPages } from '../../../plugins/shell/check-pages.js'
import daemon from '../../../presets/daemon/index.js'
import {
  definePage, LANGUAGES, preferencesOf, type AnyPlugin, type Contributed, type PageTexts, type Services
} from '../../../core/index.js'

/** Some pages said du, others Sie. */
const FAMILIAR = /\b(?:du|dir|dich|dein\w{0,2})\b/i

t.test('the browser decides the language, and a choice overrules it', async t => {
  const language = (accepted: string, cookie = '') => preferencesOf({ 'accept-language': accepted, cookie }).language
  t.equal(language(''), 'en')
  t.equal(language('de-AT,de;q=0.9,en;q=0.8'), 'de')
  t.equal(language('fr,en;q=0.5,zh-CN;q=0.7'), 'zh')
  t.equal(language('de;q=0,zh;q=0.1'), 'zh', 'zero means no')
  t.equal(language('fr'), 'en')
  t.equal(language('de', 'a=b; prnd-language=zh'), 'zh')
  t.equal(language('de', 'prnd-language=xx'), 'de')
  t.equal(language('de', 'other-prnd-language=zh'), 'de')
  t.equal(language(';;;,,=q'), 'en')
  t.equal(language('x,'.repeat(100_000) + 'de'), 'en', 'what is too long is not read to its end')
})

t.test('colours are as the system has them unless somebody chose', async t => {
  const theme = (cookie: string) => preferencesOf({ cookie }).theme
  t.equal(theme(''), '')
  t.equal(theme('prnd-theme=dark; x=y'), 'dark')
  t.equal(theme('prnd-theme="><script>'), '')
})

const page = (more: object) => definePage({
  id: 'hello', path: '/hello', icon: 'info', order: 1, texts: { en: { 'hello.title': 'Hello' } }, ...more
})
const check = (...pages: ReturnType<typeof page>[]) => () => checkPages(pages, () => 'extra')

t.test('a page that cannot be shown is refused with a reason', async t => {
  t.doesNotThrow(check(page({})))
  t.doesNotThrow(check(page({ icon: 'M4 4h16v16H4Z' })))
  const bad: readonly (readonly [object, RegExp])[] = [
    [{ id: 'No' }, /id must be/],
    [{ path: 'hello' }, /path must be/],
    [{ path: '/a"b' }, /path must be/],
    [{ icon: 'nothing' }, /no icon 'nothing'/],
    [{ icon: 'M0 0"/><script>' }, /no icon/],
    [{ key: 'ab' }, /one lower-case letter/],
    [{ texts: { en: {} } }, /'hello.title' is missing/],
    [{ texts: { en: { 'hello.title': 'x' }, de: { 'hello.other': 'y' } } }, /de: hello.other/],
    [{ content: { files: './page' } }, /absolute/]
  ]
  for (const [more, message] of bad) t.throws(check(page(more)), { message })
  t.throws(check(page({}), page({ id: 'two' })), { message: /same id or path/ })
})

t.test('texts without places, or with others than the English ones, are found', async t => {
  const texts = { en: { a: 'of {name}', b: 'x' }, de: { a: 'von {nam}' } }
  t.same(strayTexts(texts), ['de: a'])
  t.same(missingTexts(texts), ['de: b', 'zh: a', 'zh: b'])
})

const plugins = (entries: unknown): AnyPlugin[] =>
  Array.isArray(entries) ? entries.flatMap(plugins) : [entries as AnyPlugin]
const pagesOf = ({ contributes = {} }: AnyPlugin) =>
  (typeof contributes === 'function' ? contributes({}, {} as Services, {} as never) as Contributed : contributes).pages ?? []

t.test('every built-in page speaks every language', async t => {
  const pages = plugins(daemon.plugins).flatMap(pagesOf)
  t.ok(pages.length >= 4, 'there are pages')
  const all: (readonly [string, PageTexts])[] = [['shell', shellTexts], ...pages.map(({ id, texts }) => [id, texts] as const)]
  for (const [id, texts] of all) {
    t.same(missingTexts(texts), [], id)
    t.same(strayTexts(texts), [], id)
    t.same(Object.values(texts.de ?? {}).filter(text => FAMILIAR.test(text)), [], `${id}: Sie`)
  }
})

/** Counts of things that are always several. */
const SEVERAL = new Set(['maintenance.done.all.title', 'maintenance.all', 'maintenance.tasks.count', 'spools.many.archive.title', 'spools.days',
  'printer.skip.many', 'rules.why.loop', 'rules.why.failures'])

t.test('one of something is not called several, and a thing has one name in each language', async t => {
  const pages = [{ id: 'shell', texts: shellTexts as PageTexts }, ...plugins(daemon.plugins).flatMap(pagesOf)]
  for (const { id, texts } of pages) {
    const counted = Object.entries(texts.en).filter(([key, text]) => !/\.(?:one|other)$/.test(key) && /\{(?:count|value)\} (?!is\b|goes\b|becomes\b)[a-z]+s\b/.test(text))
    t.same(counted.map(([key]) => key).filter(key => !SEVERAL.has(key) && !(`${key}.one` in texts.en)), [], id)
    const german = Object.values(texts.de ?? {}).filter(text => /\bKammer\b/.test(text))
    t.same(german, [], `${id}: the chamber is der Bauraum`)
    const chinese = Object.values(texts.zh ?? {}).filter(text => /机箱|腔体/.test(text))
    t.same(chinese, [], `${id}: the chamber is 腔室`)
    const plates = Object.entries(texts.en).filter(([key, text]) => key.startsWith('queue.') && /plate/i.test(text) && !/bed/i.test(text)).map(([key]) => texts.zh?.[key] ?? '')
    t.same(plates.filter(text => text.includes('热床')), [], `${id}: the plate is 打印板`)
  }
})

const PLUGINS = join(import.meta.dirname, '../../../plugins')

/** What is asked, and the way out of it. */
const WAYS_OUT = {
  printer: { folder: 'web', wayOut: 'printer.cancel', action: /\baction: t\('([\w.]+)'\)/g, more: /^$/ },
  queue: { folder: 'queue', wayOut: 'queue.no', action: /\byes: t\('([\w.]+)'\)/g, more: /^queue\.act\.\w+$/ }
} as const

t.test('the two buttons of a question never say the same', async t => {
  for (const { id, texts } of plugins(daemon.plugins).flatMap(pagesOf)) {
    const way = WAYS_OUT[id as keyof typeof WAYS_OUT]
    if (way === undefined) continue
    const folder = join(PLUGINS, way.folder, 'page')
    const scripts = readdirSync(folder).filter(name => name.endsWith('.js')).map(name => readFileSync(join(folder, name), 'utf8')).join('\n')
    const keys = [...[...scripts.matchAll(way.action)].map(([, key = '']) => key), ...Object.keys(texts.en).filter(key => way.more.test(key))]
    t.ok(keys.length >= 5, `${id}: there are questions`)
    for (const [language, words] of Object.entries(texts)) {
      t.same(keys.filter(key => words[key]?.startsWith(words[way.wayOut] ?? '')), [], `${id}, ${language}`)
    }
  }
})

t.test('who may only look is told so on every page', async t => {
  const [page] = plugins(daemon.plugins).flatMap(pagesOf).filter(({ id }) => id === 'settings')
  if (page === undefined) throw new Error('there is no such page')
  const { render } = createDocuments([page])
  const shown = (isViewer: boolean) => render(page, {
    preferences: { language: 'de', theme: '' }, printer: '', printers: [], path: '/settings', account: 'Ben', isViewer, isShown: () => true, redact: String
  }).html
  t.match(shown(true), /<aside class="looks"><p>Sie dürfen ansehen/)
  t.notMatch(shown(false), /<aside class="looks">/)
})

const { COLOR_KEYS, nearestColor } = await import(new URL('../../../plugins/shell/page/nearest-color.js', import.meta.url).href) as {
  COLOR_KEYS: readonly string[]
  nearestColor (text: string | undefined): string
}

t.test('a colour is called as people call it, whatever its exact value', async t => {
  const bought = {
    '#FFFFFF': 'white',
    '#000000': 'black',
    '#A6A9AA': 'grey',
    '#5B6579': 'blue_grey',
    '#C12E1F': 'red',
    '#FF6A13': 'orange',
    '#F4EE2A': 'yellow',
    '#F7D959': 'yellow',
    '#E4BD68': 'gold',
    '#9D432C': 'brown',
    '#D3B7A7': 'beige',
    '#00AE42': 'green',
    '#BECF00': 'lime',
    '#0086D6': 'blue',
    '#0A2989': 'dark_blue',
    '#A3D8E1': 'light_blue',
    '#AE96D4': 'lilac',
    '#5E43B7': 'purple',
    '#EC008C': 'magenta',
    '#E8AFCF': 'pink',
    '#F2F2F2': 'white',
    '#666666': 'grey'
  }
  t.same(Object.fromEntries(Object.keys(bought).map(hex => [hex, nearestColor(hex)])), bought)
  t.same(['#0a2989FF', '0A2989', 'navy', 'White', '#00000000'].map(nearestColor), ['dark_blue', 'dark_blue', 'dark_blue', 'white', 'clear'])
  t.same([undefined, '', '#12345', 'constructor', 'tomato'].map(nearestColor), ['', '', '', '', ''], 'unknown')
})

t.test('every colour has a name of its own in every language', async t => {
  t.ok(COLOR_KEYS.length >= 30, `${COLOR_KEYS.length} colours`)
  for (const language of LANGUAGES) {
    const texts: Readonly<Record<string, string>> = shellTexts[language]
    const names = [...COLOR_KEYS, 'clear'].map(key => texts[`color.${key}`] ?? '')
    t.same(names.filter((name, at) => name === '' || names.indexOf(name) !== at), [], language)
  }
})

const textFolders = readdirSync(PLUGINS, { recursive: true, encoding: 'utf8' })
  .filter(path => path.endsWith('en.json')).map(path => join(PLUGINS, dirname(path)))
const readLanguage = (folder: string, language: string): Record<string, string> =>
  JSON.parse(readFileSync(join(folder, `${language}.json`), 'utf8'))

t.test('every file of texts can be taken by a translation tool', async t => {
  t.ok(textFolders.length >= 20, `${textFolders.length} folders`)
  for (const folder of textFolders) {
    const [en = {}, de = {}, zh = {}] = LANGUAGES.map(language => readLanguage(folder, language))
    t.same(Object.entries(en).filter(([, text]) => typeof text !== 'string' || text === ''), [], folder)
    t.same([...missingTexts({ en, de, zh }), ...strayTexts({ en, de, zh })], [], folder)
  }
})

t.test('no page styles what belongs to the frame around it', async t => {
  const sheets = readdirSync(PLUGINS, { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.css') && !path.startsWith('shell'))
  t.ok(sheets.length > 10, `${sheets.length} style sheets`)
  const stray = /^\s*\.(rail|side|brand|count|content|skip|connection|dropping)\b(?=[\s,{:])/m
  for (const path of sheets) t.notMatch(readFileSync(join(PLUGINS, path), 'utf8'), stray, path)
})
