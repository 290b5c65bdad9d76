import { existsSync } from 'node:fs'
import type { Environment } from '../core/index.js'

/** Properties of a process that reveal what started it. */
export interface Starter {
  readonly env: Environment
  /** Interactive terminal: some desktop terminals inherit the variables of a service manager. */
  readonly terminal: boolean
  readonly parent: number
  readonly container: boolean
}

const thisProcess = (): Omit<Starter, 'env'> => ({
  terminal: process.stdin.isTTY,
  parent: process.ppid,
  container: existsSync('/.dockerenv') || existsSync('/run/.containerenv') || existsSync('/var/run/secrets/kubernetes.io')
})

/** Started by a service manager or container: no one reads the output, and other programs rely on the port. */
export function isManaged (starter: Pick<Starter, 'env'> & Partial<Starter>): boolean {
  const { env, terminal, parent, container } = { ...thisProcess(), ...starter }
  const systemd = [env.INVOCATION_ID, env.NOTIFY_SOCKET].some(value => value !== undefined && value !== '')
  return (systemd && !terminal) || (container && parent <= 1) // the first process, or the child of a small init
}
