import { Type, type Static } from 'typebox'

const Count = Type.Integer()

/** Status of this service in the fleet. */
export const FleetStatus = Type.Object({
  role: Type.Enum(['node', 'hub', 'none'], { description: 'none: no fleet is configured' }),
  connected: Type.Boolean({ description: 'There is a connection to NATS' }),
  loaded: Type.Boolean({ description: 'A hub knows the printers of all nodes; true for all others' }),
  waiting_states: Count,
  lag_s: Type.Number({
    description: 'Of a node: age of the oldest state that is not stored yet. Of a hub: longest silence of a reachable node'
  }),
  waiting_alerts: Count,
  dropped_alerts: Count,
  calls_done: Count,
  calls_refused: Count,
  calls_unproven: Type.Integer({ description: 'Calls that no accepted hub has signed; they were dropped' }),
  key: Type.String({ description: 'Public key of this service; empty where no fleet is configured' }),
  problems: Type.Array(Type.String(), {
    description: 'For the operator to resolve: keys that are not accepted, and names that several services have'
  }),
  failures: Count,
  leases_held: Type.Integer({ description: 'Shared printers whose sessions this service holds' }),
  leases_lost: Type.Integer({ description: 'How often this service has lost a lease' }),
  nodes: Type.Array(Type.Object({
    site: Type.String(),
    node: Type.String(),
    reachable: Type.Boolean(),
    seen_s: Type.Union([Type.Number(), Type.Null()], { description: 'Seconds since it was heard' }),
    printers: Count,
    version: Type.String()
  }), { description: 'As a hub sees them' })
}, { 'x-name': 'Fleet' })
export type FleetStatus = Static<typeof FleetStatus>

/** The part of this service in the fleet: node or hub. */
export interface Part {
  readonly role: 'node' | 'hub'
  status (): FleetStatus
  close (): Promise<void>
}
