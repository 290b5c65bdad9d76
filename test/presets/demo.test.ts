import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { loadConfig } from '../../core/index.js'
import { demoConfig, demoFile, demoFolder, hasServedPrinters } from '../../presets/demo.js'
import { testFolder } from '../helpers/folder.js'

t.test('a demonstration has a data folder of its own and knows nothing real', async t => {
  const dataDir = testFolder(t)
  const config = loadConfig({
    dataDir,
    api: { token: 'a long token' },
    log: { file: '/var/log/prnd.log' },
    plugins: { database: { url: 'postgres://db/prnd' }, homeassistant: { broker: 'mqtt://b' }, night: false, emulator: false }
  })
  const { dataDir: folder, plugins, log, api } = demoConfig(config)
  t.equal(folder, join(dataDir, 'demo'))
  t.same(plugins, { night: false })
  t.same(log, {})
  t.equal(api.token, 'a long token')
  t.same(demoConfig(loadConfig({ dataDir, log: { file: false } })).log, { file: false })
})

t.test('a printer that was added to a demonstration is not in the next one', async t => {
  const config = loadConfig({ dataDir: testFolder(t) })
  await mkdir(demoFolder(config), { recursive: true })
  await writeFile(join(demoFolder(config), 'config.json'), '{ "printers": [{ "name": "x", "host": "h", "serial": "S" }] }')
  t.same(JSON.parse(await readFile(await demoFile(config), 'utf8')), { printers: [] })
})

t.test('a data folder tells whether a real printer was ever there', async t => {
  const dataDir = testFolder(t)
  t.equal(hasServedPrinters({ dataDir }), false)
  await writeFile(join(dataDir, 'certificates.json'), '{}')
  t.equal(hasServedPrinters({ dataDir }), true)
})
