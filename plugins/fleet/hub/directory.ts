import type { Link } from '../link.js'
import { placeIn, type Names } from '../names.js'
import { verifyMessage } from '../signed-message.js'
import { Heartbeat, checked } from '../types.js'
import { HEARTBEAT_MS } from '../node/heartbeat.js'
import type { NodeKeys } from './node-keys.js'

/** Three missing heartbeats, and some delay. */
const SILENT_MS = 3.5 * HEARTBEAT_MS
const MOST_NODES = 2_000
const MOST_SITES = 2_000

/** A node by its last heartbeat. */
export interface NodeSeen extends Heartbeat {
  readonly site: string
  readonly node: string
  /** Monotonic clock, ms. */
  readonly heardAt: number
  /** ms since the epoch, for display. */
  readonly seenAt: number
  readonly reachable: boolean
}

export const placeName = ({ site, node }: { readonly site: string, readonly node: string }): string => `${site}/${node}`

/** Ended runs of a node that are remembered, so that a replayed heartbeat does not bring one back. */
const MOST_ENDED = 20

/** The known nodes. */
export interface Directory {
  /** @param bytes as received; ignored unless the node of this subject has signed them */
  receive (subject: string, bytes: Uint8Array): void
  of (place: string): NodeSeen | undefined
  readonly all: readonly NodeSeen[]
  /** Marks silent nodes as unreachable. */
  tick (): void
}

export interface DirectoryOptions {
  readonly keys: Pick<NodeKeys, 'accept'>
  readonly now: () => number
  /** Called for a node that appeared, became unreachable or restarted. */
  readonly onChange: (place: string) => void
  /** Called for every heartbeat. */
  readonly onHeartbeat: (node: NodeSeen) => void
}

export function createDirectory ({ keys, now, onChange, onHeartbeat }: DirectoryOptions): Directory {
  const nodes = new Map<string, NodeSeen>()
  const ended = new Map<string, readonly string[]>()

  function heartbeatIn (subject: string, bytes: Uint8Array, place: string): Heartbeat | undefined {
    const verified = verifyMessage(bytes, subject, () => true)
    return verified && keys.accept(place, verified.publicKey) ? checked(Heartbeat, verified.content) : undefined
  }

  return {
    receive (subject, bytes) {
      const { site, node } = placeIn(subject, 3)
      const place = placeName({ site, node })
      const before = nodes.get(place)
      if (before === undefined && nodes.size >= MOST_NODES) return
      const heartbeat = heartbeatIn(subject, bytes, place)
      if (heartbeat === undefined || ended.get(place)?.includes(heartbeat.run)) return
      if (before?.run === heartbeat.run && heartbeat.number < before.number) return // out of order
      if (before && before.run !== heartbeat.run) {
        ended.set(place, [before.run, ...ended.get(place) ?? []].slice(0, MOST_ENDED))
      }
      const seen = { ...heartbeat, site, node, heardAt: performance.now(), seenAt: now(), reachable: true }
      nodes.set(place, seen)
      onHeartbeat(seen)
      if (before?.run !== heartbeat.run || !before.reachable) onChange(place)
    },
    of: place => nodes.get(place),
    get all () { return [...nodes.values()] },
    tick () {
      for (const [place, seen] of nodes) {
        if (!seen.reachable || performance.now() - seen.heardAt < SILENT_MS) continue
        nodes.set(place, { ...seen, reachable: false })
        onChange(place)
      }
    }
  }
}

/** The subscriptions to the heartbeats of nodes. */
export interface HeartbeatSubscriptions {
  /** Also subscribes to this site on its own. */
  follow (site: string): void
}

/**
 * Subscribes to all nodes at once, and to each known site. The server does not propagate a wider subscription to a site
 * behind a leaf node that may publish only for itself.
 */
export function subscribeHeartbeats ({ opened }: Link, names: Names,
  receive: (subject: string, bytes: Uint8Array) => void): HeartbeatSubscriptions {
  const followed = new Set<string>()
  const subscribe = (site: string) => {
    opened.then(nats => nats.subscribe(names.heartbeat(site, '*'), {
      callback: (error, { subject, data }) => { if (error === null) receive(subject, data) }
    })).catch(() => {}) // reported by the link
  }
  subscribe('*')
  return {
    follow (site) {
      if (followed.has(site) || followed.size >= MOST_SITES) return
      followed.add(site)
      subscribe(site)
    }
  }
}
