import type { Link } from '../link.js'
import type { FleetStatus } from '../part.js'
import type { HubKeys } from './hub-keys.js'
import type { Journal } from './journal.js'
import type { NodeFigures } from './node-figures.js'
import type { SharedPrinters } from './shared-printers.js'
import type { StatePublisher } from './state-publisher.js'

interface NodeParts {
  readonly link: Pick<Link, 'connected'>
  readonly publisher: Pick<StatePublisher, 'waiting' | 'lagMs'>
  readonly journal: Pick<Journal, 'waiting'>
  readonly hubKeys: Pick<HubKeys, 'problems'>
  readonly shared: Pick<SharedPrinters, 'held' | 'lost'>
  readonly figures: Pick<NodeFigures, 'counts'>
  /** Public key of this node. */
  readonly publicKey: string
}

export const nodeStatus = (parts: NodeParts): FleetStatus => {
  const { link, publisher, journal, hubKeys, shared, figures: { counts }, publicKey } = parts
  return {
    role: 'node',
    connected: link.connected,
    loaded: true,
    waiting_states: publisher.waiting,
    lag_s: Math.round(publisher.lagMs / 100) / 10,
    waiting_alerts: journal.waiting,
    dropped_alerts: counts.dropped,
    calls_done: counts.done,
    calls_refused: counts.refused,
    calls_unproven: counts.unproven,
    key: publicKey,
    problems: [...hubKeys.problems],
    failures: counts.failures,
    leases_held: shared.held,
    leases_lost: shared.lost,
    nodes: []
  }
}
