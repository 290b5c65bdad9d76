import t from 'tap'
import { Type, type TObject } from 'typebox'
import { createKernel } from '../../../core/index.js'
import type { JobHealth } from '../../../plugins/camera/index.js'
import { definePlugin, definePreset, type AnyPlugin, type PluginEntry } from '../../../core/kernel/plugin.js'
import { checkConfigured, pluginNames, resolvePlugins, setupOrder } from '../../../core/kernel/resolve-plugins.js'
import { testFolder } from '../../helpers/folder.js'

const make = (name: string, needs: readonly string[] = [], more: object = {}): AnyPlugin =>
  definePlugin({ name, version: '1.2.3', kernel: '^2.0.0', needs, ...more })
const Options = Type.Object({
  gain: Type.Number({ default: 1 }),
  list: Type.Array(Type.String(), { default: [] }),
  url: Type.Optional(Type.String())
})
const tunable = make('tunable', [], { options: Options })

type Configured = Parameters<typeof resolvePlugins>[1]
const names = (entries: PluginEntry, configured?: Configured) =>
  resolvePlugins(entries, configured).map(({ plugin }) => plugin.name)
const optionsOf = (entries: PluginEntry, configured?: Configured) => resolvePlugins(entries, configured)[0]?.options

t.test('lists in lists are flattened, falsy entries left out', async t => {
  t.same(names([make('a'), [make('b'), [make('c')], null], false, undefined, []]), ['a', 'b', 'c'])
  t.same(names(make('alone')), ['alone'])
  t.same([...pluginNames([make('a'), [[make('b'), { x: 1 }]]])], ['a', 'b'])
})

t.test('a pair of plugin and options is told from a list of two plugins', async t => {
  t.same(optionsOf([[tunable, { gain: 2 }]]), { gain: 2, list: [] })
  t.same(optionsOf([tunable, { gain: 3 }] as PluginEntry), { gain: 3, list: [] })
  t.same(names([[make('a'), make('b')]]), ['a', 'b'])
  const versioned = make('v', [], { options: Type.Object({ version: Type.String() }) })
  t.same(optionsOf([[versioned, { version: '2' }]]), { version: '2' }, 'options may have a version of their own')
})

t.test('the configuration lies over the preset, key by key', async t => {
  t.same(optionsOf([[tunable, { gain: 2, url: 'a' }]], { tunable: { gain: 5 } }), { gain: 5, list: [], url: 'a' })
})

t.test('false leaves a plugin out', async t => {
  t.same(names([make('a'), make('b')], { a: false }), ['b'])
})

t.test('an outside plugin may take the place of one left out', async t => {
  const own = make('climate')
  const [entry] = resolvePlugins([make('climate')], { climate: false }, [{ plugin: own, options: {} }])
  t.equal(entry?.plugin, own)
})

t.test('needs come first, otherwise the order stays', async t => {
  t.same(names([make('a', ['c']), make('b'), make('c'), make('d', ['b'])]), ['c', 'a', 'b', 'd'])
  t.same(names([make('a', ['b', 'c']), make('b', ['c']), make('c')]), ['c', 'b', 'a'])
})

t.test('a missing need names both', async t => {
  t.throws(() => names([make('a', ['http'])]), {
    code: 'PRN_ERR_PLUGIN_MISSING', message: "Plugin 'a' needs plugin 'http', which is not loaded"
  })
  t.throws(() => names([make('a', ['http']), make('b', ['a']), make('http'), make('c')], { http: false }), {
    code: 'PRN_ERR_PLUGIN_MISSING',
    message: "Plugin 'a' needs plugin 'http', which the configuration switches off. Remove \"http\": false, or switch these off as well: a, b"
  })
  const extra = (name: string, needs: string[]) =>
    definePlugin({ ...make(name, needs), leavesWithNeeds: true } as never)
  t.same(names([make('queue'), extra('a', ['queue']), extra('b', ['a']), extra('c', ['d']), make('d')], { queue: false }),
    ['d', 'c'], 'what is built on a feature leaves with it')
  t.throws(() => names([extra('a', ['queue'])]), { code: 'PRN_ERR_PLUGIN_MISSING' })
})

t.test('a circle is shown, without those that only lead to it', async t => {
  t.throws(() => names([make('x', ['a']), make('a', ['b']), make('b', ['c']), make('c', ['a'])]), {
    code: 'PRN_ERR_PLUGIN_CYCLE', message: 'Circular plugin dependency: a → b → c → a'
  })
  t.throws(() => names([make('a', ['a'])]), { message: 'Circular plugin dependency: a → a' })
})

t.test('one name twice names both versions', async t => {
  t.throws(() => names([make('a'), make('a', [], { version: '2.0.0' })]), {
    code: 'PRN_ERR_DUPLICATE', message: "Plugin 'a' is defined twice: by 'a@1.2.3' and by 'a@2.0.0'"
  })
})

t.test('a range that does not fit, or is none, is refused', async t => {
  for (const kernel of ['^3.0.0', 'banana']) {
    t.throws(() => names([make('a', [], { kernel })]), {
      code: 'PRN_ERR_PLUGIN_VERSION', message: `Plugin 'a' needs kernel ${kernel}, this is 2.0.0`
    })
  }
  t.doesNotThrow(() => names([make('a', [], { kernel: '^1.0.0 || ^2.0.0' })]))
})

