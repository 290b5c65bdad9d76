import { join } from 'node:path'
import t from 'tap'
import { build, cliOf, finished, install, listening, outside, place, run } from './installed.js'

const PLUGIN = (fields: string) =>
  `import { definePlugin } from 'prnd'\nexport default definePlugin({ name: 'clumsy', version: '1.0.0', kernel: '^2.0.0', ${fields} })\n`

/** What a plugin does wrong, by its file, and what the service says of it. */
const BROKEN: Record<string, { source: string, says: RegExp }> = {
  'import.mjs': { // never ends
    source: 'await new Promise(() => {})\nexport default {}',
    says: /Plugin '\.\/import\.mjs' cannot be loaded: its module did not finish loading within 10 s \[PRN_ERR_PLUGIN_LOAD\]; the service runs without it$/m
  },
  'setup.mjs': {
    source: PLUGIN("setup () { throw new Error('the heater is on fire') }"),
    says: /Setup of plugin 'clumsy' failed: the heater is on fire \[PRN_ERR_PLUGIN_SETUP\]; the service runs without it$/m
  },
  'name.mjs': {
    source: "import { heatNow } from 'prnd'\nexport default { name: 'naming', version: '1.0.0', kernel: '*', heatNow }",
    says: /Plugin '\.\/name\.mjs' cannot be loaded: .*'prnd' does not provide an export named 'heatNow' \[PRN_ERR_PLUGIN_LOAD\]/
  },
  'syntax.mjs': {
    source: 'export default {{',
    says: /Plugin '\.\/syntax\.mjs' cannot be loaded: Unexpected token '\{' \(node --check .*syntax\.mjs shows where\) \[PRN_ERR_PLUGIN_LOAD\]/
  },
  'export.mjs': {
    source: 'export const plugin = {}',
    says: /Plugin '\.\/export\.mjs' cannot be loaded: its default export is not a plugin \(use definePlugin\) \[PRN_ERR_PLUGIN_LOAD\]/
  }
}

const configOf = (files: readonly string[]) => ({
  dataDir: 'data',
  api: { host: '127.0.0.1' },
  // A printer that is off: virtual ones would have to be started first.
  printers: [{ name: 'off', host: '127.0.0.1', serial: 'S1', accessCode: '12345678', ports: { mqtt: 1 } }],
  plugins: Object.fromEntries(files.map(file => [`./${file}`, {}]))
})

t.before(build)

t.test('the service runs without plugins that are broken, and names each', async t => {
  const folder = await outside(t, {
    ...Object.fromEntries(Object.entries(BROKEN).map(([file, { source }]) => [file, source])),
    'config.json': configOf(Object.keys(BROKEN))
  })
  await install(folder)
  const daemon = run(t, [cliOf(folder), 'daemon', '-c', join(folder, 'config.json')])
  const port = await listening(daemon)
  t.equal((await fetch(`http://127.0.0.1:${port}/api/printers`)).status, 200)
  const warnings = daemon.stderr().split('\n').filter(line => line.startsWith('Warning: '))
  for (const [file, { says }] of Object.entries(BROKEN)) {
    t.equal(warnings.filter(line => says.test(line)).length, 1, file)
  }
  const doctor = await finished(t, [cliOf(folder), 'doctor', '-c', join(folder, 'config.json')])
  t.equal(doctor.code, 1)
  for (const [file, { says }] of Object.entries(BROKEN)) t.match(doctor.out, new RegExp(says.source.replace(/\$$/, '')), file)
  const check = await finished(t, [cliOf(folder), 'plugins', 'check', '-c', join(folder, 'config.json')])
  t.match(check.err, /^Setup of plugin 'clumsy' failed: the heater is on fire/m, 'a running service is asked')
  daemon.child.kill('SIGTERM')
  t.same(await daemon.gone, [0, null])
})

t.test('a plugin that ends the process can be left out', async t => {
  const folder = await outside(t, { 'deadly.mjs': 'process.exit(3)', 'config.json': configOf(['deadly.mjs']) })
  const { plugins, ...others } = configOf(['deadly.mjs'])
  const fleet = { servers: ['nats://127.0.0.1:1'] }
  await place(join(folder, 'hub.json'), { ...others, printers: [], plugins: { ...plugins, fleet } })
  await install(folder)
  const args = (command: string, ...more: string[]) =>
    [cliOf(folder), command, '-c', join(folder, command === 'hub' ? 'hub.json' : 'config.json'), ...more]
  t.match(await finished(t, args('daemon')), { code: 3 })
  for (const command of ['daemon', 'hub', 'app']) {
    const service = run(t, args(command, '--safe'))
    const port = await listening(service)
    t.equal((await fetch(`http://127.0.0.1:${port}/api/printers`)).status, 200, command)
    t.match(service.stderr(), /Plugin '\.\/deadly\.mjs' is skipped: the service was started with --safe/)
    service.child.kill('SIGTERM')
    t.same(await service.gone, [0, null])
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
