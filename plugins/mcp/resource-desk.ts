import type { Dispose, Kernel } from '../../core/index.js'
import { startingWith } from './completion.js'
import type { Resource } from './contributions.js'

/** Sends one client word that a resource has changed. */
type Update = (uri: string) => Promise<void>

type Described = { name: string, title?: string, description: string, mimeType: string }
type Content = { uri: string, mimeType: string } & ({ text: string } | { blob: string })

/** Lists, reads and watches resources for all sessions. */
export interface ResourceDesk {
  list (): (Described & { uri: string })[]
  templates (): (Described & { uriTemplate: string })[]
  /** @returns undefined when there is no such thing */
  read (uri: string): Promise<Content | undefined>
  complete (uri: string, typed: string): readonly string[]
  subscribe (client: object, uri: string, update: Update): void
  unsubscribe (client: object, uri: string): void
  /** The client is gone. */
  drop (client: object): void
  close (): void
}

const PART = /\{[^}]+\}/
const isTemplate = ({ uri }: Resource) => PART.test(uri)
const expand = (uri: string, value: string) => uri.replace(PART, encodeURIComponent(value))

/** The value of a template's part in an address; empty for a plain match, undefined for none. */
function valueIn ({ uri: pattern }: Resource, uri: string): string | undefined {
  if (!PART.test(pattern)) return pattern === uri ? '' : undefined
  const [before = '', after = ''] = pattern.split(PART)
  if (!uri.startsWith(before) || !uri.endsWith(after) || uri.length <= before.length + after.length) return undefined
  const part = uri.slice(before.length, uri.length - after.length)
  if (part.includes('/')) return undefined
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

/** A resource that changes faster is announced this often, with the last change always announced. */
const ANNOUNCE_EVERY_MS = 1_000

export function createResourceDesk (kernel: Kernel, resources: readonly Resource[]): ResourceDesk {
  const subscribers = new Map<string, Map<object, Update>>()
  const waiting = new Map<string, NodeJS.Timeout>()
  const announcedAt = new Map<string, number>()
  const undo: Dispose[] = resources.flatMap(({ uri, watch }) =>
    watch ? [watch(kernel, value => changed(expand(uri, value)))] : [])

  function announce (uri: string): void {
    waiting.delete(uri)
    announcedAt.set(uri, kernel.now())
    for (const update of subscribers.get(uri)?.values() ?? []) update(uri).catch(() => {}) // the client may be gone
  }

  function changed (uri: string): void {
    if (!subscribers.has(uri) || waiting.has(uri)) return
    const wait = Math.max(0, (announcedAt.get(uri) ?? 0) + ANNOUNCE_EVERY_MS - kernel.now())
    if (wait === 0) return announce(uri)
    waiting.set(uri, setTimeout(announce, Math.min(wait, ANNOUNCE_EVERY_MS), uri).unref())
  }

  function forget (client: object, uri: string): void {
    const clients = subscribers.get(uri)
    clients?.delete(client)
    if (clients?.size !== 0) return
    subscribers.delete(uri)
    announcedAt.delete(uri)
  }

  const described = ({ name, title, description, mimeType }: Resource) =>
    ({ name, ...(title !== undefined && { title }), description, mimeType })

  return {
    list: () => resources.flatMap(resource => isTemplate(resource)
      ? (resource.values?.(kernel) ?? []).map(value =>
          ({ ...described(resource), uri: expand(resource.uri, value), name: `${resource.name}: ${value}` }))
      : [{ uri: resource.uri, ...described(resource) }]),
    templates: () => resources.filter(isTemplate)
      .map(resource => ({ uriTemplate: resource.uri, ...described(resource) })),
    async read (uri) {
      for (const resource of resources) {
        const value = valueIn(resource, uri)
        const content = value === undefined ? undefined : await resource.read(kernel, value)
        if (!content) continue
        return 'text' in content
          ? { uri, mimeType: resource.mimeType, text: kernel.redact(content.text) }
          : { uri, mimeType: resource.mimeType, blob: Buffer.from(content.bytes).toString('base64') }
      }
      return undefined
    },
    complete (uri, typed) {
      const template = resources.find(resource => resource.uri === uri)
      return startingWith(template?.values?.(kernel) ?? [], typed)
    },
    subscribe (client, uri, update) {
      const clients = subscribers.get(uri) ?? new Map()
      subscribers.set(uri, clients.set(client, update))
    },
    unsubscribe: forget,
    drop (client) { for (const uri of [...subscribers.keys()]) forget(client, uri) },
    close () {
      for (const off of undo) off()
      for (const timer of waiting.values()) clearTimeout(timer)
    }
  }
}
