import { join } from 'node:path'
import { Type } from 'typebox'
import { openJsonStore } from '../../../core/index.js'
import { hubKeysLine } from '../options.js'
import { PUBLIC_KEY_PATTERN, verifyMessage } from '../signature.js'
import { checked, HubIntroduction } from '../types.js'

/** Hubs that are told of; the log of a node is no place for whoever makes new keys. */
const MOST_REFUSED = 10

const PublicKey = Type.String({ pattern: PUBLIC_KEY_PATTERN })
const Refused = Type.Object({ publicKey: PublicKey, hub: Type.String(), at: Type.Number() })

/** Key of the first hub that came, where the configuration names none, and the last one that was refused. */
export const KnownHubs = Type.Object({ pinned: Type.Array(PublicKey), refused: Type.Optional(Refused) })
export const hubsFile = (folder: string): string => join(folder, 'hubs.json')

export interface HubKeysOptions {
  readonly folder: string
  /** Of the configuration; they alone count where there are any. */
  readonly configured: readonly string[] | undefined
  /** Where hubs introduce themselves to this node. */
  readonly subject: string
  readonly log: { info (fields: object, message: string): void, warn (fields: object, message: string): void }
  readonly now: () => number
  readonly onPinned: () => void
}

/** Whose calls this node does. */
export interface HubKeys {
  has (publicKey: string): boolean
  readonly all: readonly string[]
  /** A hub says which key it has: the first one is remembered, any other refused. */
  hear (message: Uint8Array): void
  /** What a person should know of hubs that were refused since this service has been running. */
  readonly problems: readonly string[]
}

export const whyRefused = (hub: string, publicKey: string, accepted: readonly string[]): string =>
  `The hub ${hub} shows the key ${publicKey}, which this node does not accept, so nothing it asks for is done. If that ` +
  `hub is yours, write ${hubKeysLine([...accepted, publicKey])} under plugins.fleet of this node and start it anew.`

export async function openHubKeys (options: HubKeysOptions): Promise<HubKeys> {
  const { folder, configured, subject, log, now, onPinned } = options
  const store = await openJsonStore(hubsFile(folder),
    { schema: KnownHubs, initial: { pinned: [] }, warn: message => log.warn({}, message) })
  const refused = new Map<string, string>()
  const all = () => configured ?? store.get().pinned
  const keep = (value: Parameters<typeof store.set>[0]) => {
    store.set(value).catch((error: Error) => log.warn({ err: error }, 'the keys of hubs cannot be written to disk'))
  }

  function refuse (hub: string, publicKey: string): void {
    if (refused.has(publicKey) || refused.size >= MOST_REFUSED) return
    const text = whyRefused(hub, publicKey, all())
    refused.set(publicKey, text)
    keep({ ...store.get(), refused: { publicKey, hub, at: now() } })
    log.warn({ hub, publicKey }, text)
  }

  return {
    has: publicKey => all().includes(publicKey),
    get all () { return all() },
    get problems () { return [...refused.values()] },
    hear (message) {
      const isNew = (publicKey: string) => !all().includes(publicKey) && !refused.has(publicKey)
      const verified = verifyMessage(message, subject, isNew)
      const introduction = verified && checked(HubIntroduction, verified.content)
      if (verified === undefined || introduction === undefined) return
      const { publicKey } = verified
      if (all().length > 0) return refuse(introduction.hub, publicKey)
      keep({ pinned: [publicKey] })
      log.info({ hub: introduction.hub, publicKey },
        `this node takes calls of the hub ${introduction.hub} from now on, the first that it has met, and of no other; ` +
        `to say so in the configuration, write ${hubKeysLine([publicKey])} under plugins.fleet`)
      onPinned()
    }
  }
}
