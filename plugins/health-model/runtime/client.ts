import { fork, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { childEnvironment, timeoutSignal } from '../../../core/index.js'
import type { Size } from '../fit-picture.js'
import type { Model } from '../types.js'
import type { InferenceReply, InferenceRequest, Inspection, InspectRequest, Timed } from './inference-messages.js'

/** Runs networks in a child process, so that a file that crashes the runtime does not crash the service. */
export interface InferenceClient {
  /** @throws Error with the reason in words */
  infer (file: string, model: Model, picture: Uint8Array, signal?: AbortSignal): Promise<Timed>
  inspect (file: string, signal?: AbortSignal, size?: Size): Promise<Inspection>
  close (): void
}

/** Locations of the script in the source tree, in the built plugin, and seen from the bundler's shared chunks. */
const PLACES = ['./model-process.ts', './model-process.js', '../plugins/health-model/model-process.js']

function processFile (): string {
  const found = PLACES.map(place => fileURLToPath(new URL(place, import.meta.url))).find(path => existsSync(path))
  if (found === undefined) throw new Error('the process of plugin \'health-model\' is missing: rebuild the package')
  return found
}

/** Includes the time in the queue behind the pictures of all other printers. */
const TIMEOUT_MS = 60_000
/** Idle time after which the process ends to free its memory. */
const IDLE_MS = 300_000

interface Waiting {
  readonly resolve: (reply: InferenceReply) => void
  readonly reject: (error: Error) => void
}

interface ProcessEvents {
  readonly onReply: (reply: InferenceReply) => void
  /** @param why it ended, in words */
  readonly onExit: (why: string) => void
}

/** It is killed when the service ends. */
function forkModelProcess (args: readonly string[], { onReply, onExit }: ProcessEvents): ChildProcess {
  const made = fork(processFile(), args, {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: childEnvironment()
  })
  const kill = () => { made.kill('SIGKILL') }
  process.once('exit', kill)
  made.on('error', () => {}) // the process may end at any time
  made.on('message', onReply)
  made.once('exit', (code, how) => {
    process.off('exit', kill)
    onExit(how ?? `exit code ${code}`)
  })
  return made
}

/** @param only one runtime, for measurements and tests */
export function createInferenceClient (folder: string, only?: string): InferenceClient {
  const waiting = new Map<number, Waiting>()
  let child: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined
  let lastId = 0

  function start (): ChildProcess {
    const made = forkModelProcess(only === undefined ? [folder] : [folder, only], {
      onReply: reply => waiting.get(reply.id)?.resolve(reply),
      onExit: why => {
        if (child !== made) return
        child = undefined
        failAll(new Error(`The process of the network ended (${why})`))
      }
    })
    return made
  }

  function failAll (error: Error): void {
    for (const { reject } of [...waiting.values()]) reject(error)
  }

  function end (): void {
    clearTimeout(idle)
    const was = child
    child = undefined
    was?.kill('SIGKILL')
    failAll(new Error('The process of the network was ended'))
  }

  function hold (on: boolean): void {
    child?.[on ? 'ref' : 'unref']()
    child?.channel?.[on ? 'ref' : 'unref']()
  }

  type Question = Omit<InferenceRequest, 'id'> | Omit<InspectRequest, 'id'>
  async function ask (request: Question, signal?: AbortSignal): Promise<InferenceReply> {
    signal?.throwIfAborted()
    clearTimeout(idle)
    const id = ++lastId
    const limited = AbortSignal.any([timeoutSignal(TIMEOUT_MS), ...(signal ? [signal] : [])])
    let abort = () => {}
    try {
      return await new Promise<InferenceReply>((resolve, reject) => {
        abort = () => {
          if (signal?.aborted === true) return reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'))
          end() // it hangs, and would block all later requests
          reject(new Error(`The network gave no answer in ${TIMEOUT_MS / 1_000} s`))
        }
        limited.addEventListener('abort', abort, { once: true })
        waiting.set(id, { resolve, reject })
        child ??= start()
        hold(true)
        child.send({ id, ...request }, error => { if (error) reject(error) })
      })
    } finally {
      limited.removeEventListener('abort', abort)
      waiting.delete(id)
      if (waiting.size === 0) {
        hold(false)
        idle = setTimeout(end, IDLE_MS).unref()
      }
    }
  }

  const failed = (reply: InferenceReply) => new Error('error' in reply ? reply.error : 'an answer to another request')
  return {
    async infer (file, model, picture, signal) {
      const reply = await ask({ file, model, picture }, signal)
      if ('reading' in reply) return reply.reading
      throw failed(reply)
    },
    async inspect (file, signal, size) {
      const reply = await ask({ file, ...(size && { size }) }, signal)
      if ('inspection' in reply) return reply.inspection
      throw failed(reply)
    },
    close: end
  }
}
