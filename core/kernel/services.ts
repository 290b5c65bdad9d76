import { Duplicate, NoService } from '../errors.js'
import type { Services } from './plugin.js'

/** The language itself looks for these in whatever is awaited or written out. */
const ASKED_OF_ANYTHING = new Set(['then', 'toJSON'])

/** The services of a kernel: reading one that nobody provides throws and names it. */
export function createServices () {
  const services = new Map<string, { service: unknown, by: string }>()
  const view = new Proxy({} as Services, {
    get (_target, name) {
      const found = services.get(String(name))
      if (found) return found.service
      if (typeof name === 'symbol' || ASKED_OF_ANYTHING.has(name)) return undefined
      throw new NoService(name)
    },
    has: (_target, name) => services.has(String(name)),
    ownKeys: () => [...services.keys()],
    getOwnPropertyDescriptor: (_target, name) => services.has(String(name))
      ? { configurable: true, enumerable: true, value: services.get(String(name))?.service }
      : undefined
  })
  return {
    view: view as Readonly<Services>,
    provide (name: string, service: unknown, by: string): void {
      const first = services.get(name)
      if (first) throw new Duplicate(`Service '${name}'`, first.by, by)
      services.set(name, { service, by })
    }
  }
}
