import { readConfig } from '../../../core/index.js'
import type { ModelName } from '../../../plugins/emulator/index.js'
import daemonPreset from '../../daemon/index.js'
import { hasServedPrinters } from '../../demo.js'
import { runDaemon } from '../../daemon/main.js'
import { offerToken } from '../offer-token.js'
import { emptyHint, virtualNames, withoutSwitch, withVirtual } from '../virtual-printers.js'

interface DaemonOptions {
  readonly config?: string
  /** Virtual printers to add; true for the default one. */
  readonly demo?: readonly ModelName[] | true
  /** Ignore the configured printers, and use a data folder of its own. */
  readonly only?: boolean
  /** Skip the plugins that the configuration adds. */
  readonly safe?: boolean
  readonly speed: number
}

/** Its camera works without ffmpeg, and therefore on every machine. */
const USUAL: readonly ModelName[] = ['P1S']

interface Virtual {
  /** Undefined: the service runs without virtual printers. */
  readonly models?: readonly ModelName[]
  /** Remove them when a printer is added. */
  readonly standIn?: boolean
  readonly hint?: string
}

/**
 * Without a configured printer a virtual one is used, so that everything can be tried at once. After the last printer
 * was removed it would be the only one of real rules, plugs and records.
 */
async function virtualFor ({ demo, config }: DaemonOptions): Promise<Virtual> {
  if (demo !== undefined) return { models: demo === true ? USUAL : demo }
  const { config: known } = await readConfig(config)
  if (known.printers.length > 0) return {}
  if (known.plugins.emulator === false) return { hint: emptyHint('off') }
  return hasServedPrinters(known)
    ? { hint: emptyHint('served') }
    : { hint: emptyHint('new'), models: USUAL, standIn: true }
}

export default async function daemon (options: DaemonOptions): Promise<void> {
  const { config, only = false, safe, speed } = options
  if (!only) await offerToken(config)
  const { models, standIn = false, hint } = await virtualFor(options)
  const preset = models === undefined ? daemonPreset : await withVirtual(daemonPreset, { models, speed, standIn })
  const names = only ? await virtualNames(models ?? []) : undefined
  const adapt = models === undefined ? { adapt: withoutSwitch } : {}
  await runDaemon({ config, preset, only: names, isDemo: only, safe, hint, ...adapt })
}
