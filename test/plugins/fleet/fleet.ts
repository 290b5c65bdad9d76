import type { Test } from 'tap'
import hub from '../../../presets/hub/index.js'
import { boot, type Booted, type BootOptions } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { giveKey, HUB_KEY } from './keys.js'

type Options = Readonly<Record<string, unknown>>

/** A service with virtual printers that offers them to a fleet. */
export function bootNode (t: Test, fleet: Options, options: BootOptions = {}): Promise<Booted> {
  const config = options.config ?? {}
  const plugins = { fleet, ...config.plugins as Options }
  return boot(t, { ...options, config: { dataDir: testFolder(t), ...config, plugins } })
}

/** It is shown, and its node does what this hub asks. */
export const isThere = ({ kernel }: Booted, name: string): boolean => {
  const { live = false, remote } = kernel.printers.get(name) ?? {}
  return live && remote?.reachable === true
}

/** A hub that shows all these printers, and waits until it does. */
export async function bootHub (t: Test, fleet: Options, printers: readonly string[], options: BootOptions = {}):
Promise<Booted> {
  const { dataDir = testFolder(t), plugins } = options.config ?? {}
  await giveKey(String(dataDir), HUB_KEY)
  const booted = await boot(t, {
    preset: hub,
    models: [],
    ...options,
    config: { ...options.config, dataDir, plugins: { fleet, ...plugins as Options } }
  })
  await eventually(() => printers.every(name => isThere(booted, name)), 30_000)
  return booted
}
