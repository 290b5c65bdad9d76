import { Duplicate } from './errors.js'
import type { AnyOperation } from './operation.js'
import type { ArrangedPlugin, Contributed, Contributions } from './plugin.js'

/** All lists that plugins add to, evaluated once. */
export interface ContributionIndex {
  readonly operations: ReadonlyMap<string, AnyOperation>
  of<K extends keyof Contributions> (kind: K): readonly Contributions[K][]
  originOf (contribution: object): string | undefined
}

/** @throws PRN_ERR_DUPLICATE for two operations, routes or tools of one name */
export function createContributions (plugins: readonly ArrangedPlugin[]): ContributionIndex {
  const lists = new Map<string, object[]>()
  const origins = new Map<object, string>()
  for (const { plugin, options } of plugins) {
    const contributed: Contributed = typeof plugin.contributes === 'function'
      ? plugin.contributes(options)
      : plugin.contributes ?? {}
    for (const [kind, values] of Object.entries(contributed)) {
      const list = lists.get(kind) ?? []
      lists.set(kind, list)
      for (const value of values as readonly object[]) {
        list.push(value)
        origins.set(value, plugin.name)
      }
    }
  }
  const of = <K extends keyof Contributions> (kind: K) =>
    (lists.get(kind) ?? []) as unknown as readonly Contributions[K][]
  const originOf = (value: object) => origins.get(value)
  checkUnique('Route', of('routes'), ({ method, path }) => `${method} ${path}`, originOf)
  checkUnique('Tool', of('tools'), ({ name }) => name, originOf)
  return { of, originOf, operations: indexOperations([...of('routes'), ...of('tools')], originOf) }
}

function checkUnique<T extends object> (what: string, values: readonly T[], nameOf: (value: T) => string,
  originOf: (value: T) => string | undefined): void {
  const seen = new Map<string, T>()
  for (const value of values) {
    const name = nameOf(value)
    const first = seen.get(name)
    if (first) throw new Duplicate(`${what} '${name}'`, originOf(first) ?? '?', originOf(value) ?? '?')
    seen.set(name, value)
  }
}

function indexOperations (faces: readonly { operation: AnyOperation }[],
  originOf: (face: object) => string | undefined): ReadonlyMap<string, AnyOperation> {
  const operations = new Map<string, AnyOperation>()
  const origins = new Map<string, string>()
  for (const face of faces) {
    const { name } = face.operation
    const first = operations.get(name)
    if (first && first !== face.operation) {
      throw new Duplicate(`Operation '${name}'`, origins.get(name) ?? '?', originOf(face) ?? '?')
    }
    operations.set(name, face.operation)
    origins.set(name, originOf(face) ?? '?')
  }
  return operations
}
