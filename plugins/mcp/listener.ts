import { InMemoryServerEventBus, type ServerEventBus } from '@modelcontextprotocol/server'
import type { Kernel } from '../../core/index.js'
import type { ServerContext } from './types.js'

/** Notifications for one listening client. */
export interface Listener {
  readonly bus: ServerEventBus
  /** Subscribes to the resources of the request. @returns the request without addresses that match no resource */
  narrowed (request: unknown): unknown
  close (): void
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

/** The part of `subscriptions/listen` that matters here; the library validates it. */
interface Listen { readonly params?: { readonly notifications?: { readonly resourceSubscriptions?: unknown } } }

/** @param view the kernel, restricted to what the client may see */
export function createListener ({ clientRegistry, resources }: ServerContext, view: Kernel): Listener {
  const bus = new InMemoryServerEventBus()
  const clients = new Map<unknown, object>() // by address, since one resource may be subscribed under two

  function watch (uri: unknown): boolean {
    if (typeof uri !== 'string') return true // the library refuses it
    const client = clients.get(uri) ?? {}
    clients.set(uri, client)
    return resources.subscribe(client, uri,
      async changed => bus.publish({ kind: 'resource_updated', uri: changed }), view)
  }

  clientRegistry.join(bus, {
    log: async () => {}, // this revision has no unsolicited log messages
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
