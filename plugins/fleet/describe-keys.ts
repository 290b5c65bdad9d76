import { access, readFile } from 'node:fs/promises'
import { nodesFile } from './hub/node-keys.js'
import { hubsFile, KnownHubs, whyRefused } from './node/hub-keys.js'
import { hubKeysLine, type Options } from './options.js'
import { readSigningKey } from './signing-key.js'
import { checked } from './types.js'

/** What a person should know of the keys of this service. @param problem what to do */
export interface FleetKeys { readonly detail: string, readonly problem?: string }

/**
 * Reads the keys that a service of this folder has and accepts, while it runs or not.
 * @param options as the configuration has them
 * @throws PRN_ERR_CONFIG for a key file that cannot be used
 */
export async function describeFleetKeys (folder: string, options: object): Promise<FleetKeys> {
  const { hubKeys } = options as Options
  const own = await readSigningKey(folder)
  if (own === undefined) return { detail: 'the first start makes the key of this service' }
  const isHub = await access(nodesFile(folder)).then(() => true, () => false)
  if (isHub) {
    const line = hubKeysLine([own.publicKey])
    return { detail: `the public key of this hub is ${own.publicKey}; nodes need ${line} under plugins.fleet` }
  }
  const known = checked(KnownHubs, await readFile(hubsFile(folder)).catch(() => Buffer.from('')))
  const accepted = hubKeys ?? known?.pinned ?? []
  const refused = known?.refused
  const detail = accepted.length === 0
    ? 'calls of the first hub that this node meets will be done'
    : `calls of the hub with the key ${accepted.join(' or ')} are done${hubKeys ? '' : ', which was the first that came'}`
  if (refused === undefined || accepted.includes(refused.publicKey)) return { detail }
  return { detail, problem: whyRefused(refused.hub, refused.publicKey, accepted) }
}
