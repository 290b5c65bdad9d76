import { Duplicate, PluginLoad } from '../errors.js'
import { closestMatch } from '../util/closest-match.js'
import { CONTRIBUTION_LISTS } from './contribution-lists.data.js'
import { misspeltIn } from './operation.js'
import type { ResolvedPlugin } from './resolve-plugins.js'
import type { AnyOperation, Contributions, Services } from './types.js'

/** The contributions of all plugins, evaluated once. */
export interface ContributionIndex {
  readonly operations: ReadonlyMap<string, AnyOperation>
  of<K extends keyof Contributions> (kind: K): readonly Contributions[K][]
  /** Name of the plugin that made a contribution, or the operation behind it. */
  originOf (contribution: object): string | undefined
  /** The contributions of a plugin, by list. */
  by (plugin: string): Readonly<Record<string, readonly object[]>>
}

const BINDINGS: ReadonlySet<string> = new Set(['routes', 'tools'])

/** @throws PRN_ERR_DUPLICATE for two operations, routes or tools of one name, PRN_ERR_PLUGIN_LOAD for an invalid one */
export function createContributions (plugins: readonly ResolvedPlugin[], services: Readonly<Services>):
ContributionIndex {
  const lists = new Map<string, object[]>()
  const origins = new Map<object, string>()
  const own = new Map<string, Readonly<Record<string, readonly object[]>>>()
  for (const entry of plugins) {
    const contributed = contributedBy(entry, services)
    own.set(entry.plugin.name, Object.fromEntries(contributed))
    for (const [kind, values] of contributed) {
      const list = lists.get(kind) ?? []
      lists.set(kind, list)
      for (const value of values) {
        list.push(value)
        origins.set(value, entry.plugin.name)
        const { operation } = value as { operation?: object }
        // The first one has it: a built-in operation that a plugin offers too is not suspended with that plugin.
        const isBound = BINDINGS.has(kind) && operation !== undefined && !origins.has(operation)
        if (isBound) origins.set(operation, entry.plugin.name)
      }
    }
  }
  const of = <K extends keyof Contributions> (kind: K) =>
    (lists.get(kind) ?? []) as unknown as readonly Contributions[K][]
  const originOf = (value: object) => origins.get(value)
  checkUnique('Route', of('routes'), ({ method, path }) => `${method} ${path}`, originOf)
  checkUnique('Tool', of('tools'), ({ name }) => name, originOf)
  const by = (plugin: string) => own.get(plugin) ?? {}
  const inward = of('operations').map(operation => ({ operation }))
  return { of, originOf, by, operations: indexOperations([...of('routes'), ...of('tools'), ...inward], originOf) }
}

/** An error in a plugin's contributions. */
const contributionError = (plugin: string, problem: string, cause?: unknown): Error =>
  new PluginLoad(plugin, problem, { cause }).with({ plugins: [plugin] })

/** The contributions of one plugin, by list. Errors name the plugin. */
function contributedBy ({ plugin: { name, contributes }, options, settings }: ResolvedPlugin,
  services: Readonly<Services>): [kind: string, readonly object[]][] {
  let contributed: unknown
  try {
    contributed = typeof contributes === 'function' ? contributes(options, services, settings) : contributes ?? {}
  } catch (error) {
    throw contributionError(name, `its contributions failed: ${(error as Error)?.message ?? error}`, error)
  }
  if (typeof contributed !== 'object' || contributed === null) throw contributionError(name, 'its contributions are no object')
  const lists = Object.entries(contributed)
  for (const [kind, values] of lists) {
    const misspelt = misspeltList(kind)
    if (misspelt !== undefined) throw contributionError(name, misspelt)
    if (!Array.isArray(values)) throw contributionError(name, `its contribution '${kind}' is no list`)
    const wrong = values.findIndex(value => !isContribution(kind, value))
    const problem = values.map(value => misspeltOperation(kind, value)).find(text => text !== undefined)
    if (problem !== undefined) throw contributionError(name, problem)
    if (wrong >= 0) throw contributionError(name, `its contribution ${kind}[${wrong}] ${EXPECTED[kind] ?? 'is no object'}`)
  }
  return lists
}

/** In shorter names, two edits make another word: a plugin's own list `lamps` is not a misspelt `apps`. */
const SHORT = 5

/** An unknown list may be another plugin's own, unless it resembles a known one. */
function misspeltList (kind: string): string | undefined {
  const known = Object.keys(CONTRIBUTION_LISTS)
  const close = known.includes(kind) ? undefined : closestMatch(kind, known, kind.length <= SHORT ? 1 : 2)
  return close === undefined ? undefined : `unknown contribution '${kind}'; did you mean '${close}'?`
}

/** Also checks plain objects, which did not go through `operation`. */
function misspeltOperation (kind: string, value: unknown): string | undefined {
  const { operation = kind === 'operations' ? value : undefined } = (value ?? {}) as { operation?: unknown }
  if (typeof operation !== 'object' || operation === null) return undefined
  const problem = misspeltIn(operation)
  return problem === undefined ? undefined : `operation '${(operation as AnyOperation).name}': ${problem}`
}

const EXPECTED: Readonly<Record<string, string>> = {
  routes: 'was not made with route()',
  tools: 'was not made with tool()'
}

const isContribution = (kind: string, value: unknown): boolean =>
  typeof value === 'object' && value !== null &&
  (!(kind in EXPECTED) || typeof (value as { operation?: AnyOperation }).operation?.name === 'string')

const duplicate = (what: string, first = '?', second = '?') =>
  new Duplicate(what, first, second).with({ plugins: [first, second] })

function checkUnique<T extends object> (what: string, values: readonly T[], nameOf: (value: T) => string,
  originOf: (value: T) => string | undefined): void {
  const seen = new Map<string, T>()
  for (const value of values) {
    const name = nameOf(value)
    const first = seen.get(name)
    if (first) throw duplicate(`${what} '${name}'`, originOf(first), originOf(value))
    seen.set(name, value)
  }
}

function indexOperations (bindings: readonly { operation: AnyOperation }[],
  originOf: (binding: object) => string | undefined): ReadonlyMap<string, AnyOperation> {
  const operations = new Map<string, AnyOperation>()
  const origins = new Map<string, string>()
  for (const binding of bindings) {
    const { name } = binding.operation
    const first = operations.get(name)
    if (first && first !== binding.operation) {
      throw duplicate(`Operation '${name}'`, origins.get(name), originOf(binding))
    }
    operations.set(name, binding.operation)
    origins.set(name, originOf(binding) ?? '?')
  }
  return operations
}

/**
 * Processes one contribution of a plugin.
 * @throws PRN_ERR_PLUGIN_LOAD with that plugin's name if the work throws
 */
export function takeUp<T> (plugin: string, what: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw contributionError(plugin, `${what}: ${error instanceof Error ? error.message : String(error)}`, error)
  }
}
