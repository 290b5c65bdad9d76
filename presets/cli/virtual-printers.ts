import { InvalidArgumentError } from 'commander'
import { definePreset, type Config, type Preset } from '../../core/index.js'
import { parseModel, type ModelName } from '../../plugins/emulator/index.js'

/** Parses `x1c,h2d` to model names, for commander. */
export function modelsOf (list: string): ModelName[] {
  const names = list.split(',').map(text => text.trim()).filter(text => text !== '')
  if (names.length === 0) throw new InvalidArgumentError('at least one model is needed')
  try {
    return names.map(parseModel)
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message)
  }
}

const WITHOUT = {
  new: 'No printer is configured: using a virtual one.',
  off: 'No printer is configured, and virtual printers are off (plugins.emulator).',
  served: 'No printer is configured. To try virtual ones, run `prnd demo`.'
}

/**
 * The notice of a service without configured printers: that a virtual one is used, or why not.
 * @param why the data folder is new, the configuration disables virtual printers, or there was a printer before
 */
export const emptyHint = (why: keyof typeof WITHOUT): string => `${WITHOUT[why]} Add yours with \`prnd printers add\`.`

/** For an application without virtual printers, where `plugins.emulator: false` must not be an error. */
export function withoutSwitch (config: Config): Config {
  const { emulator, ...plugins } = config.plugins
  return emulator === false ? { ...config, plugins } : config
}

export interface VirtualOptions {
  readonly models: readonly string[]
  readonly speed: number
  /** Remove them as soon as another printer is added. */
  readonly standIn?: boolean
}

/** Names of virtual printers of these models. */
export const virtualNames = async (models: readonly ModelName[]): Promise<string[]> =>
  (await import('../../plugins/emulator/index.js')).fleetNames(models)

/** Adds virtual printers to an application; loads the emulator, which is large, only here. */
export async function withVirtual ({ name, plugins }: Preset, { models, speed, standIn = false }: VirtualOptions):
Promise<Preset> {
  const { default: emulator } = await import('../../plugins/emulator/index.js')
  return definePreset({ name, plugins: [plugins, [emulator, { models, speed, announce: true, standIn }]] })
}
