import { join } from 'node:path'
import t from 'tap'
import { build, cliOf, finished, install, listening, outside, place, run } from './installed.js'

const PLUGIN = (fields: string) =>
  `import { definePlugin } from 'prnd'\nexport default definePlugin({ name: 'clumsy', version: '1.0.0', kernel: '^2.0.0', ${fields} })\n`

/** What a plugin does wrong, and what the service says of it. */
const BROKEN: Record<string, { source: string, options?: object, says: RegExp }> = {
  'never ends its setup': {
    source: PLUGIN('setup: () => new Promise(() => {})'),
    says: /^Setup of plugin 'clumsy' failed: it did not finish within 10 s \[PRN_ERR_PLUGIN_SETUP\]$/m
  },
  'never ends its import': {
    source: 'await new Promise(() => {})\nexport default {}',
    says: /^Plugin '\.\/clumsy\.mjs' cannot be loaded: its module did not finish loading within 10 s \[PRN_ERR_PLUGIN_LOAD\]$/m
  },
  'throws in its setup': {
    source: PLUGIN("setup () { throw new Error('the heater is on fire') }"),
    says: /^Setup of plugin 'clumsy' failed: the heater is on fire \[PRN_ERR_PLUGIN_SETUP\]$/m
  },
  'wants another kernel': {
    source: "export default { name: 'clumsy', version: '1.0.0', kernel: '^7.0.0' }",
    says: /^Plugin 'clumsy' needs kernel \^7\.0\.0, this is \d+\.\d+\.\d+ \[PRN_ERR_PLUGIN_VERSION\]$/m
  },
  'gets bad options': {
    source: `import { Type } from 'typebox'\n${PLUGIN('options: Type.Object({ url: Type.String(), gain: Type.Optional(Type.Number()) })')}`,
    options: { url: 'x', gian: 2 },
    says: /^Options of plugin 'clumsy': unknown key 'gian'; did you mean 'gain'\? \[PRN_ERR_PLUGIN_OPTIONS\]$/m
  },
  'throws on import': {
    source: "throw new Error('no luck')",
    says: /^Plugin '\.\/clumsy\.mjs' cannot be loaded: no luck \[PRN_ERR_PLUGIN_LOAD\]$/m
  },
  'has a mistake in its syntax': {
    source: 'export default {{',
    says: /^Plugin '\.\/clumsy\.mjs' cannot be loaded: Unexpected token '\{' \(node --check .*clumsy\.mjs shows where\) \[PRN_ERR_PLUGIN_LOAD\]$/m
  },
  'exports nothing by default': {
    source: 'export const plugin = {}',
    says: /^Plugin '\.\/clumsy\.mjs' cannot be loaded: its default export is not a plugin \(use definePlugin\) \[PRN_ERR_PLUGIN_LOAD\]$/m
  },
  'exports something else': {
    source: 'export default { hello: 1 }',
    says: /^Plugin '\.\/clumsy\.mjs' cannot be loaded: its 'name' is missing \[PRN_ERR_PLUGIN_LOAD\]$/m
  },
  'takes a route that is there, by hand': {
    source: PLUGIN("needs: ['http'], setup: ({ app }) => { app.get('/api/printers', () => 'mine') }"),
    says: /^Setup of plugin 'clumsy' failed: .*'GET'.*'\/api\/printers'.* \[PRN_ERR_PLUGIN_SETUP\]$/m
  }
}

t.setTimeout(300_000)
t.before(build)

t.test('a plugin that is broken stops the start, and is named', async t => {
  const installation = await outside(t)
  await install(installation)
  // A printer that is off: virtual ones would have to be started first.
  const printers = [{ name: 'off', host: '127.0.0.1', serial: 'S1', accessCode: '12345678', ports: { mqtt: 1 } }]
  t.jobs = 3
  for (const [what, { source, options = {}, says }] of Object.entries(BROKEN)) {
    t.test(`a plugin that ${what}`, { buffered: true }, async t => {
      const folder = await outside(t, {
        'clumsy.mjs': source,
        'config.json': { dataDir: 'data', printers, plugins: { './clumsy.mjs': options } }
      })
      const { code, out, err } = await finished(t, [cliOf(installation), 'daemon', '-c', join(folder, 'config.json')])
      t.equal(code, 1)
      t.match(err, says)
      t.equal(out, '', 'no address is printed')
      t.notMatch(err, /^ +at /m, 'nor a stack')
    })
  }
})

t.test('the same is found without starting the service', async t => {
  const folder = await outside(t, { 'config.json': { dataDir: 'data', plugins: { './clumsy.mjs': {} } } })
  await install(folder)
  await place(join(folder, 'clumsy.mjs'), PLUGIN("needs: ['nothing']"))
  const check = await finished(t, [cliOf(folder), 'plugins', 'check', '-c', join(folder, 'config.json')])
  t.equal(check.code, 1)
  t.match(check.err, /^Plugin 'clumsy' needs plugin 'nothing', which is not loaded/m)
  await place(join(folder, 'clumsy.mjs'), PLUGIN("description: 'Does nothing'"))
  const good = await finished(t, [cliOf(folder), 'plugins', 'check', '-c', join(folder, 'config.json')])
  t.equal(good.code, 0, good.err)
  t.match(good.out, /^All \d+ plugins can be loaded\./m)
})

t.test('a rule of a plugin that throws while the service runs does not end it', async t => {
  const folder = await outside(t, {
    'clumsy.mjs': PLUGIN("setup ({ printers, events }) { printers.each(() => { throw new Error('boom') }); events.on('printer:added', async () => { throw new Error('later') }) }"),
    'config.json': {
      dataDir: 'data',
      api: { host: '127.0.0.1' },
      printers: [{ name: 'off', host: '127.0.0.1', serial: 'S1', accessCode: '12345678', ports: { mqtt: 1 } }],
      plugins: { './clumsy.mjs': {} }
    }
  })
  await install(folder)
  const daemon = run(t, [cliOf(folder), 'daemon', '-c', join(folder, 'config.json')])
  const port = await listening(daemon)
  t.equal((await fetch(`http://127.0.0.1:${port}/api/printers`)).status, 200)
  daemon.child.kill('SIGTERM')
  t.same(await daemon.gone, [0, null])
  t.match(daemon.stderr(), /boom[^]*later/)
})
