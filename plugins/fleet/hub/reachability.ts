import type { Link } from '../link.js'
import type { Directory } from './directory.js'
import type { PublishedPrinter } from './published-printers.js'

export interface ReachabilityDeps {
  readonly link: Pick<Link, 'connected'>
  readonly directory: Pick<Directory, 'of'>
  /** Public key of this hub. */
  readonly publicKey: string
}

/** Why nodes and printers cannot be reached from this hub. */
export class Reachability {
  readonly #deps: ReachabilityDeps

  constructor (deps: ReachabilityDeps) {
    this.#deps = deps
  }

  /** Why a node cannot be called; undefined when it can. It may be heard and still not accept calls. */
  whyNotAsk (place: string): string | undefined {
    const { directory, publicKey } = this.#deps
    const why = this.#whyNotHeard(place)
    const { hubs = [] } = directory.of(place) ?? {}
    if (why !== undefined || hubs.includes(publicKey)) return why
    if (hubs.length === 0) return `The service ${place} has not heard of this hub yet. Try again in some seconds.`
    return `The service ${place} does not take calls of this hub: write the hub's key, ${publicKey}, into ` +
      'plugins.fleet.hubKeys of its configuration.'
  }

  /** Why the value of a printer is not current; undefined when it is. Values of one run of a node end with the run. */
  whyNotCurrent ({ place, value, leftAt }: PublishedPrinter): string | undefined {
    if (leftAt !== undefined) return `No service has held its session since ${leftAt}.`
    const why = this.#whyNotHeard(place)
    if (why !== undefined || this.#deps.directory.of(place)?.run === value.run) return why
    return `The service ${place} has restarted and has not reported it yet.`
  }

  #whyNotHeard (place: string): string | undefined {
    const { link, directory } = this.#deps
    if (!link.connected) return 'This hub is cut off from the fleet.'
    const seen = directory.of(place)
    if (seen === undefined) return `The service ${place}, which holds its session, has not been heard yet.`
    if (seen.reachable) return undefined
    return `The service ${place}, which holds its session, has not been heard since ${new Date(seen.seenAt).toISOString()}.`
  }
}
