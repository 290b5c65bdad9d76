import { isServiceError, PluginSkipped } from '../errors.js'
import type { Config } from './config.js'
import { createContributions, type ContributionIndex } from './contributions.js'
import { loadPlugin } from './loader.js'
import type { Preset } from './plugin.js'
import { checkConfigured, pluginNames, resolvePlugins, type ChosenPlugin, type ResolvedPlugin } from './resolve-plugins.js'
import { createServices } from './services.js'
import type { OutsidePlugin, SkippedPlugin } from './types.js'

export interface SelectOptions {
  /** Skipped from the start, each with its reason. */
  readonly skipped?: readonly SkippedPlugin[]
  /** Skips all outside plugins. */
  readonly safe?: boolean
}

/** The plugins of an application, before any of them is set up. */
export interface PluginSelection {
  readonly resolved: readonly ResolvedPlugin[]
  /** Plugins that the configuration adds, with their references. */
  readonly outside: readonly LoadedPlugin[]
  readonly skipped: readonly SkippedPlugin[]
  readonly services: ReturnType<typeof createServices>
  readonly contributions: ContributionIndex
}

interface LoadedPlugin extends ChosenPlugin { readonly reference: string }

/**
 * Loads and validates the plugins of an application and their contributions; none is set up. A broken outside plugin is
 * skipped, and so are those that need it.
 * @throws errors of built-in plugins; PRN_ERR_CONFIG
 */
export async function selectPlugins (preset: Preset, { plugins }: Pick<Config, 'plugins'>, configFile: string,
  { skipped: left = [], safe = false }: SelectOptions = {}): Promise<PluginSelection> {
  const own = pluginNames(preset.plugins)
  checkConfigured(plugins, own)
  const skipped: SkippedPlugin[] = [...left]
  const skip = (reference: string, plugin: string, error: unknown): [] => {
    if (!isServiceError(error) || error.code === 'PRN_ERR_CONFIG') throw error
    skipped.push({ reference, plugin, error })
    return []
  }
  const loaded = await Promise.all(Object.entries(plugins).map(async ([reference, options]) => {
    if (own.has(reference) || options === false || left.some(entry => entry.reference === reference)) return []
    if (safe) return skip(reference, reference, new PluginSkipped(reference, 'the service was started with --safe'))
    return await loadPlugin(reference, configFile, own).then(
      plugin => [{ reference, plugin, options: options as object }],
      (error: unknown) => skip(reference, reference, error))
  }))
  let outside: readonly LoadedPlugin[] = loaded.flat()
  for (;;) {
    try {
      const resolved = resolvePlugins(preset.plugins, plugins, outside)
      const services = createServices()
      return { resolved, outside, skipped, services, contributions: createContributions(resolved, services.view) }
    } catch (error) {
      const culprit = culpritOf(error, outside)
      if (culprit === undefined) throw error
      skip(culprit.reference, culprit.plugin.name, reasonOf(error, culprit, skipped))
      outside = outside.filter(entry => entry !== culprit)
    }
  }
}

/** The outside plugin that caused an error; of two that conflict, the later one. */
export function culpritOf<T extends OutsidePlugin> (error: unknown, outside: readonly T[]): T | undefined {
  const { extra, cause } = (error ?? {}) as { extra?: { plugins?: readonly string[] }, cause?: unknown }
  const inner = cause === undefined ? undefined : culpritOf(cause, outside)
  if (inner !== undefined) return inner
  const blamed = extra?.plugins?.findLast(name => outside.some(({ plugin }) => plugin.name === name))
  return outside.findLast(({ plugin }) => plugin.name === blamed)
}

/** A plugin whose dependency is skipped gets a message of its own, since the dependency itself exists. */
function reasonOf (error: unknown, { plugin }: LoadedPlugin, skipped: readonly SkippedPlugin[]): unknown {
  const needed = skipped.find(entry => plugin.needs?.includes(entry.plugin))
  const isMissing = isServiceError(error) && error.code === 'PRN_ERR_PLUGIN_MISSING'
  return isMissing && needed !== undefined
    ? new PluginSkipped(plugin.name, `it needs plugin '${needed.plugin}', which is skipped too`)
    : error
}
