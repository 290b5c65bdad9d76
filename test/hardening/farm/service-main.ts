// The service of a farm's day, in a process that can be killed: service-main DATA_DIR CONFIG_FILE
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createKernel, definePreset } from '../../../core/index.js'
import { queueWith } from '../../../plugins/queue/index.js'
import daemon from '../../../presets/daemon/index.js'

const [dataDir = '', config = ''] = process.argv.slice(2)
const timing = { turnMs: 50, idleMs: 500, retryMs: 1_000, startMs: 5_000, settleMs: 300 }
const preset = definePreset({
  name: daemon.name,
  plugins: (daemon.plugins as readonly { name?: string }[])
    .map(plugin => plugin.name === 'queue' ? queueWith(timing) : plugin) as never
})
const kernel = await createKernel(preset, { ...JSON.parse(readFileSync(config, 'utf8')), dataDir },
  { configFile: join(dataDir, 'config.json') })
await kernel.start()
process.on('SIGTERM', () => { void kernel.close().then(() => process.exit(0)) })
process.send?.({ port: kernel.apiPort })
