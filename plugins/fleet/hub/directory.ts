import type { Link } from '../connect.js'
import { placeIn, type Names } from '../names.js'
import { verifyMessage } from '../signature.js'
import { Beat, checked } from '../types.js'
import { BEAT_MS } from '../node/beat.js'
import type { NodeKeys } from './node-keys.js'

/** Three beats that did not come, and some time on the way. */
const SILENT_MS = 3.5 * BEAT_MS
const MOST_NODES = 2_000
const MOST_SITES = 2_000

/** A node as it was last heard. */
export interface NodeSeen extends Beat {
  readonly site: string
  readonly node: string
  /** ms of a clock that never jumps. */
  readonly heardAt: number
  /** ms since the epoch, for people. */
  readonly seenAt: number
  readonly reachable: boolean
}

export const placeName = ({ site, node }: { readonly site: string, readonly node: string }): string => `${site}/${node}`

/** Runs of a node that have ended; a copy of what they said brings none of them back. */
const MOST_ENDED = 20

/** Which nodes are there. */
export interface Directory {
  /** @param bytes as they came; what the node of this subject has not signed is passed over */
  hear (subject: string, bytes: Uint8Array): void
  of (place: string): NodeSeen | undefined
  readonly all: readonly NodeSeen[]
  /** Looks who has fallen silent. */
  tick (): void
}

export interface DirectoryOptions {
  readonly keys: Pick<NodeKeys, 'hear'>
  readonly now: () => number
  /** Told of a node that came, went, or began anew. */
  readonly onChange: (place: string) => void
  /** Told of every beat. */
  readonly onBeat: (node: NodeSeen) => void
}

export function createDirectory ({ keys, now, onChange, onBeat }: DirectoryOptions): Directory {
  const nodes = new Map<string, NodeSeen>()
  const ended = new Map<string, readonly string[]>()

  function beatIn (subject: string, bytes: Uint8Array, place: string): Beat | undefined {
    const verified = verifyMessage(bytes, subject, () => true)
    return verified && keys.hear(place, verified.publicKey) ? checked(Beat, verified.content) : undefined
  }

  return {
    hear (subject, bytes) {
      const { site, node } = placeIn(subject, 3)
      const place = placeName({ site, node })
      const before = nodes.get(place)
      if (before === undefined && nodes.size >= MOST_NODES) return
      const beat = beatIn(subject, bytes, place)
      if (beat === undefined || ended.get(place)?.includes(beat.run)) return
      if (before?.run === beat.run && beat.number < before.number) return // overtaken on the way
      if (before && before.run !== beat.run) {
        ended.set(place, [before.run, ...ended.get(place) ?? []].slice(0, MOST_ENDED))
      }
      const seen = { ...beat, site, node, heardAt: performance.now(), seenAt: now(), reachable: true }
      nodes.set(place, seen)
      onBeat(seen)
      if (before?.run !== beat.run || !before.reachable) onChange(place)
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

/** The ear for what nodes tell of themselves. */
export interface Beats {
  /** From now on this site is heard by itself too. */
  follow (site: string): void
}

/**
 * Subscribes to all nodes at once, and to each site that is known. Where a site comes by a leaf node and may speak only
 * for itself, the server passes no wider subscription on to it.
 */
export function hearBeats ({ opened }: Link, { beat }: Names, hear: (subject: string, bytes: Uint8Array) => void):
Beats {
  const followed = new Set<string>()
  const subscribe = (site: string) => {
    opened.then(nats => nats.subscribe(beat(site, '*'), {
      callback: (error, { subject, data }) => { if (error === null) hear(subject, data) }
    })).catch(() => {}) // told by the link
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
