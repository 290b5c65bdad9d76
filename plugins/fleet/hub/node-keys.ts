import { join } from 'node:path'
import { Type } from 'typebox'
import { openJsonStore } from '../../../core/index.js'
import { wasLost } from '../lost-keys.js'
import { PUBLIC_KEY_PATTERN } from '../signed-message.js'

/** Limits the refused places that are remembered. */
const MOST_REFUSED = 1_000
/** Limits the nodes that one site can claim, so that others have room. */
const MOST_OF_SITE = 200

/** The keys of the nodes by place, pinned at their first heartbeat. */
export const KnownNodes = Type.Record(Type.String(), Type.String({ pattern: PUBLIC_KEY_PATTERN }))
export const nodesFile = (folder: string): string => join(folder, 'nodes.json')

export interface NodeKeysOptions {
  readonly folder: string
  /** From the configuration; for these places no other key is accepted. */
  readonly configured: Readonly<Record<string, string>>
  readonly log: { info (fields: object, message: string): void, warn (fields: object, message: string): void }
  /** Called when the key of a place is pinned. */
  readonly onPinned: (place: string) => void
}

/** Decides which key may speak for which place, such as `hall/a`. */
export interface NodeKeys {
  /**
   * Whether a node with this key may speak for the place. Any key may, as long as none is pinned and the file with the
   * pinned ones was not damaged.
   */
  mayBe (place: string, publicKey: string): boolean
  /** Whether this key is pinned for the place. */
  is (place: string, publicKey: string): boolean
  /**
   * Takes the key of a heartbeat; the first key of a place is pinned.
   * @returns whether it is the key of its place
   */
  accept (place: string, publicKey: string): boolean
  readonly problems: readonly string[]
}

const siteOf = (place: string): string => place.slice(0, place.indexOf('/'))

export async function openNodeKeys ({ folder, configured, log, onPinned }: NodeKeysOptions): Promise<NodeKeys> {
  const store = await openJsonStore(nodesFile(folder),
    { schema: KnownNodes, initial: {}, warn: message => log.warn({}, message) })
  const known = new Map([...Object.entries(store.get()), ...Object.entries(configured)])
  const isLost = Object.keys(store.get()).length === 0 && await wasLost(nodesFile(folder))
  const differing = new Map<string, string>()

  function refuse (place: string, publicKey: string): void {
    const why = known.has(place)
      ? 'this hub knows it by another one, so it is ignored: its data folder is new, two services have the same name, or ' +
        'someone impersonates it'
      : `${nodesFile(folder)} was damaged, so this hub does not know whether that is its key and ignores it`
    const text = `The service ${place} shows the key ${publicKey}, and ${why}. If the new key is ` +
      `right, write "nodeKeys": {${JSON.stringify(place)}: ${JSON.stringify(publicKey)}} under plugins.fleet of the hubs.`
    if (differing.get(place) === text || (!differing.has(place) && differing.size >= MOST_REFUSED)) return
    differing.set(place, text)
    log.warn({ place, publicKey }, text)
  }

  function pin (place: string, publicKey: string): boolean {
    const site = siteOf(place)
    if ([...known.keys()].filter(other => siteOf(other) === site).length >= MOST_OF_SITE) return false
    known.set(place, publicKey)
    store.set({ ...store.get(), [place]: publicKey })
      .catch((error: Error) => log.warn({ err: error }, 'the keys of nodes cannot be written to disk'))
    log.info({ place, publicKey }, 'the key of this service is accepted from now on')
    onPinned(place)
    return true
  }

  const is = (place: string, publicKey: string) => known.get(place) === publicKey
  return {
    mayBe: (place, publicKey) => (!known.has(place) && !isLost) || is(place, publicKey),
    is,
    accept (place, publicKey) {
      if (!known.has(place) && !isLost) return pin(place, publicKey)
      if (is(place, publicKey)) return true
      refuse(place, publicKey)
      return false
    },
    get problems () { return [...differing.values()] }
  }
}
