import type { Collection } from './collections.js'
import { BadCollection } from './errors.js'
import { isHealthField } from './health-history.js'

const NAME = /^[a-z][a-z0-9_]{0,39}$/

function problemOf ({ name, unit, read }: Collection): string | undefined {
  if (typeof name !== 'string' || !NAME.test(name)) {
    return 'the name must be lower-case letters, digits and underscores, 40 at most'
  }
  if (isHealthField(name)) return 'the job monitor has a value of the same name'
  if (typeof unit !== 'string') return 'unit must be a text'
  return typeof read === 'function' ? undefined : 'read must be a function'
}

/** @throws PRN_ERR_COLLECTION naming the collection and its plugin */
export function checkCollections (collections: readonly Collection[],
  originOf: (collection: Collection) => string): void {
  const seen = new Map<string, Collection>()
  for (const collection of collections) {
    const { name } = collection
    const first = seen.get(name)
    const problem = first ? `plugin '${originOf(first)}' has one of the same name` : problemOf(collection)
    if (problem !== undefined) throw new BadCollection(String(name), originOf(collection), problem)
    seen.set(name, collection)
  }
}
