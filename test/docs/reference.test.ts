import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { bring, compare, NOTE } from '../../docs/generator/folder.js'
import { printReference } from '../../docs/generator/index.js'
import { errorCatalogue } from '../../core/index.js'
import { VARIABLES } from '../../core/kernel/config.js'
import { testFolder } from '../helpers/folder.js'

const ROOT = join(import.meta.dirname, '..', '..')
const FOLDER = join(ROOT, 'docs', 'reference')

const pages = await printReference()
const pageOf = (name: string): string => pages[name] ?? ''

t.test('printing again gives the same text', async t => {
  const again = await printReference()
  t.same(Object.keys(again).filter(name => again[name] !== pages[name]), [])
})

t.test('the reference is fresh: run npm run docs when this fails', async t => {
  t.same(await compare(FOLDER, pages), { stale: [], left: [] })
})

t.test('a folder is compared without changing it, and brought up to date', async t => {
  const folder = testFolder(t, { 'cli.md': 'of long ago', 'gone.md': `${NOTE}no more`, 'own.md': 'by hand', 'note.txt': '' })
  const difference = { stale: Object.keys(pages).sort(), left: ['gone.md'] }
  t.same(await compare(folder, pages), difference)
  t.equal(readFileSync(join(folder, 'cli.md'), 'utf8'), 'of long ago')
  t.same(await bring(folder, pages), difference)
  t.same(readdirSync(folder).sort(), [...Object.keys(pages), 'note.txt', 'own.md'].sort())
  t.same(await compare(folder, pages), { stale: [], left: [] })
  t.same(await compare(folder, { ...pages, 'cli.md': 'other' }), { stale: ['cli.md'], left: [] })
})

t.test('there is a page for each part of the interface', async t => {
  t.same(Object.keys(pages).sort(), ['cli.md', 'configuration.md', 'errors.md', 'events.md', 'extension-points.md',
    'http.md', 'licences.md', 'standalone.md', 'tools.md'])
})

/** Other tests may define errors of their own. */
const isReal = (code: string) => !code.startsWith('PRN_ERR_TEST_')

t.test('every error has its section', async t => {
  const text = pageOf('errors.md')
  t.same(errorCatalogue().map(({ code }) => code).filter(isReal).filter(code => !text.includes(`### ${code}\n`)), [])
})

t.test('every route of the daemon has its section, with its parameters', async t => {
  const text = pageOf('http.md')
  t.match(text, '### PATCH /api/set_bed_target_temp\n')
  t.match(text, /### PATCH \/api\/set_light_state\n[^#]*`state` \| 'on' \\\| 'off' \| yes/)
  t.match(text, '`GET /metrics`')
  t.notMatch(text, 'undefined')
})

t.test('the application for one printer has no parameter that names it', async t => {
  t.notMatch(pageOf('standalone.md'), 'Takes `printer`')
  t.match(pageOf('standalone.md'), '### GET /api/')
})

t.test('tools lead to the routes of the same operation, and back', async t => {
  t.match(pageOf('tools.md'), '[`PATCH /api/set_bed_target_temp`](http.md#patch-apiset_bed_target_temp)')
  t.match(pageOf('http.md'), '[`set_bed_temp`](tools.md#set_bed_temp)')
})

t.test('every key of the configuration is explained, with its variable', async t => {
  const rows = pageOf('configuration.md').split('\n').filter(line => /^\| `/.test(line))
  for (const [name, key] of Object.entries(VARIABLES)) {
    t.ok(rows.some(row => row.startsWith(`| \`${key}\``) && row.includes(`\`${name}\``)), `${key} and ${name}`)
  }
  const [file = ''] = pageOf('configuration.md').split('## Environment')
  t.same(file.split('\n').filter(line => /^\| `.*\|\s+\|$/.test(line)), [], 'none without a meaning')
})

t.test('every list that plugins add to is shown, with what makes its entries', async t => {
  const text = pageOf('extension-points.md')
  for (const helper of ['route', 'tool', 'defineGauge']) t.match(text, `Made with \`${helper}\` from \`prnd\``)
  for (const [helper, plugin] of [['defineAlertRule', 'alerts'], ['defineChart', 'charts'],
    ['defineHudPanel', 'camera'], ['defineDashboardPanel', 'web'], ['defineRawTool', 'mcp']]) {
    t.match(text, `\`${helper}\` from \`prnd/plugins/${plugin}\``)
  }
})

t.test('every command has its help', async t => {
  for (const command of ['daemon', 'app', 'demo', 'mcp', 'emulate', 'printers add', 'printers test', 'plugins check',
    'config path', 'openapi']) t.match(pageOf('cli.md'), `Usage: prnd ${command}`)
})
