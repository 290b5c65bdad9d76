// The service of a virtual week, in a process that can be killed: service-main DATA_DIR CONFIG_FILE. Its clock is fast.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createKernel, createSession, definePreset } from '../../../core/index.js'
import { dryingWith } from '../../../plugins/drying/index.js'
import { energyWith } from '../../../plugins/energy/index.js'
import { maintenanceWith } from '../../../plugins/maintenance/index.js'
import { nightWith } from '../../../plugins/night/index.js'
import { plateChangeWith } from '../../../plugins/plate-change/index.js'
import { queueWith } from '../../../plugins/queue/index.js'
import { rulesWith } from '../../../plugins/rules/index.js'
import daemon from '../../../presets/daemon/index.js'
import { createWeekClock, type WeekClock } from './week-clock.js'

const [dataDir = '', file = ''] = process.argv.slice(2)
const { clock, config } = JSON.parse(readFileSync(file, 'utf8')) as { clock: WeekClock, config: object }
const { now } = createWeekClock(clock)

/** Looks often, as an hour is a minute; what waits for a network keeps its time. */
const QUICK = [
  queueWith({ turnMs: 50, idleMs: 500, retryMs: 1_000, startMs: 5_000, settleMs: 300, unansweredMs: 6_000 }),
  energyWith({ tickMs: 100, loadMs: 1_000, reportMs: 3_000, confirmMs: 3_000 }),
  plateChangeWith({ tickMs: 50, refreshMs: 500, sensorMs: 1_500 }),
  dryingWith({ turnMs: 200, graceMs: 500 }),
  maintenanceWith({ everyMs: 300 }),
  nightWith({ everyMs: 200 }),
  rulesWith({ everyMs: 100 })
]
/** Pictures cost more than everything else, and nothing of the week is decided by them. */
const LEFT_OUT = new Set(['camera', 'health', 'health-model', 'recording'])

interface Named { readonly name?: string }
type Entry = Named | readonly Entry[]
const flat = (entry: Entry): Named[] => Array.isArray(entry) ? entry.flatMap(flat) : [entry as Named]
const plugins = flat(daemon.plugins as Entry).filter(({ name = '' }) => !LEFT_OUT.has(name))
  .map(plugin => QUICK.find(({ name }) => name === plugin.name) ?? plugin)

const preset = definePreset({ name: daemon.name, plugins: plugins as never })
const kernel = await createKernel(preset, { ...config, dataDir }, {
  configFile: join(dataDir, 'config.json'),
  now,
  // By a fast clock a printer that says nothing for a second would have been silent for minutes.
  createSession: (printer, deps) =>
    createSession(printer, { ...deps, timeouts: { watchEveryMs: 3_600_000, retryMs: () => 200 } })
})
await kernel.start()
process.on('SIGTERM', () => { void kernel.close().then(() => process.exit(0)) })
process.send?.({ port: kernel.apiPort })
