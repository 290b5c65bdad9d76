import { spawn } from 'node:child_process'
import { childEnvironment } from '../../../core/index.js'

/** Environment variables that npm needs to reach its registry. */
const OF_NPM = /^(npm_config_.+|https?_proxy|no_proxy|all_proxy|node_extra_ca_certs|appdata)$/i

/** Runs npm in a folder. @throws with this message if it fails */
export function npm (args: readonly string[], folder: string, failure: string): Promise<void> {
  const child = spawn('npm', args, {
    cwd: folder,
    stdio: ['ignore', 2, 2],
    env: childEnvironment(OF_NPM),
    shell: process.platform === 'win32'
  })
  return new Promise((resolve, reject) => {
    child.once('error', ({ message }) => reject(new Error(`npm could not be started (${message}); it comes with Node.js`)))
    child.once('exit', code => code === 0 ? resolve() : reject(new Error(failure)))
  })
}
