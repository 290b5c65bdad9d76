import type { Dispose, FaultGuard, Kernel, Resource, ResourceContent } from '../../core/index.js'
import { runGuarded } from './run-guarded.js'
import { startingWith } from './completion.js'
import { asJpeg } from './pictures.js'

/** Notifies one client that a resource has changed. */
type Update = (uri: string) => Promise<void>

type Described = { name: string, title?: string, description: string, mimeType: string }
type Content = { uri: string, mimeType: string } & ({ text: string } | { blob: string })

/** Lists, reads and watches resources for all sessions. `view` is the kernel, restricted to what the caller may see. */
export interface ResourceRegistry {
  list (view?: Kernel): (Described & { uri: string })[]
  templates (): (Described & { uriTemplate: string })[]
  /** @returns undefined if there is no such resource @throws RpcError if its plugin throws */
  read (uri: string, view?: Kernel): Promise<Content[] | undefined>
  complete (uri: string, typed: string, view?: Kernel): readonly string[]
  /** @returns false if there is no such resource */
  subscribe (client: object, uri: string, update: Update, view?: Kernel): boolean
  unsubscribe (client: object, uri: string): void
  /** Removes all subscriptions of a client. */
  drop (client: object): void
  /** Starts watching for changes. Requires that every plugin is set up, because resources use their services. */
  watch (): void
  close (): void
}

/** The only resource without a printer in its address that is itself restricted to the caller's printers. */
const PRINTERS = 'prnd://printers'

const PART = /\{[^}]+\}/
const isTemplate = ({ uri }: Resource) => PART.test(uri)
const expand = (uri: string, value: string) => uri.replace(PART, () => encodeURIComponent(value))

/** The value of the template's variable in an address; empty for a plain match, undefined for no match. */
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

/** Default interval of change notifications; the last change is always announced. */
const ANNOUNCE_EVERY_MS = 1_000

/** The subscribers of one resource, each with the address it used. */
interface Watched {
  readonly clients: Map<object, { readonly uri: string, readonly update: Update }>
  announcedAt: number
  timer: NodeJS.Timeout | undefined
}

export function createResourceRegistry (kernel: Kernel, resources: readonly Resource[]): ResourceRegistry {
  /** By canonical address, since clients may encode it differently. */
  const watched = new Map<string, Watched>()

  const guardOf = (resource: Resource): FaultGuard =>
    kernel.pluginFaults.guard(kernel.originOf(resource), 'resource', resource.uri)

  const follow = ({ uri, everyMs, ...resource }: Resource) =>
    resource.watch?.(kernel, value => changed(expand(uri, value), everyMs))
  const valuesOf = (resource: Resource, view = kernel) => guardOf(resource).run(() => resource.values?.(view)) ?? []
  /** A caller restricted to some printers sees only resources that respect the view. */
  const isFor = (resource: Resource, view: Kernel) =>
    view === kernel || resource.values !== undefined || resource.uri === PRINTERS
  let undo: readonly Dispose[] = []

  function announce (one: Watched): void {
    one.timer = undefined
    one.announcedAt = kernel.now()
    for (const { uri, update } of one.clients.values()) update(uri).catch(() => {}) // the client may have disconnected
  }

  function changed (uri: string, everyMs = ANNOUNCE_EVERY_MS): void {
    const one = watched.get(uri)
    if (!one || one.timer) return
    const wait = one.announcedAt + everyMs - kernel.now()
    if (wait <= 0) return announce(one)
    one.timer = setTimeout(announce, Math.min(wait, everyMs), one).unref()
  }

  /** The canonical address of an existing resource. */
  function canonical (uri: string, view: Kernel): string | undefined {
    for (const resource of resources.filter(one => isFor(one, view))) {
      const value = valueIn(resource, uri)
      if (value === undefined) continue
      if (!resource.values || valuesOf(resource, view).includes(value)) return expand(resource.uri, value)
    }
    return undefined
  }

  function forget (client: object, key: string): void {
    const one = watched.get(key)
    one?.clients.delete(client)
    if (one?.clients.size !== 0) return
    clearTimeout(one.timer)
    watched.delete(key)
  }

  async function render (uri: string, { mimeType }: Resource, content: ResourceContent): Promise<Content> {
    if ('picture' in content) return { uri, mimeType: 'image/jpeg', blob: await asJpeg({ bytes: content.picture }) }
    // A picture resource may return text instead, such as an error.
    const textType = mimeType.startsWith('image/') ? 'application/json' : mimeType
    return 'text' in content
      ? { uri, mimeType: textType, text: kernel.redact(content.text) }
      : { uri, mimeType, blob: Buffer.from(content.bytes).toString('base64') }
  }

  const described = ({ name, title, description, mimeType }: Resource) =>
    ({ name, ...(title !== undefined && { title }), description, mimeType })

  const expanded = (resource: Resource, value: string) => ({
    ...described(resource),
    uri: expand(resource.uri, value),
    name: `${resource.name}: ${value}`,
    ...(resource.title !== undefined && { title: `${resource.title}: ${value}` })
  })

  return {
    list: (view = kernel) => resources.filter(one => isFor(one, view)).flatMap(resource => isTemplate(resource)
      ? valuesOf(resource, view).map(value => expanded(resource, value))
      : [{ uri: resource.uri, ...described(resource) }]),
    templates: () => resources.filter(isTemplate)
      .map(resource => ({ uriTemplate: resource.uri, ...described(resource) })),
    async read (uri, view = kernel) {
      for (const resource of resources.filter(one => isFor(one, view))) {
        const value = valueIn(resource, uri)
        const isHidden = view !== kernel && resource.values && !valuesOf(resource, view).includes(value ?? '')
        if (isHidden) continue
        const answer = value === undefined
          ? undefined
          : await runGuarded(kernel, resource, 'resource', resource.uri, () => resource.read(view, value))
        if (answer) return await Promise.all([answer].flat().map(content => render(uri, resource, content)))
      }
      return undefined
    },
    complete (uri, typed, view = kernel) {
      const template = resources.find(resource => resource.uri === uri)
      return startingWith(template ? valuesOf(template, view) : [], typed)
    },
    subscribe (client, uri, update, view = kernel) {
      const key = canonical(uri, view)
      if (key === undefined) return false
      const one = watched.get(key) ?? { clients: new Map(), announcedAt: 0, timer: undefined }
      watched.set(key, one)
      one.clients.set(client, { uri, update })
      return true
    },
    unsubscribe (client, uri) {
      for (const [key, { clients }] of watched) if (clients.get(client)?.uri === uri || key === uri) forget(client, key)
    },
    drop (client) { for (const key of [...watched.keys()]) forget(client, key) },
    watch () { undo = resources.flatMap(resource => guardOf(resource).run(() => follow(resource)) ?? []) },
    close () {
      for (const off of undo) off()
      for (const { timer } of watched.values()) clearTimeout(timer)
    }
  }
}
