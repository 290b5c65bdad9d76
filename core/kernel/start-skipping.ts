import { isServiceError, PluginSkipped } from '../errors.js'
import { culpritOf } from './select-plugins.js'
import type { Kernel, OutsidePlugin, SkippedPlugin } from './types.js'

/**
 * Creates and starts a kernel. If an outside plugin fails meanwhile, everything is closed and created again without it:
 * what the plugin had registered, such as routes and listeners, goes with the first kernel.
 * @param create creates a kernel without these plugins; called again after each failure
 * @throws errors of built-in plugins, and whatever else `start` throws, after closing everything
 */
export async function startSkipping (create: (skipped: readonly SkippedPlugin[]) => Promise<Kernel>,
  options?: Parameters<Kernel['start']>[0]): Promise<Kernel> {
  let skipped: readonly SkippedPlugin[] = []
  /** Why all outside plugins were skipped, if none of them could be identified as the cause. */
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

/** Whether plugins may have caused it, unlike a port that is taken. */
const isOfPlugins = (error: unknown): boolean => !isServiceError(error) || error.code === 'PRN_ERR_PLUGIN_SETUP'

const skippedFor = (entry: OutsidePlugin, error: unknown): SkippedPlugin => ({
  ...nameOf(entry),
  error: new PluginSkipped(entry.plugin.name, `the service does not start with it: ${(error as Error).message}`, { cause: error })
})

/** If a built-in plugin fails because of another's contribution, the cause names the other. */
function ownError (error: unknown, culprit: OutsidePlugin): SkippedPlugin['error'] {
  const { extra, cause } = (error ?? {}) as { extra?: { plugins?: readonly string[] }, cause?: unknown }
  const isOwn = extra?.plugins?.includes(culprit.plugin.name) === true
  if (!isOwn && cause !== undefined) return ownError(cause, culprit)
  return isServiceError(error) ? error : new PluginSkipped(culprit.plugin.name, String(error))
}
