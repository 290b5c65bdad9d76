import { join } from 'node:path'
import { Type } from 'typebox'
import { openJsonStore } from '../../../core/index.js'
import { wasLost } from '../lost-keys.js'
import { hubKeysLine } from '../options.js'
import { PUBLIC_KEY_PATTERN, verifyMessage } from '../signed-message.js'
import { checked, HubIntroduction } from '../types.js'

/** Refused hubs that are logged; new keys must not flood the log of a node. */
const MOST_REFUSED = 10

const PublicKey = Type.String({ pattern: PUBLIC_KEY_PATTERN })
const Refused = Type.Object({ publicKey: PublicKey, hub: Type.String(), at: Type.Number() })

/** The key of the first hub, if the configuration names none, and the hub that was refused last. */
export const KnownHubs = Type.Object({ pinned: Type.Array(PublicKey), refused: Type.Optional(Refused) })
export const hubsFile = (folder: string): string => join(folder, 'hubs.json')

export interface HubKeysOptions {
  readonly folder: string
  /** From the configuration; if there are any, only these are accepted. */
  readonly configured: readonly string[] | undefined
  /** Subject on which hubs introduce themselves to this node. */
  readonly subject: string
  readonly log: { info (fields: object, message: string): void, warn (fields: object, message: string): void }
  readonly now: () => number
  readonly onPinned: () => void
}

/** The hubs whose calls this node accepts. */
export interface HubKeys {
  has (publicKey: string): boolean
  readonly all: readonly string[]
  /**
   * Takes the introduction of a hub: the first key is pinned, any other refused. All are refused after the file with
   * the pinned key was damaged, because whoever comes next need not be the hub that was trusted.
   */
  receive (message: Uint8Array): void
  /** For the operator: hubs that were refused since the start of this service. */
  readonly problems: readonly string[]
}

export const whyRefused = (hub: string, publicKey: string, accepted: readonly string[]): string =>
  `The hub ${hub} shows the key ${publicKey}, which this node does not accept, so its calls are refused. If that ` +
  `hub is yours, write ${hubKeysLine([...accepted, publicKey])} under plugins.fleet of this node and restart it.`

export async function openHubKeys (options: HubKeysOptions): Promise<HubKeys> {
  const { folder, configured, subject, log, now, onPinned } = options
  const store = await openJsonStore(hubsFile(folder),
    { schema: KnownHubs, initial: { pinned: [] }, warn: message => log.warn({}, message) })
  const isLost = store.get().pinned.length === 0 && await wasLost(hubsFile(folder))
  const refused = new Map<string, string>()
  const all = () => configured ?? store.get().pinned
  const save = (value: Parameters<typeof store.set>[0]) => {
    store.set(value).catch((error: Error) => log.warn({ err: error }, 'the keys of hubs cannot be written to disk'))
  }

  function refuse (hub: string, publicKey: string): void {
    if (refused.has(publicKey) || refused.size >= MOST_REFUSED) return
    const text = whyRefused(hub, publicKey, all())
    refused.set(publicKey, text)
    save({ ...store.get(), refused: { publicKey, hub, at: now() } })
    log.warn({ hub, publicKey }, text)
  }

  return {
    has: publicKey => all().includes(publicKey),
    get all () { return all() },
    get problems () { return [...refused.values()] },
    receive (message) {
      const isNew = (publicKey: string) => !all().includes(publicKey) && !refused.has(publicKey)
      const verified = verifyMessage(message, subject, isNew)
      const introduction = verified && checked(HubIntroduction, verified.content)
      if (verified === undefined || introduction === undefined) return
      const { publicKey } = verified
      if (all().length > 0 || isLost) return refuse(introduction.hub, publicKey)
      save({ pinned: [publicKey] })
      log.info({ hub: introduction.hub, publicKey },
        `this node accepts calls of the hub ${introduction.hub} from now on, which was the first to contact it, and of ` +
        `no other; to fix that in the configuration, write ${hubKeysLine([publicKey])} under plugins.fleet`)
      onPinned()
    }
  }
}
