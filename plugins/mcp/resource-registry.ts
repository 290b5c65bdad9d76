import type { Dispose, FaultGuard, Kernel, Resource, ResourceContent } from '../../core/index.js'
import { startingWith } from './completion.js'
import { asJpeg } from './pictures.js'
import { ResourceSubscriptions, type Update } from './resource-subscriptions.js'
import { expandUri, isTemplate, valueIn } from './resource-uri.js'
import { runGuarded } from './run-guarded.js'

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

async function render (uri: string, { mimeType }: Resource, content: ResourceContent,
  redact: (text: string) => string): Promise<Content> {
  if ('picture' in content) return { uri, mimeType: 'image/jpeg', blob: await asJpeg({ bytes: content.picture }) }
  // A picture resource may return text instead, such as an error.
  const textType = mimeType.startsWith('image/') ? 'application/json' : mimeType
  return 'text' in content
    ? { uri, mimeType: textType, text: redact(content.text) }
    : { uri, mimeType, blob: Buffer.from(content.bytes).toString('base64') }
}

const described = ({ name, title, description, mimeType }: Resource) =>
  ({ name, ...(title !== undefined && { title }), description, mimeType })

const expanded = (resource: Resource, value: string) => ({
  ...described(resource),
  uri: expandUri(resource.uri, value),
  name: `${resource.name}: ${value}`,
  ...(resource.title !== undefined && { title: `${resource.title}: ${value}` })
})

export function createResourceRegistry (kernel: Kernel, resources: readonly Resource[]): ResourceRegistry {
  const subscriptions = new ResourceSubscriptions(kernel.now)
  const guardOf = (resource: Resource): FaultGuard =>
    kernel.pluginFaults.guard(kernel.originOf(resource), 'resource', resource.uri)

  const follow = ({ uri, everyMs, ...resource }: Resource) =>
    resource.watch?.(kernel, value => subscriptions.announce(expandUri(uri, value), everyMs))
  const valuesOf = (resource: Resource, view = kernel) => guardOf(resource).run(() => resource.values?.(view)) ?? []
  /** A caller restricted to some printers sees only resources that respect the view. */
  const isFor = (resource: Resource, view: Kernel) =>
    view === kernel || resource.values !== undefined || resource.uri === PRINTERS
  let undo: readonly Dispose[] = []

  /** The canonical address of an existing resource. */
  function canonical (uri: string, view: Kernel): string | undefined {
    for (const resource of resources.filter(one => isFor(one, view))) {
      const value = valueIn(resource, uri)
      if (value === undefined) continue
      if (!resource.values || valuesOf(resource, view).includes(value)) return expandUri(resource.uri, value)
    }
    return undefined
  }

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
        const contents = answer && [answer].flat().map(content => render(uri, resource, content, kernel.redact))
        if (contents) return await Promise.all(contents)
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
      subscriptions.add(client, key, uri, update)
      return true
    },
    unsubscribe: (client, uri) => subscriptions.remove(client, uri),
    drop: client => subscriptions.drop(client),
    watch () { undo = resources.flatMap(resource => guardOf(resource).run(() => follow(resource)) ?? []) },
    close () {
      for (const off of undo) off()
      subscriptions.close()
    }
  }
}
