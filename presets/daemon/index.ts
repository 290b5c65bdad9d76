import homeassistant from '../../plugins/homeassistant/index.js'
import broker from '../../plugins/broker/index.js'
import audit from '../../plugins/audit/index.js'
import backup from '../../plugins/backup/index.js'
import drying from '../../plugins/drying/index.js'
import database from '../../plugins/database/index.js'
import energy from '../../plugins/energy/index.js'
import fleet from '../../plugins/fleet/index.js'
import history from '../../plugins/history/index.js'
import http from '../../plugins/http/index.js'
import https from '../../plugins/https/index.js'
import live from '../../plugins/live/index.js'
import maintenance from '../../plugins/maintenance/index.js'
import mcp from '../../plugins/mcp/index.js'
import motion from '../../plugins/motion/index.js'
import metrics from '../../plugins/metrics/index.js'
import night from '../../plugins/night/index.js'
import notify from '../../plugins/notify/index.js'
import oauth from '../../plugins/oauth/index.js'
import openapi from '../../plugins/openapi/index.js'
import people from '../../plugins/people/index.js'
import passkeys from '../../plugins/passkeys/index.js'
import queue from '../../plugins/queue/index.js'
import slicing from '../../plugins/slicing/index.js'
import spoolLabels from '../../plugins/spool-labels/index.js'
import spoolTags from '../../plugins/spool-tags/index.js'
import spoolScale from '../../plugins/spool-scale/index.js'
import spools from '../../plugins/spools/index.js'
import alertlog from '../../plugins/alertlog/index.js'
import overview from '../../plugins/overview/index.js'
import recording from '../../plugins/recording/index.js'
import plateChange from '../../plugins/plate-change/index.js'
import relay from '../../plugins/relay/index.js'
import rules from '../../plugins/rules/index.js'
import setup from '../../plugins/setup/index.js'
import shell from '../../plugins/shell/index.js'
import toolpath from '../../plugins/toolpath/index.js'
import web from '../../plugins/web/index.js'
import { definePreset } from '../../core/index.js'
import { features } from '../features.js'

/** Many printers behind one HTTP API and one MCP endpoint. */
export default definePreset({
  name: 'daemon',
  plugins: [openapi, http, https, metrics, mcp, live, features, toolpath, recording, database, backup, people, passkeys,
    oauth, audit, history, spools, spoolLabels, spoolTags, spoolScale, queue, plateChange, motion, drying, broker,
    energy, slicing, maintenance, homeassistant, notify, rules, fleet, relay, setup, shell, overview, alertlog, night,
    web]
})
