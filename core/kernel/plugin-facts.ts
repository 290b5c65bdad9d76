import type { PluginFault } from './plugin-faults.js'
import type { PluginSelection } from './select-plugins.js'
import type { Contributions, Effect, Kernel } from './types.js'

type Route = Contributions['routes']
type Tool = Contributions['tools']

interface OperationFacts { readonly does: string, readonly effect: Effect }

/** Description of a plugin and its contributions. */
export interface PluginFacts {
  readonly name: string
  readonly version: string
  /** Range of compatible kernel versions. */
  readonly kernel: string
  readonly description: string
  /** Added by the configuration, not part of the application. */
  readonly outside: boolean
  readonly uses: readonly string[]
  readonly needs: readonly string[]
  readonly provides: readonly string[]
  readonly routes: readonly ({ readonly method: string, readonly path: string } & OperationFacts)[]
  readonly tools: readonly ({ readonly name: string } & OperationFacts)[]
  /** Names of its stored settings. */
  readonly settings: readonly string[]
  /** Number of its entries in each list, including routes and tools. */
  readonly contributes: Readonly<Record<string, number>>
  /** Its failures since the service started. */
  readonly faults: readonly PluginFault[]
}

const operationFacts = ({ operation: { summary, effect } }: Route | Tool): OperationFacts => ({ does: summary, effect })

/** Source of the facts: a kernel, or plugins that were only selected. */
export interface FactSource extends Pick<Kernel, 'plugins' | 'contributionsOf'> {
  readonly pluginFaults: Pick<Kernel['pluginFaults'], 'isOutside' | 'faults'>
}

/** Facts of plugins that are not running. */
export const selectionFacts = ({ resolved, outside, contributions }: PluginSelection): PluginFacts[] => pluginFacts({
  plugins: new Map(resolved.map(({ plugin }) => [plugin.name, plugin])),
  contributionsOf: contributions.by,
  pluginFaults: { isOutside: name => outside.some(({ plugin }) => plugin.name === name), faults: () => [] }
})

/** Every plugin of a kernel, in dependency order. */
export const pluginFacts = ({ plugins, contributionsOf, pluginFaults }: FactSource): PluginFacts[] =>
  [...plugins.values()].map(plugin => {
    const { name, version, kernel: range, description = '', uses = [], needs = [], provides = [], settings } = plugin
    const lists = contributionsOf(name)
    const { routes = [], tools = [] } = lists as { routes?: readonly Route[], tools?: readonly Tool[] }
    return {
      name,
      version,
      kernel: range,
      description,
      outside: pluginFaults.isOutside(name),
      uses,
      needs,
      provides,
      routes: routes.map(binding => ({ method: binding.method, path: binding.path, ...operationFacts(binding) })),
      tools: tools.map(binding => ({ name: binding.name, ...operationFacts(binding) })),
      settings: Object.keys(settings?.schema.properties ?? {}),
      contributes: Object.fromEntries(Object.entries(lists).map(([kind, { length }]) => [kind, length])),
      faults: pluginFaults.faults(name)
    }
  })
