import { fork, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { childEnvironment, withTimeout } from '../../../core/index.js'
import { CameraError } from '../upstream/camera-error.js'
import { annexB } from './annex-b.js'
import type { PackageReply, PackageRequest } from './package-messages.js'
import type { DecoderStream, DecoderStreamOptions, DecoderTimeouts, EncodeOptions, OpenDecoder } from './types.js'

/** Decodes and encodes H.264 without any other program; it carries its libraries with it. */
export const DECODER_PACKAGE = { name: '@napi-rs/webcodecs', version: '1.3.1' } as const

const START_MS = 10_000
/** Pictures on their way to the process; with more, those of a stream are left out until the next key picture. */
const MOST_ON_THE_WAY = 30
const MOST_PICTURES_ON_THE_WAY = 4

/** @returns the installed version; undefined without one */
export const installedPackage = (folder: string): Promise<string | undefined> =>
  readFile(join(folder, 'node_modules', DECODER_PACKAGE.name, 'package.json'), 'utf8')
    .then(text => String((JSON.parse(text) as { version?: unknown }).version), () => undefined)

/** Beside this file as source, beside its plugin when built, also from where the bundler puts shared code. */
const PLACES = ['./package-process.ts', './package-process.js', '../plugins/camera/package-process.js']

function processFile (): string {
  const found = PLACES.map(place => fileURLToPath(new URL(place, import.meta.url))).find(path => existsSync(path))
  if (found === undefined) throw new Error('the decoder process of plugin \'camera\' is missing: rebuild the package')
  return found
}

type Listener = (reply: PackageReply) => void

interface Running {
  readonly child: ChildProcess
  readonly ready: Promise<void>
  readonly listeners: Map<number, Listener>
}

const failed = (words: string) => new CameraError('decoder_failed', `No picture could be made of the video: ${words}`)

/** @returns undefined where the package is not installed */
export async function openPackage (folder: string, timeouts: DecoderTimeouts): Promise<OpenDecoder | undefined> {
  const version = await installedPackage(folder)
  if (version === undefined) return undefined
  let running: Running | undefined
  let idle: NodeJS.Timeout | undefined
  let numbers = 0

  function start (): Running {
    const child = fork(processFile(), [folder], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: childEnvironment()
    })
    const listeners = new Map<number, Listener>()
    const ready = new Promise<void>((resolve, reject) => {
      listeners.set(0, () => resolve())
      child.once('exit', () => reject(failed('the process of the decoder ended')))
    })
    ready.catch(() => {}) // whoever waits for it is told
    const mine: Running = { child, listeners, ready }
    const kill = () => { child.kill('SIGKILL') }
    process.once('exit', kill)
    child.on('message', (reply: PackageReply) => listeners.get(reply.id)?.(reply))
    child.on('error', () => {}) // it may end at any time
    child.once('exit', (code, signal) => {
      process.off('exit', kill)
      if (running === mine) running = undefined
      const how = signal === null ? `exit code ${code}` : `ended by ${signal}`
      for (const [id, listener] of listeners) listener({ kind: 'failed', id, message: `the process of the decoder ended (${how})` })
    })
    return mine
  }

  /** While nothing is asked of it, it keeps this process from ending no longer. */
  function hold ({ child }: Running, on: boolean): void {
    child[on ? 'ref' : 'unref']()
    child.channel?.[on ? 'ref' : 'unref']()
  }

  function kill (): void {
    clearTimeout(idle)
    running?.child.kill('SIGKILL')
    running = undefined
  }

  /** A conversation with the process, which ends some time after the last one. */
  function begin (listener: Listener) {
    clearTimeout(idle)
    const id = ++numbers
    const mine = running ??= start()
    hold(mine, true)
    mine.listeners.set(id, listener)
    return {
      id,
      ready: mine.ready,
      send (request: PackageRequest) { if (mine.child.connected) mine.child.send(request, () => {}) },
      /** @param broken it does not answer, and will not answer others either */
      end (broken = false) {
        mine.listeners.delete(id)
        if (broken && running === mine) return kill()
        if (mine.listeners.size > 1 || running !== mine) return
        hold(mine, false)
        idle = setTimeout(kill, timeouts.spare).unref()
      },
      lowPriority () {
        try { setPriority(mine.child.pid ?? 0, constants.priority.PRIORITY_BELOW_NORMAL) } catch {}
      }
    }
  }

  async function still (units: Parameters<OpenDecoder['still']>[0], signal: AbortSignal): Promise<Buffer> {
    let settle: Listener = () => {}
    const answer = new Promise<Buffer>((resolve, reject) => {
      settle = reply => {
        if (reply.kind === 'jpeg') resolve(Buffer.from(reply.jpeg))
        if (reply.kind === 'failed') reject(failed(reply.message))
      }
    })
    const talk = begin(reply => settle(reply))
    let late = false
    try {
      talk.send({ kind: 'still', id: talk.id, codec: units[0]?.format.codec ?? '', units: units.map(annexB) })
      return await withTimeout(START_MS + timeouts.still, answer, () => {
        late = true
        return failed(`${DECODER_PACKAGE.name} gave nothing within ${(START_MS + timeouts.still) / 1_000} s`)
      }, signal)
    } finally {
      talk.end(late)
    }
  }

  function stream ({ maxFps, onJpeg, onFailed }: DecoderStreamOptions): DecoderStream {
    let onTheWay = 0
    let waitsForKey = true
    let stopped = false
    const talk = begin(reply => {
      if (stopped) return
      if (reply.kind === 'jpeg') onJpeg(Buffer.from(reply.jpeg))
      if (reply.kind === 'taken') onTheWay--
      if (reply.kind === 'failed') onFailed(failed(reply.message))
    })
    talk.send({ kind: 'open', id: talk.id, maxFps })
    return {
      push (unit) {
        if (stopped || (waitsForKey && !unit.key)) return
        waitsForKey = onTheWay >= MOST_ON_THE_WAY
        if (waitsForKey) return
        onTheWay++
        talk.send({ kind: 'unit', id: talk.id, codec: unit.format.codec, key: unit.key, data: annexB(unit) })
      },
      async stop () {
        if (stopped) return
        stopped = true
        talk.send({ kind: 'abort', id: talk.id })
        talk.end()
      }
    }
  }

  async function encode ({ pictures, fps, file, signal }: EncodeOptions): Promise<void> {
    signal.throwIfAborted()
    let onTheWay = 0
    let failure: Error | undefined
    let done = false
    let wake = () => {}
    const talk = begin(reply => {
      if (reply.kind === 'taken') onTheWay--
      if (reply.kind === 'done') done = true
      if (reply.kind === 'failed') failure = new CameraError('decoder_failed', `No video could be made of the pictures: ${reply.message}`)
      wake()
    })
    talk.lowPriority()
    const goesOn = () => failure === undefined && !signal.aborted
    /** @throws what went wrong, the signal's reason */
    const until = async (condition: () => boolean): Promise<void> => {
      const abort = () => wake()
      signal.addEventListener('abort', abort, { once: true })
      try {
        while (goesOn() && !condition()) await new Promise<void>(resolve => { wake = resolve })
      } finally {
        signal.removeEventListener('abort', abort)
      }
      signal.throwIfAborted()
      if (failure !== undefined) throw failure
    }
    try {
      talk.send({ kind: 'encode', id: talk.id, fps, file })
      for await (const jpeg of pictures) {
        await until(() => onTheWay < MOST_PICTURES_ON_THE_WAY)
        onTheWay++
        talk.send({ kind: 'picture', id: talk.id, jpeg })
      }
      await until(() => onTheWay === 0)
      talk.send({ kind: 'end', id: talk.id })
      await until(() => done)
    } finally {
      if (!done) talk.send({ kind: 'abort', id: talk.id })
      talk.end()
    }
  }

  return { name: `${DECODER_PACKAGE.name} ${version}`, still, stream, findEncoder: async () => encode, close: async () => kill() }
}
