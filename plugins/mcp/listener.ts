import { InMemoryServerEventBus, type ServerEventBus } from '@modelcontextprotocol/server'
import type { Kernel } from '../../core/index.js'
import type { ServerContext } from './types.js'

/** What one client is told that listens. */
export interface Listener {
  readonly bus: ServerEventBus
  /** @returns the request without addresses that stand for nothing; its other resources are watched from now on */
  narrowed (request: unknown): unknown
  close (): void
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

/** A `subscriptions/listen` as far as it matters here; the library checks it. */
interface Listen { readonly params?: { readonly notifications?: { readonly resourceSubscriptions?: unknown } } }

/** @param view the kernel as the client may see it */
export function createListener ({ clientRegistry, resources }: ServerContext, view: Kernel): Listener {
  const bus = new InMemoryServerEventBus()
  const clients = new Map<unknown, object>() // by address: two addresses of one resource are told apart

  function watch (uri: unknown): boolean {
    if (typeof uri !== 'string') return true // for the library to refuse
    const client = clients.get(uri) ?? {}
    clients.set(uri, client)
    return resources.subscribe(client, uri,
      async changed => bus.publish({ kind: 'resource_updated', uri: changed }), view)
  }

  clientRegistry.join(bus, {
    log: async () => {}, // this revision has no messages that nobody asked for
    resourcesChanged: async () => bus.publish({ kind: 'resources_list_changed' })
  })
  return {
    bus,
    narrowed (request) {
      const { params } = request as Listen
      const uris = params?.notifications?.resourceSubscriptions
      if (!isList(uris)) return request
      const notifications = { ...params?.notifications, resourceSubscriptions: uris.filter(watch) }
      return { ...request as Listen, params: { ...params, notifications } }
    },
    close () {
      clientRegistry.leave(bus)
      for (const client of clients.values()) resources.drop(client)
    }
  }
}
