import alertlog from '../../plugins/alertlog/index.js'
import audit from '../../plugins/audit/index.js'
import database from '../../plugins/database/index.js'
import fleet from '../../plugins/fleet/index.js'
import history from '../../plugins/history/index.js'
import http from '../../plugins/http/index.js'
import live from '../../plugins/live/index.js'
import mcp from '../../plugins/mcp/index.js'
import metrics from '../../plugins/metrics/index.js'
import notify from '../../plugins/notify/index.js'
import openapi from '../../plugins/openapi/index.js'
import overview from '../../plugins/overview/index.js'
import people from '../../plugins/people/index.js'
import queue from '../../plugins/queue/index.js'
import { recordingAtHub } from '../../plugins/recording/index.js'
import shell from '../../plugins/shell/index.js'
import toolpath from '../../plugins/toolpath/index.js'
import updates from '../../plugins/updates/index.js'
import web from '../../plugins/web/index.js'
import { definePreset } from '../../core/index.js'
import { features } from '../features.js'

/** One HTTP API and one MCP endpoint for the printers of many services; it has no sessions of its own. */
export default definePreset({
  name: 'hub',
  plugins: [openapi, http, metrics, mcp, live, features, toolpath, recordingAtHub, database, updates, people, audit,
    history, queue, notify, fleet, shell, overview, alertlog, web]
})
