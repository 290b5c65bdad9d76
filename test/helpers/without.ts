import type { PluginEntry } from '../../core/index.js'

/** The plugins of a preset but for those with these names, which a test sets up anew. */
export function without (entry: PluginEntry, ...names: readonly string[]): PluginEntry {
  if (Array.isArray(entry)) return entry.map(one => without(one, ...names))
  const { name = '' } = (entry ?? {}) as { name?: string }
  return names.includes(name) ? false : entry
}
