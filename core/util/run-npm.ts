import { spawn } from 'node:child_process'
import { childEnvironment } from './environment.js'

/** Environment variables that npm needs to reach its registry. */
const OF_NPM = /^(npm_config_.+|https?_proxy|no_proxy|all_proxy|node_extra_ca_certs|appdata)$/i

export interface NpmOptions {
  /** Ends npm. */
  readonly signal?: AbortSignal
  /** By default its output goes to the standard error output. */
  readonly isQuiet?: boolean
}

/** Runs npm in a folder. @throws with this message if it fails, and the reason of the signal if it was ended */
export function runNpm (args: readonly string[], folder: string, failure: string,
  { signal, isQuiet = false }: NpmOptions = {}): Promise<void> {
  const child = spawn('npm', args, {
    cwd: folder,
    stdio: isQuiet ? 'ignore' : ['ignore', 2, 2],
    env: childEnvironment(OF_NPM),
    shell: process.platform === 'win32',
    ...(signal && { signal })
  })
  return new Promise((resolve, reject) => {
    child.once('error', ({ message }) => reject(signal?.aborted === true
      ? signal.reason as Error
      : new Error(`npm could not be started (${message}); it comes with Node.js`)))
    child.once('exit', code => code === 0 ? resolve() : reject(new Error(failure)))
  })
}
