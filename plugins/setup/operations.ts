import { networkInterfaces } from 'node:os'
import { Type } from 'typebox'
import { editConfig, environment, operation, readConfig, type Kernel } from '../../core/index.js'

const LOOPBACK = '127.0.0.1'
const LOCAL_HOSTS: ReadonlySet<string> = new Set([LOOPBACK, 'localhost', '::1'])
const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

const Reach = Type.Enum(['machine', 'network'], {
  description: 'machine: only programs and browsers on this machine; network: everyone on the network'
})
type Reach = 'machine' | 'network'

const reachOf = (host: string): Reach => LOCAL_HOSTS.has(host) ? 'machine' : 'network'

/** What the file says, which counts from the next start; the current value where there is no file. */
const storedReach = ({ configFile, config }: Kernel): Promise<Reach> =>
  readConfig(configFile, { env: {} })
    .then(({ config: { api: { host } } }) => reachOf(host), () => reachOf(config.api.host))

/** Addresses for other devices; empty if the service listens on this machine only. */
function addressesOf ({ apiPort, config: { api: { host } } }: Kernel): string[] {
  if (LOCAL_HOSTS.has(host)) return []
  if (!EVERYWHERE.has(host)) return [`http://${host}:${apiPort}`]
  return Object.values(networkInterfaces()).flat()
    .filter(address => address?.family === 'IPv4' && !address.internal)
    .map(address => `http://${address?.address}:${apiPort}`)
}

export const readReach = operation({
  name: 'setup.readReach',
  summary: 'Who reaches the service, and what it asks of them',
  effect: 'read',
  scope: 'daemon',
  access: 'trusted',
  input: Type.Object({}),
  output: Type.Object({
    reach: Reach,
    reach_after_restart: Reach,
    from_environment: Type.Boolean({ description: 'PRN_API_HOST is set and overrides the configuration file' }),
    addresses: Type.Array(Type.String(), { description: 'For other devices on the network' }),
    local_address: Type.String({ description: 'For browsers on this machine' }),
    has_token: Type.Boolean(),
    needs_login: Type.Boolean({ description: 'There is a token, or there are users or keys' }),
    trusts_network: Type.Boolean({ description: 'api.trustLan: everyone on the network may set the service up' }),
    config_file: Type.String()
  }, { 'x-name': 'Reach' }),
  async run ({ kernel }) {
    const { apiPort, config: { api }, configFile, services: { http: { access } } } = kernel
    return {
      reach: reachOf(api.host),
      reach_after_restart: await storedReach(kernel),
      from_environment: (environment().PRN_API_HOST ?? '') !== '',
      addresses: addressesOf(kernel),
      local_address: `http://localhost:${apiPort}`,
      has_token: access.hasToken,
      needs_login: access.locked,
      trusts_network: api.trustLan,
      config_file: configFile
    }
  }
})

export const changeReach = operation({
  name: 'setup.changeReach',
  summary: 'Choose who reaches the service from its next start on',
  effect: 'local',
  record: true,
  scope: 'daemon',
  access: 'trusted',
  note: ({ reach }) => reach,
  input: Type.Object({ reach: Reach }),
  output: Type.Object({ reach_after_restart: Reach }),
  async run ({ kernel: { configFile } }, { reach }) {
    await editConfig(configFile, tree => {
      const { host, ...api } = tree.api as Record<string, unknown> | undefined ?? {}
      const isKept = typeof host === 'string' && reachOf(host) === reach // it may be one of several network addresses
      tree.api = { ...api, ...(isKept ? { host } : reach === 'machine' && { host: LOOPBACK }) }
    })
    return { reach_after_restart: reach }
  }
})
