import { definePreset } from '../../../core/index.js'
import alertlog from '../../../plugins/alertlog/index.js'
import database from '../../../plugins/database/index.js'
import history from '../../../plugins/history/index.js'
import http from '../../../plugins/http/index.js'
import live from '../../../plugins/live/index.js'
import { maintenanceWith } from '../../../plugins/maintenance/index.js'
import health from '../../../plugins/health/index.js'
import mcp from '../../../plugins/mcp/index.js'
import openapi from '../../../plugins/openapi/index.js'
import queue from '../../../plugins/queue/index.js'
import toolpath from '../../../plugins/toolpath/index.js'
import { features } from '../../../presets/features.js'

/** Nobody looks at what the monitor says here. */
const unwatched = features.map(plugin => plugin === health ? [health, { monitor: false }] as const : plugin)

/** Printers with a record, a queue and maintenance that takes its turns quickly. */
export const maintained = definePreset({
  name: 'maintained',
  plugins: [
    openapi, http, mcp, unwatched, live, toolpath, database, history, queue, alertlog, maintenanceWith({ everyMs: 200 })
  ]
})
