import type { Link } from '../connect.js'
import { placeIn, type Names } from '../names.js'
import { Beat, checked } from '../types.js'
import { BEAT_MS } from '../node/beat.js'

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

/** Which nodes are there. */
export interface Directory {
  hear (subject: string, bytes: Uint8Array): void
  of (place: string): NodeSeen | undefined
  readonly all: readonly NodeSeen[]
  /** Looks who has fallen silent. */
  tick (): void
}

/** @param onChange told of a node that came, went, or began anew */
export function createDirectory (now: () => number, onChange: (place: string) => void): Directory {
  const nodes = new Map<string, NodeSeen>()
  return {
    hear (subject, bytes) {
      const beat = checked(Beat, bytes)
      const { site, node } = placeIn(subject, 3)
      const place = placeName({ site, node })
      const before = nodes.get(place)
      if (beat === undefined || (before === undefined && nodes.size >= MOST_NODES)) return
      if (before?.run === beat.run && beat.number < before.number) return // overtaken on the way
      nodes.set(place, { ...beat, site, node, heardAt: performance.now(), seenAt: now(), reachable: true })
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
