import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { environment, type Environment } from '../../core/index.js'

export const INSTALLATIONS = ['addon', 'container', 'server', 'service', 'global', 'npx', 'project', 'clone'] as const
/**
 * How this copy was installed. `server`: a unit of the machine with its own account, `service`: one of a person,
 * `global`: with npm, and started by hand, `project`: a dependency of something else.
 */
export type Installation = (typeof INSTALLATIONS)[number]

export interface Traces {
  readonly env: Environment
  /** Path of a file of this package. */
  readonly file: string
  readonly exists: (path: string) => boolean
}

const CONTAINER = ['/.dockerenv', '/run/.containerenv', '/var/run/secrets/kubernetes.io']
/** The account of the unit that `sudo prnd service install` writes. */
const ACCOUNT = 'prnd'
/** Global packages are below `lib` on Unix, and below `npm` or the program's folder on Windows. */
const GLOBAL = /\/(?:lib|npm|nodejs)\/node_modules\/prnd\//i

const here = (): Traces => ({ env: environment(), file: fileURLToPath(import.meta.url), exists: existsSync })

/** Finds out how this copy was installed, from what can be seen of it. */
export function findInstallation ({ env, file, exists }: Traces = here()): Installation {
  const path = file.replaceAll('\\', '/')
  if ((env.SUPERVISOR_TOKEN ?? '') !== '') return 'addon'
  if (exists(`${path.replace(/\/(?:dist|build|plugins)\/.*$/, '')}/.git`)) return 'clone' // also in a container of a developer
  if (CONTAINER.some(exists)) return 'container'
  if (path.includes('/_npx/')) return 'npx'
  if (!path.includes('/node_modules/prnd/')) return 'clone'
  if (!GLOBAL.test(path)) return 'project'
  const isManaged = [env.INVOCATION_ID, env.NOTIFY_SOCKET].some(value => (value ?? '') !== '') || env.XPC_SERVICE_NAME === 'prnd'
  if (!isManaged) return 'global'
  return env.USER === ACCOUNT ? 'server' : 'service'
}

/** What a person types to update such a copy; null: that is not one command. */
export const UPDATE_COMMANDS: Readonly<Record<Installation, string | null>> = {
  addon: null,
  container: 'docker compose up --detach --build',
  server: 'sudo npm install --global prnd@latest && sudo prnd service install',
  service: 'npm install --global prnd@latest && prnd service install',
  global: 'npm install --global prnd@latest',
  npx: 'npx -y prnd@latest',
  project: 'npm install prnd@latest',
  clone: 'git pull && npm ci && npm run build'
}
