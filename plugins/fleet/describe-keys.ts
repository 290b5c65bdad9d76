import { access, readFile } from 'node:fs/promises'
import { nodesFile } from './hub/node-keys.js'
import { hubsFile, KnownHubs, whyRefused } from './node/hub-keys.js'
import { hubKeysLine, type Options } from './options.js'
import { readSigningKey } from './signing-key.js'
import { checked } from './types.js'

/** The keys of this service in words. @param problem what the operator must do */
export interface FleetKeys { readonly detail: string, readonly problem?: string }

/**
 * Reads the keys that the service of this folder has and accepts, running or not.
 * @param options as configured
 * @throws PRN_ERR_CONFIG for a key file that cannot be used
 */
export async function describeFleetKeys (folder: string, options: object): Promise<FleetKeys> {
  const { hubKeys } = options as Options
  const own = await readSigningKey(folder)
  if (own === undefined) return { detail: 'the first start creates the key of this service' }
  const isHub = await access(nodesFile(folder)).then(() => true, () => false)
  if (isHub) {
    const line = hubKeysLine([own.publicKey])
    return { detail: `the public key of this hub is ${own.publicKey}; nodes need ${line} under plugins.fleet` }
  }
  const known = checked(KnownHubs, await readFile(hubsFile(folder)).catch(() => Buffer.from('')))
  const accepted = hubKeys ?? known?.pinned ?? []
  const refused = known?.refused
  const detail = accepted.length === 0
    ? 'this node will accept calls of the first hub that contacts it'
    : `calls of the hub with the key ${accepted.join(' or ')} are accepted${hubKeys ? '' : ', which was the first to contact this node'}`
  if (refused === undefined || accepted.includes(refused.publicKey)) return { detail }
  return { detail, problem: whyRefused(refused.hub, refused.publicKey, accepted) }
}
