import { definePreset, type PluginEntry, type Preset } from '../../core/index.js'
import { cameraWith } from '../../plugins/camera/index.js'
import { healthWith } from '../../plugins/health/index.js'
import { projectsWith } from '../../plugins/projects/index.js'
import daemon from '../../presets/daemon/index.js'

const ANEW = new Set(['projects', 'camera', 'health'])

/** The plugins of a preset but for those that are set up anew. */
export function without (entry: PluginEntry): PluginEntry {
  if (Array.isArray(entry)) return entry.map(without)
  const { name = '' } = (entry ?? {}) as { name?: string }
  return ANEW.has(name) ? false : entry
}

/** The daemon, except that nothing is opened on the machine that runs the tests. */
export function quietDaemon (folder: string): Preset {
  const openBrowser = async () => true
  return definePreset({
    name: 'daemon',
    plugins: [
      without(daemon.plugins), projectsWith({ folder, openBrowser }), cameraWith({ openBrowser }),
      healthWith({ folder, openBrowser })
    ]
  })
}
