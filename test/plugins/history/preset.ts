import type { PluginEntry, Preset } from '../../../core/index.js'
import database from '../../../plugins/database/index.js'
import history from '../../../plugins/history/index.js'
import live from '../../../plugins/live/index.js'
import { featuresWith } from '../../helpers/boot-features.js'

/** Printers whose prints are recorded, and these plugins. */
export const recordedWith = (...plugins: PluginEntry[]): Preset => featuresWith(live, database, history, plugins)
