import { execFile, spawn } from 'node:child_process'
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

/** npm said why it failed: a code such as `E404`, and a line about it. */
export class NpmError extends Error {
  readonly code: string

  constructor (code: string, message: string) {
    super(message)
    this.code = code
  }
}

const ASK_WITHIN_MS = 30_000
const LARGEST_ANSWER = 16 * 1024 ** 2

function parsed (text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/**
 * Asks npm for something that it says as JSON. On Windows a shell reads the arguments: give none with signs of it.
 * @returns undefined if it says nothing
 * @throws NpmError
 */
export function askNpm (args: readonly string[], folder: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    execFile('npm', [...args, '--json'], {
      cwd: folder,
      env: childEnvironment(OF_NPM),
      shell: process.platform === 'win32',
      timeout: ASK_WITHIN_MS,
      maxBuffer: LARGEST_ANSWER
    }, (error, stdout) => {
      const answer = parsed(stdout)
      if (error === null) return resolve(answer)
      const said = (answer as { error?: { code?: string, summary?: string } } | undefined)?.error
      const own = error.killed === true ? `npm did not answer within ${ASK_WITHIN_MS / 1_000} s` : error.message
      reject(new NpmError(said?.code ?? '', said?.summary ?? own))
    })
  })
}
