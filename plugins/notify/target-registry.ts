import type { ConnectionEntry, Connections, ConnectionReport, ConnectionSpec } from '../../core/index.js'
import { connectionOf, openTargets, type Options, type Target, type TargetsContext } from './options.js'

/** The targets in use, those of the configuration file and those that were added since. */
export class TargetRegistry {
  readonly #targets = new Map<string, Target>()
  readonly #reports = new Map<string, ConnectionEntry>()
  readonly #connections: Pick<Connections, 'add'>

  constructor (connections: Pick<Connections, 'add'>) {
    this.#connections = connections
  }

  /** Live: changes with `put` and `remove`. */
  get targets (): ReadonlyMap<string, Target> { return this.#targets }

  /** Live, by the name of the target. */
  get reports (): ReadonlyMap<string, ConnectionReport> { return this.#reports }

  /** Adds a target, or replaces the one of its name. */
  put (target: Target, spec: ConnectionSpec): void {
    const { name } = target
    this.#reports.get(name)?.remove()
    this.#targets.set(name, target)
    this.#reports.set(name, this.#connections.add(spec))
  }

  remove (name: string): void {
    this.#reports.get(name)?.remove()
    this.#targets.delete(name)
    this.#reports.delete(name)
  }
}

/** The targets of the configuration file. @throws PRN_ERR_CONFIG */
export async function openRegistry (options: Options, context: TargetsContext,
  connections: Pick<Connections, 'add'>): Promise<TargetRegistry> {
  const registry = new TargetRegistry(connections)
  for (const [name, target] of await openTargets(options, context)) {
    const { type, ...own } = options.targets[name] ?? { type: target.type }
    registry.put(target, connectionOf(name, type, own))
  }
  return registry
}
