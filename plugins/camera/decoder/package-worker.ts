import { fork, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { childEnvironment } from '../../../core/index.js'
import type { PackageReply, PackageRequest } from './package-messages.js'

export type ReplyListener = (reply: PackageReply) => void

/** One request to the process and all of its replies, which carry its id. */
export interface Conversation {
  readonly id: number
  /** Does nothing when the process has exited; the listener is notified of that. */
  send (request: PackageRequest): void
  /** @param broken the process is unresponsive, and will not answer others either */
  end (broken?: boolean): void
  /** Gives other processes priority. */
  lowPriority (): void
}

interface Running {
  readonly child: ChildProcess
  readonly listeners: Map<number, ReplyListener>
}

/**
 * Next to this file in the sources, next to the plugin when built, also seen from the bundler's folder of shared
 * chunks.
 */
const PLACES = ['./package-process.ts', './package-process.js', '../plugins/camera/package-process.js']

function processFile (): string {
  const found = PLACES.map(place => fileURLToPath(new URL(place, import.meta.url))).find(path => existsSync(path))
  if (found === undefined) throw new Error('the decoder process of plugin \'camera\' is missing: rebuild the package')
  return found
}

/**
 * The process that runs the decoder package. There is at most one: it starts with the first conversation, serves all of
 * them, and ends `spareMs` after the last one.
 */
export class PackageWorker {
  readonly #folder: string
  readonly #spareMs: number
  #running: Running | undefined
  #idle: NodeJS.Timeout | undefined
  #lastId = 0

  /** @param folder where the package is installed */
  constructor (folder: string, spareMs: number) {
    this.#folder = folder
    this.#spareMs = spareMs
  }

  /** @param listener receives the replies, and `failed` when the process exits */
  begin (listener: ReplyListener): Conversation {
    clearTimeout(this.#idle)
    const id = ++this.#lastId
    const running = this.#running ??= this.#start()
    const { child, listeners } = running
    keepAlive(child, true)
    listeners.set(id, listener)
    return {
      id,
      send (request) { if (child.connected) child.send(request, () => {}) },
      end: (broken = false) => {
        listeners.delete(id)
        if (this.#running !== running) return
        if (broken) this.kill()
        else if (listeners.size === 0) this.#rest(child)
      },
      lowPriority () {
        try { setPriority(child.pid ?? 0, constants.priority.PRIORITY_BELOW_NORMAL) } catch {}
      }
    }
  }

  kill (): void {
    clearTimeout(this.#idle)
    this.#running?.child.kill('SIGKILL')
    this.#running = undefined
  }

  #rest (child: ChildProcess): void {
    keepAlive(child, false)
    this.#idle = setTimeout(() => this.kill(), this.#spareMs).unref()
  }

  #start (): Running {
    const child = fork(processFile(), [this.#folder], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: childEnvironment()
    })
    const listeners = new Map<number, ReplyListener>()
    const running: Running = { child, listeners }
    const kill = () => { child.kill('SIGKILL') }
    process.once('exit', kill)
    child.on('message', (reply: PackageReply) => listeners.get(reply.id)?.(reply))
    child.on('error', () => {}) // it may exit at any time
    child.once('exit', (code, signal) => {
      process.off('exit', kill)
      if (this.#running === running) this.#running = undefined
      const how = signal === null ? `exit code ${code}` : `ended by ${signal}`
      for (const [id, listener] of listeners) {
        listener({ kind: 'failed', id, message: `the process of the decoder ended (${how})` })
      }
    })
    return running
  }
}

/** A child without a conversation must not keep the service from exiting. */
function keepAlive (child: ChildProcess, on: boolean): void {
  child[on ? 'ref' : 'unref']()
  child.channel?.[on ? 'ref' : 'unref']()
}
