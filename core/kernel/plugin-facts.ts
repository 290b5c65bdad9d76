import type { PluginFault } from './plugin-faults.js'
import type { PluginSelection } from './select-plugins.js'
import type { Contributions, Effect, Kernel } from './types.js'

type Route = Contributions['routes']
type Tool = Contributions['tools']

interface OperationFacts { readonly does: string, readonly effect: Effect }

/** What a plugin is, and what it adds, in words and figures. */
export interface PluginFacts {
  readonly name: string
  readonly version: string
  /** Range of kernel versions it works with. */
  readonly kernel: string
  readonly description: string
  /** It came by the configuration, not with the application. */
  readonly outside: boolean
  readonly uses: readonly string[]
  readonly needs: readonly string[]
  readonly provides: readonly string[]
  readonly routes: readonly ({ readonly method: string, readonly path: string } & OperationFacts)[]
  readonly tools: readonly ({ readonly name: string } & OperationFacts)[]
  /** How many entries it adds to each list, routes and tools among them. */
  readonly contributes: Readonly<Record<string, number>>
  /** What went wrong in it since the service began. */
  readonly faults: readonly PluginFault[]
}

const operationFacts = ({ operation: { summary, effect } }: Route | Tool): OperationFacts => ({ does: summary, effect })

/** What facts are read from: a kernel, or plugins that were only selected. */
export interface FactSource extends Pick<Kernel, 'plugins' | 'contributionsOf'> {
  readonly pluginFaults: Pick<Kernel['pluginFaults'], 'isOutside' | 'faults'>
}

/** Facts of plugins that do not run. */
export const selectionFacts = ({ resolved, outside, contributions }: PluginSelection): PluginFacts[] => pluginFacts({
  plugins: new Map(resolved.map(({ plugin }) => [plugin.name, plugin])),
  contributionsOf: contributions.by,
  pluginFaults: { isOutside: name => outside.some(({ plugin }) => plugin.name === name), faults: () => [] }
})

/** Every plugin of a kernel, those that others need before them. */
export const pluginFacts = ({ plugins, contributionsOf, pluginFaults }: FactSource): PluginFacts[] =>
  [...plugins.values()].map(plugin => {
    const { name, version, kernel: range, description = '', uses = [], needs = [], provides = [] } = plugin
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
      routes: routes.map(face => ({ method: face.method, path: face.path, ...operationFacts(face) })),
      tools: tools.map(face => ({ name: face.name, ...operationFacts(face) })),
      contributes: Object.fromEntries(Object.entries(lists).map(([kind, { length }]) => [kind, length])),
      faults: pluginFaults.faults(name)
    }
  })
