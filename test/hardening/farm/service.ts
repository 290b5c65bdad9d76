import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const ANSWER_WITHIN_MS = 20_000
/** Compiled as this file is, or through the loader that this file came through. */
const isCompiled = import.meta.url.endsWith('.js')
const MAIN = fileURLToPath(new URL(`./service-main.${isCompiled ? 'js' : 'ts'}`, import.meta.url))

export interface Service {
  start (): Promise<void>
  end (signal: NodeJS.Signals): Promise<void>
  /** @throws Error with the service's answer when it refuses, or when it is down */
  ask <T = unknown> (method: string, path: string, body?: object | Uint8Array<ArrayBuffer>): Promise<T>
}

/** An answer other than success. */
export class Refusal extends Error {}

/** A service that comes back over the same data. @param main what its process runs */
export function createService (dataDir: string, config: string, main: string = MAIN): Service {
  let child: ChildProcess | undefined
  let url = ''
  return {
    async start () {
      child = fork(main, [dataDir, config], {
        execArgv: isCompiled ? [] : ['--import=tsx'],
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        env: { ...process.env, PRN_API_HOST: '127.0.0.1' }
      })
      const ended = once(child, 'exit').then(([code]) => { throw new Error(`the service ended with ${code}`) })
      const [{ port }] = await Promise.race([once(child, 'message') as Promise<[{ port: number }]>, ended])
      ended.catch(() => {})
      url = `http://127.0.0.1:${port}`
    },
    async end (signal) {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill(signal)
      await gone
    },
    async ask (method, path, body) {
      const isFile = body instanceof Uint8Array
      const reply = await fetch(`${url}${path}`, {
        method,
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
        ...(body && {
          body: isFile ? body : JSON.stringify(body),
          headers: { 'content-type': isFile ? 'application/octet-stream' : 'application/json' }
        })
      })
      const answer = await reply.json() as any
      if (!reply.ok) throw new Refusal(`${method} ${path}: ${JSON.stringify(answer)}`)
      return answer
    }
  }
}
