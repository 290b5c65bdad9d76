import { existsSync, realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { configPath, defineError, type Environment } from '../../../core/index.js'
import { launchAgent } from './launch-agent.js'
import { scheduledTask } from './scheduled-task.js'
import { systemdUnit, systemdUserUnit } from './systemd-unit.js'
import { wordsOf, type ServiceStart } from './service-start.js'
import type { ManagedService } from './types.js'

export const NoServiceManager = defineError<[why: string]>('PRN_ERR_NO_SERVICE_MANAGER', '%s', 400)

/** Who installs it, and where. */
export interface Machine {
  readonly platform: NodeJS.Platform
  readonly user: string
  readonly uid: number
  readonly home: string
  readonly env: Environment
  /** Path of Node. */
  readonly node: string
  /** Path of this program. */
  readonly program: string
  /** Whether systemd has started this machine. */
  readonly hasSystemd: boolean
}

const ROOT = 0
/** Links to Node that stay when Node is replaced by a newer one. */
const LASTING = ['/usr/bin/node', '/usr/local/bin/node', '/opt/homebrew/bin/node', '/opt/local/bin/node']

const isSame = (path: string, other: string): boolean =>
  existsSync(path) && existsSync(other) && realpathSync(path) === realpathSync(other)

/** A path of Node that is still right after an update of Node, if there is one. */
const lastingNode = (node: string): string => LASTING.find(path => isSame(path, node)) ?? node

const CONTROL = /\p{Cc}/u

/** @throws PRN_ERR_NO_SERVICE_MANAGER for what would not be there at the next start */
function checkPlaces ({ platform, uid, env }: Machine, { node, program, configFile = '', dataDir = '' }: ServiceStart): void {
  const odd = [node, program, configFile, dataDir].find(path => CONTROL.test(path))
  if (odd !== undefined) throw new NoServiceManager(`No service manager takes the path ${JSON.stringify(odd)}`)
  if (/[\\/]_npx[\\/]/.test(program)) {
    throw new NoServiceManager('This prnd was fetched by npx, into a folder that npm empties. Install it first: npm install --global prnd')
  }
  if (platform === 'win32' && env.PRN_DATA_DIR) {
    throw new NoServiceManager('A task of Windows has no variables of its own. Write PRN_DATA_DIR into the configuration instead, as "dataDir"')
  }
  const hidden = platform === 'linux' && uid === ROOT && [node, program].find(path => /^\/(home|root|run\/user)\//.test(path))
  if (hidden) {
    throw new NoServiceManager(`A service of the whole machine cannot use ${hidden}. ` +
      'Install Node and prnd for the whole machine, or run this as the person whose it is, without sudo')
  }
}

/**
 * How the service manager of a machine starts the service: systemd for the whole machine (as root) or for one person,
 * launchd for one person, or the task scheduler of Windows.
 * @throws PRN_ERR_NO_SERVICE_MANAGER that says what to do instead
 */
export function managedService (machine: Machine, config: string | undefined): ManagedService {
  const { platform, user, uid, home, env, hasSystemd } = machine
  const given = config ?? env.PRN_CONFIG
  const start: ServiceStart = {
    node: lastingNode(machine.node),
    program: machine.program,
    ...given && { configFile: resolve(given) },
    configFolder: dirname(resolve(configPath(config, env))),
    ...env.PRN_DATA_DIR && { dataDir: resolve(env.PRN_DATA_DIR) },
    user,
    uid,
    home
  }
  checkPlaces(machine, start)
  if (platform === 'win32') return scheduledTask(start)
  if (platform === 'darwin') {
    if (uid === ROOT) throw new NoServiceManager('Run this without sudo: a launch agent belongs to the person who logs in')
    return launchAgent(start)
  }
  if (!hasSystemd) {
    throw new NoServiceManager('systemd has not started this machine. ' +
      `Have whatever starts its services run: ${wordsOf(start).join(' ')}`)
  }
  if (uid !== ROOT) return systemdUserUnit(start)
  if (config !== undefined) throw new NoServiceManager('A service of the whole machine has its configuration in /etc/prnd/config.json')
  return systemdUnit(start)
}
