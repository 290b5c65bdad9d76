import { BadConfig, definePlugin, validationError, type Kernel } from '../../core/index.js'
import { HoldsNone } from './errors.js'
import { namesOf } from './names.js'
import { hubKeysLine, loginOf, Options } from './options.js'
import type { FleetStatus, Part } from './part.js'
import routes from './routes.js'
import { openSigningKey } from './signing-key.js'

export { describeFleetKeys } from './describe-keys.js'
export type { FleetStatus } from './part.js'

declare module 'prnd' {
  interface Services {
    fleet: { status (): FleetStatus }
  }
}

/** The preset of this name shows the printers of other services; every other preset offers its own. */
const HUB = 'hub'
const NAME = 'fleet'

const NONE: FleetStatus = {
  role: 'none',
  connected: false,
  loaded: true,
  waiting_states: 0,
  lag_s: 0,
  waiting_alerts: 0,
  dropped_alerts: 0,
  calls_done: 0,
  calls_refused: 0,
  calls_unproven: 0,
  key: '',
  problems: [],
  failures: 0,
  leases_held: 0,
  leases_lost: 0,
  nodes: []
}

const figure = (name: string, help: string, read: (status: FleetStatus) => number) =>
  ({ name, help, read: ({ services }: Kernel) => read(services.fleet.status()) })

/** Joins the printers of several services to one fleet, over NATS. Does nothing without servers. */
export default definePlugin({
  name: NAME,
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'One fleet of the printers of many services, over NATS',
  needs: ['alerts', 'http'],
  provides: ['fleet'],
  uses: ['commands', 'network', 'disk'],
  options: Options,
  contributes: ({ servers }) => ({
    routes,
    gauges: servers === undefined
      ? []
      : [
          figure('prnd_fleet_connected', 'Whether there is a connection to the fleet', ({ connected }) => Number(connected)),
          figure('prnd_fleet_waiting_states', 'States that are not stored in the fleet yet', status => status.waiting_states),
          figure('prnd_fleet_lag_seconds', 'Age of the oldest state that is not passed on yet', status => status.lag_s),
          figure('prnd_fleet_waiting_alerts', 'Alerts that are not stored in the fleet yet', status => status.waiting_alerts),
          figure('prnd_fleet_dropped_alerts', 'Alerts that were dropped because too many waited', status => status.dropped_alerts),
          figure('prnd_fleet_calls_done', 'Operations that were run for, or by, other services', status => status.calls_done),
          figure('prnd_fleet_calls_refused', 'Operations that were refused', status => status.calls_refused),
          figure('prnd_fleet_calls_unproven', 'Calls that no accepted hub has signed', status => status.calls_unproven),
          figure('prnd_fleet_problems', 'Problems for the operator to resolve, such as keys that are not accepted',
            ({ problems }) => problems.length),
          figure('prnd_fleet_failures', 'Messages that were not accepted, or calls without an answer', status => status.failures),
          figure('prnd_fleet_leases_held', 'Shared printers that this service holds', status => status.leases_held),
          figure('prnd_fleet_leases_lost', 'Shared printers that this service has lost to another', status => status.leases_lost),
          figure('prnd_fleet_nodes', 'Reachable services with printers',
            ({ nodes }) => nodes.filter(({ reachable }) => reachable).length)
        ]
  }),
  async setup ({ app, kernel, options, log, printers, events, services, folder, provide, onReady, onClose }) {
    let part: Part | undefined
    provide('fleet', { status: () => part?.status() ?? NONE })
    const { servers } = options
    const isHub = kernel.preset === HUB
    if (isHub && servers === undefined) throw new BadConfig('plugins.fleet.servers: a hub needs the servers of its fleet')
    if (isHub && printers.names.length > 0) throw new BadConfig(`printers: ${new HoldsNone().message}`)
    if (servers === undefined) return
    const login = await loginOf({ ...options, servers })
    for (const secret of [login.password, login.credentials, login.tls?.key]) {
      if (secret !== undefined) kernel.maskSecret(secret)
    }
    const names = namesOf(login.fleet)
    const { openLink } = await import('./link.js') // loads the NATS libraries only when needed
    const report = kernel.connections.add({
      name: NAME, plugin: NAME, what: 'the servers of the fleet', address: servers.join(' ')
    })
    const link = openLink(login, names.inbox(isHub ? HUB : login.site), log, report)
    const own = await folder()
    const signingKey = await openSigningKey(own)
    const common = { kernel, printers, link, names, options, log, folder: own, signingKey }
    if (isHub) {
      const { createHub } = await import('./hub/index.js')
      const ready = new Promise<void>(resolve => onReady(resolve))
      part = await createHub({ ...common, place: `${login.site}/${login.node}`, ready, deliver: services.alerts.deliver })
      log.info({ publicKey: signingKey.publicKey },
        `nodes accept calls of this hub with this line under plugins.fleet of their configuration: ${hubKeysLine([signingKey.publicKey])}`)
    } else {
      const { createNode } = await import('./node/index.js')
      part = await createNode({
        ...common, login, onAlert: listener => { events.on('alert', listener) }
      })
    }
    onClose(async () => {
      await part?.close()
      await link.close()
    })
  }
})

/**
 * Tests the connection to the servers. @param options as configured
 * @returns a description of the server; undefined when no fleet is configured
 * @throws Error with the reason for the failure
 */
export async function probeFleet (options: object): Promise<string | undefined> {
  const given = options as Options
  const problem = validationError(Options, given)
  if (problem !== undefined) throw new BadConfig(`plugins.fleet: ${problem}`)
  const { servers } = given
  if (servers === undefined) return undefined
  const login = await loginOf({ ...given, servers })
  const { probe } = await import('./link.js')
  const names = namesOf(login.fleet)
  const version = await probe(login, names.inbox(login.site), names)
  return `${login.fleet}, NATS ${version} answers`
}
