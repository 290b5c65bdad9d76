import { Type } from 'typebox'
import { operation } from '../../core/index.js'
import { FleetStatus } from './part.js'

export const readFleet = operation({
  name: 'fleet.read',
  summary: 'This service in the fleet, and the others as a hub sees them',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({}),
  output: FleetStatus,
  run: ({ services }) => services.fleet.status()
})
