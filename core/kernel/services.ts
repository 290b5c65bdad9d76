import { Duplicate, NoService } from '../errors.js'
import type { Services } from './types.js'

/** JavaScript looks these up in every value that is awaited or serialised. */
const ASKED_OF_ANYTHING = new Set(['then', 'toJSON'])

type Provided = ReadonlyMap<string, { readonly service: unknown, readonly by: string }>

/** An object whose members are looked up at the time of access. */
const viewOf = (services: Provided, onMissing: (name: string) => void): object => new Proxy({}, {
  get (_target, name) {
    const found = services.get(String(name))
    if (found) return found.service
    if (typeof name === 'string' && !ASKED_OF_ANYTHING.has(name)) onMissing(name)
    return undefined
  },
  has: (_target, name) => services.has(String(name)),
  ownKeys: () => [...services.keys()],
  getOwnPropertyDescriptor: (_target, name) => services.has(String(name))
    ? { configurable: true, enumerable: true, value: services.get(String(name))?.service }
    : undefined
})

/** The services of a kernel: reading a missing one throws an error with its name, unless it is read as optional. */
export function createServices () {
  const services = new Map<string, { service: unknown, by: string }>()
  return {
    view: viewOf(services, name => { throw new NoService(name) }) as Readonly<Services>,
    optional: viewOf(services, () => {}) as Readonly<Partial<Services>>,
    provide (name: string, service: unknown, by: string): void {
      const first = services.get(name)
      if (first) throw new Duplicate(`Service '${name}'`, first.by, by).with({ plugins: [first.by, by] })
      services.set(name, { service, by })
    }
  }
}
