import { isServiceError, PluginSkipped } from '../errors.js'
import { culpritOf } from './select-plugins.js'
import type { Kernel, OutsidePlugin, SkippedPlugin } from './types.js'

/**
 * Makes and starts a kernel. Where a plugin from outside fails on the way, all is closed and made anew without it: what
 * the plugin had registered until then, such as routes and listeners, goes with the first kernel.
 * @param create makes a kernel without these plugins; called again after each one that failed
 * @throws what is wrong with a plugin that comes with the application, and whatever else `start` throws; all is closed
 */
export async function startSkipping (create: (skipped: readonly SkippedPlugin[]) => Promise<Kernel>,
  options?: Parameters<Kernel['start']>[0]): Promise<Kernel> {
  let skipped: readonly SkippedPlugin[] = []
  /** Why all plugins from outside were left out, where none of them could be blamed. */
  let suspicion: unknown
  for (;;) {
    const kernel = await create(skipped)
    try {
      await kernel.start(options)
      return kernel
    } catch (error) {
      const isStopped = kernel.signal.aborted
      await kernel.close()
      const { outside } = kernel
      if (isStopped || outside.length === 0) throw suspicion ?? error
      const culprit = culpritOf(error, outside)
      if (culprit === undefined && !isOfPlugins(error)) throw error
      if (culprit === undefined) suspicion = error
      skipped = [...kernel.skipped, ...culprit === undefined
        ? outside.map(entry => skippedFor(entry, error))
        : [{ ...nameOf(culprit), error: ownError(error, culprit) }]]
    }
  }
}

const nameOf = ({ reference, plugin: { name } }: OutsidePlugin) => ({ reference, plugin: name })

/** It has to do with plugins: a port that is taken has not. */
const isOfPlugins = (error: unknown): boolean => !isServiceError(error) || error.code === 'PRN_ERR_PLUGIN_SETUP'

const skippedFor = (entry: OutsidePlugin, error: unknown): SkippedPlugin => ({
  ...nameOf(entry),
  error: new PluginSkipped(entry.plugin.name, `the service does not start with it: ${(error as Error).message}`, { cause: error })
})

/** Where a built-in plugin stumbles over what another contributes, the cause names the other. */
function ownError (error: unknown, culprit: OutsidePlugin): SkippedPlugin['error'] {
  const { extra, cause } = (error ?? {}) as { extra?: { plugins?: readonly string[] }, cause?: unknown }
  const isOwn = extra?.plugins?.includes(culprit.plugin.name) === true
  if (!isOwn && cause !== undefined) return ownError(cause, culprit)
  return isServiceError(error) ? error : new PluginSkipped(culprit.plugin.name, String(error))
}
