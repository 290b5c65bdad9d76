import { definePreset, type Preset } from '../../core/index.js'
import { cameraWith } from '../../plugins/camera/index.js'
import { healthWith } from '../../plugins/health/index.js'
import { projectsWith } from '../../plugins/projects/index.js'
import daemon from '../../presets/daemon/index.js'
import { without } from '../helpers/without.js'

/** The daemon, except that nothing is opened on the machine that runs the tests. */
export function quietDaemon (folder: string): Preset {
  const openBrowser = async () => true
  return definePreset({
    name: 'daemon',
    plugins: [
      without(daemon.plugins, 'projects', 'camera', 'health'),
      projectsWith({ folder, openBrowser }), cameraWith({ openBrowser }), healthWith({ folder, openBrowser })
    ]
  })
}
