import { definePreset, type PluginEntry, type Preset } from '../../../core/index.js'
import database from '../../../plugins/database/index.js'
import health from '../../../plugins/health/index.js'
import history from '../../../plugins/history/index.js'
import http from '../../../plugins/http/index.js'
import live from '../../../plugins/live/index.js'
import mcp from '../../../plugins/mcp/index.js'
import openapi from '../../../plugins/openapi/index.js'
import { features } from '../../../presets/features.js'

/** Nobody looks at what the monitor says here, and its pictures would take a quarter of the time. */
const unwatched = features.map(plugin => plugin === health ? [health, { monitor: false }] as const : plugin)

/** Printers whose prints are recorded, and these plugins. */
export const recordedWith = (...plugins: PluginEntry[]): Preset =>
  definePreset({ name: 'recorded', plugins: [openapi, http, mcp, unwatched, live, database, history, plugins] })
