import { join } from 'node:path'
import { Type } from 'typebox'
import { openJsonStore } from '../../../core/index.js'
import { PUBLIC_KEY_PATTERN } from '../signature.js'

/** A site that makes up nodes must leave room for those of others. */
const MOST_OF_SITE = 200

/** Keys of the nodes, by place, as they were when they were first heard. */
export const KnownNodes = Type.Record(Type.String(), Type.String({ pattern: PUBLIC_KEY_PATTERN }))
export const nodesFile = (folder: string): string => join(folder, 'nodes.json')

export interface NodeKeysOptions {
  readonly folder: string
  /** Of the configuration: for these places no other key counts. */
  readonly configured: Readonly<Record<string, string>>
  readonly log: { info (fields: object, message: string): void, warn (fields: object, message: string): void }
  /** Told of a place whose key is known for certain from now on. */
  readonly onPinned: (place: string) => void
}

/** Who may speak for which place, such as `hall/a`. */
export interface NodeKeys {
  /** Whether a node of this key may speak for the place. A place that was never heard is believed until it is. */
  mayBe (place: string, publicKey: string): boolean
  /** Whether answers of this place carry this key. */
  is (place: string, publicKey: string): boolean
  /**
   * A node says that it is there; the first key of a place is remembered.
   * @returns whether it is the one of its place
   */
  hear (place: string, publicKey: string): boolean
  readonly problems: readonly string[]
}

const siteOf = (place: string): string => place.slice(0, place.indexOf('/'))

export async function openNodeKeys ({ folder, configured, log, onPinned }: NodeKeysOptions): Promise<NodeKeys> {
  const store = await openJsonStore(nodesFile(folder),
    { schema: KnownNodes, initial: {}, warn: message => log.warn({}, message) })
  const known = new Map([...Object.entries(store.get()), ...Object.entries(configured)])
  const differing = new Map<string, string>()

  function refuse (place: string, publicKey: string): void {
    const text = `The service ${place} shows the key ${publicKey}, and this hub knows it by another one, so nothing it says ` +
      'counts: its data folder is new, two services have one name, or somebody pretends to be it. If the new key is ' +
      `right, write "nodeKeys": {${JSON.stringify(place)}: ${JSON.stringify(publicKey)}} under plugins.fleet of the hubs.`
    if (differing.get(place) === text) return
    differing.set(place, text)
    log.warn({ place, publicKey }, text)
  }

  function pin (place: string, publicKey: string): boolean {
    const site = siteOf(place)
    if ([...known.keys()].filter(other => siteOf(other) === site).length >= MOST_OF_SITE) return false
    known.set(place, publicKey)
    store.set({ ...store.get(), [place]: publicKey })
      .catch((error: Error) => log.warn({ err: error }, 'the keys of nodes cannot be written to disk'))
    log.info({ place, publicKey }, 'the key of this service counts from now on')
    onPinned(place)
    return true
  }

  const is = (place: string, publicKey: string) => known.get(place) === publicKey
  return {
    mayBe: (place, publicKey) => !known.has(place) || is(place, publicKey),
    is,
    hear (place, publicKey) {
      if (!known.has(place)) return pin(place, publicKey)
      if (is(place, publicKey)) return true
      refuse(place, publicKey)
      return false
    },
    get problems () { return [...differing.values()] }
  }
}