t.test('providers of optional services are set up first, where that is possible', async t => {
  const order = (...plugins: AnyPlugin[]) => setupOrder(resolvePlugins(plugins)).map(({ plugin }) => plugin.name)
  const uses = (name: string, optional: string, needs: string[] = []) => make(name, needs, { optional: [optional] })
  const gives = (name: string, service: string, needs: string[] = []) => make(name, needs, { provides: [service] })
  t.same(order(uses('page', 'lamp'), make('x'), gives('light', 'lamp', ['power']), make('power')),
    ['power', 'light', 'page', 'x'], 'with what they need')
  t.same(order(uses('page', 'lamp'), make('x')), ['page', 'x'], 'one that is not loaded is not missed')
  t.same(order(uses('page', 'lamp'), gives('light', 'lamp', ['page'])), ['page', 'light'], 'a need goes before')
  t.same(order(make('page', [], { optional: ['lamp'], provides: ['paper'] }),
    make('light', [], { optional: ['paper'], provides: ['lamp'] })), ['light', 'page'], 'each other: the first listed waits')
  t.same(order(uses('a', 'b'), make('b', [], { optional: ['c'], provides: ['b'] }), gives('c', 'c', ['a'])), ['b', 'a', 'c'],
    'a circle over several')
  t.same(names([uses('page', 'lamp'), gives('light', 'lamp')]), ['page', 'light'], 'lists of contributions keep their order')
})

t.test('an optional service is read as declared: typed, and undefined while it is missing', async t => {
  const read: unknown[] = []
  const plugin = definePlugin({
    name: 'page',
    version: '1.0.0',
    kernel: '^2.0.0',
    optional: ['jobHealth'],
    setup ({ optional }) {
      const health: JobHealth | undefined = optional.jobHealth
      read.push(health)
      // @ts-expect-error a service that is not declared is not among them
      read.push(optional.camera)
    }
  })
  const kernel = await createKernel({ name: 'test', plugins: [plugin] }, { dataDir: testFolder(t), log: { file: false } })
  t.teardown(() => kernel.close())
  await kernel.start({ listen: false })
  t.same(read, [undefined, undefined])
})

t.test('options are checked, and the message names the plugin and the place', async t => {
  for (const [options, problem] of [
    [{ gain: 'much' }, 'gain must be number'],
    [{ list: [1] }, 'list[0] must be string'],
    [{ gian: 1 }, "unknown key 'gian'; did you mean 'gain'?"]
  ] as const) {
    t.throws(() => optionsOf([tunable], { tunable: options }), {
      code: 'PRN_ERR_PLUGIN_OPTIONS', message: `Options of plugin 'tunable': ${problem}`
    })
  }
  t.throws(() => optionsOf([make('plain')], { plain: { a: 1 } }), {
    message: "Options of plugin 'plain': unknown key 'a'; there are none"
  })
  const strict = make('strict', [], { options: Type.Object({ url: Type.String() }) })
  t.throws(() => optionsOf([strict]), { message: "Options of plugin 'strict': 'url' is required" })
})

t.test('options are frozen all the way down, and those given stay as they were', async t => {
  const given = { list: ['a'] }
  const options = optionsOf([[tunable, given]]) as { gain: number, list: string[] }
  t.throws(() => { options.gain = 2 }, TypeError)
  t.throws(() => options.list.push('b'), TypeError)
  t.same(given, { list: ['a'] })
  t.doesNotThrow(() => given.list.push('b'))
})

t.test('a schema that is none, and options that are code, name the plugin', async t => {
  const broken = make('broken', [], { options: { type: 'object', properties: { a: { type: 'nonsense' } } } as unknown as TObject })
  t.throws(() => optionsOf([broken]), { code: 'PRN_ERR_PLUGIN_OPTIONS', message: /^Options of plugin 'broken': type must be JSONType/ })
  t.throws(() => optionsOf([[tunable, { gain: () => 1 }]]), { code: 'PRN_ERR_PLUGIN_OPTIONS', message: /plugin 'tunable': .*could not be cloned/ })
})

t.test('leaving out what is not there is a mistake, with the nearest name', async t => {
  const known = new Set(['camera', 'climate'])
  t.throws(() => checkConfigured({ camra: false }, known), {
    code: 'PRN_ERR_CONFIG', message: "plugins.camra: there is no such plugin to disable; did you mean 'camera'?"
  })
  t.throws(() => checkConfigured({ 'prnd-plugin-x': false }, known), { message: 'plugins.prnd-plugin-x: there is no such plugin to disable' })
  t.doesNotThrow(() => checkConfigured({ camera: false, 'prnd-plugin-x': {} }, known))
})

t.test('a misspelt member of a plugin is refused by name', async t => {
  const plugin = { name: 'clumsy', version: '1.0.0', kernel: '*', contribute: {} }
  const problem = "unknown member 'contribute'; did you mean 'contributes'?"
  t.throws(() => definePlugin(plugin as never), { message: `Plugin 'clumsy': ${problem}` })
  t.throws(() => names([plugin as never]), {
    code: 'PRN_ERR_PLUGIN_LOAD', message: `Plugin 'clumsy' cannot be loaded: ${problem}`
  }, 'one that definePlugin has not seen too')
})

t.test('plugins and presets are frozen values', async t => {
  t.throws(() => { (tunable as { name: string }).name = 'x' }, TypeError)
  t.throws(() => { (definePreset({ name: 'p', plugins: [] }) as { name: string }).name = 'x' }, TypeError)
})
