import { fork, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { childEnvironment, createKeyedQueue, timeoutSignal } from '../../../core/index.js'
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

/** For one picture, with loading the network. */
const TIMEOUT_MS = 60_000
/** A picture of a caller that gives up in time waits no longer: what is left of its time would not be enough. */
const MOST_WAIT_MS = 15_000
/** Idle time after which the process ends to free its memory. */
const IDLE_MS = 300_000

const ENDED = 'The process of the network was ended'

interface Waiting {
  readonly resolve: (reply: InferenceReply) => void
  readonly reject: (error: Error) => void
}

/** The process, or a test's double of it. */
export type ModelProcess = Pick<ChildProcess, 'send' | 'kill' | 'ref' | 'unref' | 'channel'>
export interface ProcessEvents {
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

type Question = Omit<InferenceRequest, 'id'> | Omit<InspectRequest, 'id'>

/**
 * Asks one question at a time. Pictures wait here and not in the process, so that it never works off those that nobody
 * waits for any more.
 * @param answerTo ends with the answer, also when the caller has gone: until then the process is busy
 */
function createWaitingLine (answerTo: (question: Question) => Promise<InferenceReply>) {
  const turns = createKeyedQueue()
  /** Lets each caller that waits go. */
  const leaving = new Set<(reason: Error) => void>()

  return {
    /** @throws the signal's reason, once it is aborted */
    async ask (question: Question, signal?: AbortSignal): Promise<InferenceReply> {
      signal?.throwIfAborted()
      const giveUp = new AbortController()
      let letGo = (_error: Error): void => {}
      const gone = new Promise<never>((_resolve, reject) => { letGo = reject })
      const leave = (reason: unknown) => {
        const error = reason instanceof Error ? reason : new Error('aborted')
        giveUp.abort(error)
        letGo(error)
      }
      const abort = () => leave(signal?.reason)
      signal?.addEventListener('abort', abort, { once: true })
      const late = signal && setTimeout(leave, MOST_WAIT_MS, new Error('Too many pictures wait for the network'))
      leaving.add(leave)
      const answer = turns.run('process', () => {
        clearTimeout(late)
        return answerTo(question)
      }, giveUp.signal)
      try {
        return await Promise.race([gone, answer])
      } finally {
        clearTimeout(late)
        signal?.removeEventListener('abort', abort)
        leaving.delete(leave)
      }
    },
    clear (reason: Error): void { for (const leave of leaving) leave(reason) }
  }
}

const failed = (reply: InferenceReply) => new Error('error' in reply ? reply.error : 'an answer to another request')

/** @param only one runtime, for measurements and tests */
export function createInferenceClient (folder: string, only?: string,
  launch: (args: readonly string[], events: ProcessEvents) => ModelProcess = forkModelProcess): InferenceClient {
  const waiting = new Map<number, Waiting>()
  let child: ModelProcess | undefined
  let idle: NodeJS.Timeout | undefined
  let lastId = 0

  function start (): ModelProcess {
    const made = launch(only === undefined ? [folder] : [folder, only], {
      onReply: reply => waiting.get(reply.id)?.resolve(reply),
      onExit: why => {
        if (child !== made) return
        child = undefined
        failAll(new Error(`The process of the network ended (${why})`))
      }
    })
    return made
  }

  const failAll = (error: Error): void => { for (const { reject } of [...waiting.values()]) reject(error) }

  function end (): void {
    clearTimeout(idle)
    const was = child
    child = undefined
    was?.kill('SIGKILL')
    failAll(new Error(ENDED))
  }

  function hold (on: boolean): void {
    child?.[on ? 'ref' : 'unref']()
    child?.channel?.[on ? 'ref' : 'unref']()
  }

  async function answerTo (request: Question): Promise<InferenceReply> {
    clearTimeout(idle)
    const id = ++lastId
    const late = timeoutSignal(TIMEOUT_MS)
    let abort = () => {}
    try {
      return await new Promise<InferenceReply>((resolve, reject) => {
        abort = () => {
          reject(new Error(`The network gave no answer in ${TIMEOUT_MS / 1_000} s`))
          end() // it hangs, and would block all later requests
        }
        late.addEventListener('abort', abort, { once: true })
        waiting.set(id, { resolve, reject })
        child ??= start()
        hold(true)
        child.send({ id, ...request }, error => { if (error) reject(error) })
      })
    } finally {
      late.removeEventListener('abort', abort)
      waiting.delete(id)
      if (waiting.size === 0) {
        hold(false)
        idle = setTimeout(end, IDLE_MS).unref()
      }
    }
  }

  const line = createWaitingLine(answerTo)
  return {
    async infer (file, model, picture, signal) {
      const reply = await line.ask({ file, model, picture }, signal)
      if ('reading' in reply) return reply.reading
      throw failed(reply)
    },
    async inspect (file, signal, size) {
      const reply = await line.ask({ file, ...(size && { size }) }, signal)
      if ('inspection' in reply) return reply.inspection
      throw failed(reply)
    },
    close () {
      line.clear(new Error(ENDED))
      end()
    }
  }
}
