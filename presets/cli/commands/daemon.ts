import { readConfig } from '../../../core/index.js'
import type { ModelName } from '../../../plugins/emulator/index.js'
import daemonPreset from '../../daemon/index.js'
import { runDaemon } from '../../daemon/main.js'
import { withVirtual } from '../virtual.js'

interface DaemonOptions {
  readonly config?: string
  /** Virtual printers to add; true for the usual one. */
  readonly demo?: readonly ModelName[] | true
  /** Leave the configured printers alone. */
  readonly only?: boolean
  readonly speed: number
}

/** Its camera needs no ffmpeg, so that it works on every machine. */
const USUAL: readonly ModelName[] = ['P1S']

/** Without a configured printer a virtual one takes its place, so that everything can be tried at once. */
async function demoModels ({ demo, config }: DaemonOptions): Promise<readonly ModelName[] | undefined> {
  if (demo !== undefined) return demo === true ? USUAL : demo
  const { config: { printers } } = await readConfig(config)
  return printers.length === 0 ? USUAL : undefined
}

export default async function daemon (options: DaemonOptions): Promise<void> {
  const { config, only = false, demo, speed } = options
  const models = await demoModels(options)
  const standIn = models !== undefined && demo === undefined
  const preset = models === undefined ? daemonPreset : await withVirtual(daemonPreset, { models, speed, standIn })
  const hint = standIn
    ? 'No printer is configured yet: a virtual one takes its place. `prn config path` names the file for yours.'
    : undefined
  await runDaemon({ config, preset, only, hint })
}
