import type { Link } from '../connect.js'
import type { Names } from '../names.js'

const MOST_SITES = 2_000

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
