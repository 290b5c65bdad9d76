import type { Link } from '../link.js'
import type { FleetStatus } from '../part.js'
import type { Caller } from './caller.js'
import { placeName, type Directory, type NodeSeen } from './directory.js'
import type { DisplayNames } from './display-names.js'
import type { NodeKeys } from './node-keys.js'
import type { Printers } from './printers.js'
import type { Reachability } from './reachability.js'

interface HubParts {
  readonly link: Pick<Link, 'connected'>
  readonly printers: Pick<Printers, 'loaded'>
  readonly directory: Pick<Directory, 'all'>
  readonly caller: Pick<Caller, 'figures'>
  readonly keys: Pick<NodeKeys, 'problems'>
  readonly displayNames: Pick<DisplayNames, 'problems'>
  readonly reachability: Pick<Reachability, 'whyNotAsk'>
  /** Public key of this hub. */
  readonly publicKey: string
}

const secondsSince = ({ heardAt }: Pick<NodeSeen, 'heardAt'>) => Math.round((performance.now() - heardAt) / 100) / 10

/** Why nodes cannot be reached or do not accept calls. */
const problemsOf = ({ keys, displayNames, directory, reachability, publicKey }: HubParts): string[] => [
  ...keys.problems,
  ...displayNames.problems,
  ...directory.all
    .filter(({ reachable, hubs }) => reachable && !hubs.includes(publicKey))
    .flatMap(node => reachability.whyNotAsk(placeName(node)) ?? [])
]

export function hubStatus (parts: HubParts): FleetStatus {
  const { link, printers, directory, caller: { figures }, publicKey } = parts
  return {
    role: 'hub',
    connected: link.connected,
    loaded: printers.loaded,
    waiting_states: 0,
    lag_s: Math.max(0, ...directory.all.filter(({ reachable }) => reachable).map(secondsSince)),
    waiting_alerts: 0,
    dropped_alerts: 0,
    calls_done: figures.done,
    calls_refused: figures.refused,
    calls_unproven: 0,
    key: publicKey,
    problems: problemsOf(parts),
    failures: figures.unconfirmed,
    leases_held: 0,
    leases_lost: 0,
    nodes: directory.all.map(({ site, node, reachable, heardAt, printers: count, version }) => ({
      site, node, reachable, seen_s: secondsSince({ heardAt }), printers: count, version
    }))
  }
}
