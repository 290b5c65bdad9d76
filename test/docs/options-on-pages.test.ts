import t from 'tap'
import { ConfigSchema, type Contributed, type Services } from '../../core/index.js'
import { resolvePlugins } from '../../core/kernel/resolve-plugins.js'
import { optionsOf } from '../../docs/generator/configuration.js'
import type { Schema } from '../../docs/generator/schema.js'
import daemon from '../../presets/daemon/index.js'
import { ONLY_IN_FILE, SHOWN } from './options-on-pages.data.js'

const plugins = resolvePlugins(daemon.plugins).map(({ plugin }) => plugin)

/** Every key of the configuration file, those of plugins below `plugins.NAME`. */
const options = [
  ...optionsOf(ConfigSchema as unknown as Schema),
  ...plugins.flatMap(({ name, options = {} }) => optionsOf(options as unknown as Schema, `plugins.${name}`))
].map(([key]) => key)

const pages = new Map(plugins.flatMap(({ contributes = {} }) =>
  (typeof contributes === 'function' ? contributes({}, {} as Services, {} as never) as Contributed : contributes).pages ?? [])
  .map(page => [page.id, page] as const))

const listed = [
  ...Object.values(SHOWN).flatMap(shown => Object.keys(shown)),
  ...ONLY_IN_FILE.flatMap(({ options }) => options)
]

t.test('every option has a page, or a reason why it is only in the file', async t => {
  t.ok(options.includes('api.host') && options.includes('plugins.queue.groups[].name'), `${options.length} options`)
  t.same(options.filter(key => !listed.includes(key)), [], 'add these to options-on-pages.data.ts')
})

t.test('no option is listed that does not exist, and none twice', async t => {
  t.same(listed.filter(key => !options.includes(key)), [])
  t.same(listed.filter((key, at) => listed.indexOf(key) !== at), [])
})

t.test('the pages that show options exist, and have the text that is named', async t => {
  const missing = Object.entries(SHOWN).flatMap(([id, shown]) =>
    Object.values(shown).filter(text => pages.get(id)?.texts.en[text] === undefined).map(text => `${id}: ${text}`))
  t.same(missing, [])
})

t.test('reasons complete the sentence "Only in the file, because …"', async t => {
  t.same(ONLY_IN_FILE.map(({ because }) => because).filter(because => !/^[a-z][^.]{20,}$/.test(because)), [])
})
