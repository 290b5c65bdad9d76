import type { Test } from 'tap'
import hub from '../../../presets/hub/index.js'
import { boot, type Booted, type BootOptions } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'

type Options = Readonly<Record<string, unknown>>

/** A service with virtual printers that offers them to a fleet. */
export function bootNode (t: Test, fleet: Options, options: BootOptions = {}): Promise<Booted> {
  const config = options.config ?? {}
  const plugins = { fleet, ...config.plugins as Options }
  return boot(t, { ...options, config: { dataDir: testFolder(t), ...config, plugins } })
}

/** A hub that shows all these printers, and waits until it does. */
export async function bootHub (t: Test, fleet: Options, printers: readonly string[], options: BootOptions = {}):
Promise<Booted> {
  const booted = await boot(t, {
    preset: hub,
    models: [],
    ...options,
    config: { dataDir: testFolder(t), ...options.config, plugins: { fleet, ...options.config?.plugins as Options } }
  })
  await eventually(() => printers.every(name => booted.kernel.printers.get(name)?.live), 30_000)
  return booted
}
