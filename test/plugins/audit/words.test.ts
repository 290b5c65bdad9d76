import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createKernel, LANGUAGES, policy } from '../../../core/index.js'
import { OPERATION_WORDS } from '../../../plugins/audit/operation-words.data.js'
import { entryWording } from '../../../plugins/audit/words.js'
import { testPrinter } from '../../../plugins/management/test-printer.js'
import daemon from '../../../presets/daemon/index.js'
import { testFolder } from '../../helpers/folder.js'
import { pageModules } from '../../helpers/page-module.js'

const PLUGINS = join(import.meta.dirname, '../../../plugins')

/** Acts without an operation that plugins record: logins, and what their own routes do. */
function ownActs (): string[] {
  const sources = readdirSync(PLUGINS, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.ts'))
  const acts = sources.flatMap(name => [...readFileSync(join(PLUGINS, name), 'utf8').matchAll(/\brecorded\([^'()]+, '([\w.-]+)'/g)])
  return ['login', ...acts.map(([, act = '']) => act)]
}

t.test('everything that is recorded has words in every language, and nothing else has', async t => {
  const kernel = await createKernel(daemon, { dataDir: testFolder(t), log: { file: false } })
  t.teardown(() => kernel.close())
  const operations = [...kernel.operations.values(), testPrinter]
  const recorded = operations.filter(({ effect, record = policy[effect].permission }) => record).map(({ name }) => name)
  const acts = [...new Set([...recorded, ...ownActs()])].sort()
  t.ok(acts.length > 150 && acts.includes('queue.storeFile'), 'they are found')
  t.same(Object.keys(OPERATION_WORDS).sort(), acts, 'plugins/audit/operation-words.data.ts lists exactly these')
  for (const [act, words] of Object.entries(OPERATION_WORDS)) {
    t.ok(LANGUAGES.every(language => words[language].trim() !== ''), act)
  }
})

t.test('an entry says in words what was done, and why it was not', async t => {
  const operations = new Map([['lamp.turn', { summary: 'Turn the lamp' }]]) as never
  const inWords = entryWording({ operations }, 'de')
  const outcome = (code: string) => inWords({ act: 'print.pause', outcome: code }).outcome_words
  t.same(inWords({ act: 'print.pause', outcome: 'done' }), { words: 'den Druck anhalten', outcome_words: 'geschehen' })
  t.equal(inWords({ act: 'lamp.turn', outcome: 'done' }).words, 'Turn the lamp', 'of a plugin from elsewhere the summary')
  t.equal(inWords({ act: 'gone.turn', outcome: 'done' }).words, 'gone.turn', 'or its name once that plugin is gone')
  t.equal(outcome('begun'), 'begonnen, Ende unbekannt')
  t.equal(outcome('PRN_ERR_NOT_CONNECTED'), 'Drucker nicht verbunden')
  t.equal(outcome('PRN_ERR_BAD_INPUT'), 'falsche Angabe')
  t.equal(outcome('PRN_ERR_ROLE_TOO_LOW'), 'nicht erlaubt')
  t.equal(outcome('PRN_ERR_SEND_TIMEOUT'), 'keine Antwort')
  for (const unknown of ['PRN_ERR_OF_ANOTHER_VERSION', 'constructor']) t.equal(outcome(unknown), 'fehlgeschlagen', unknown)
})

t.test('pages say by which way somebody did it, where that is known', async t => {
  const { actorName } = await pageModules(['shell/page/caller-name.js'], {
    files: {
      'shell/page/shell.js': `export const hasText = key => /^caller.(local|service|by.(api|mcp|page|queue|rules))$/.test(key)
        export const t = key => key.slice('caller.'.length)`
    }
  })
  t.equal(actorName('anna', 'http'), 'anna · by.page')
  t.equal(actorName('anna', 'mcp'), 'anna · by.mcp')
  t.equal(actorName('anna', 'rules'), 'anna · by.rules')
  t.equal(actorName('key grafana', 'http'), 'key grafana · by.api')
  t.equal(actorName('local', 'http'), 'local', 'a page and a program look the same')
  t.equal(actorName('service', 'queue'), 'by.queue')
  t.equal(actorName('service', 'service'), 'service')
  t.equal(actorName('service', 'http (anna)'), 'anna', 'a print that was printed again')
  t.equal(actorName('service', 'lamps'), 'lamps')
})
