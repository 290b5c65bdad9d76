import { CameraError } from '../upstream/camera-error.js'
import type { PackageReply } from './package-messages.js'
import type { PackageWorker } from './package-worker.js'
import type { EncodeOptions } from './types.js'

/** Limit of pictures sent to the process and not yet accepted. Each is a whole JPEG in memory. */
const MAX_IN_FLIGHT = 4

/** Encodes pictures into a video, as `Encode` describes. */
export async function encodePackageVideo (worker: PackageWorker,
  { pictures, fps, file, signal }: EncodeOptions): Promise<void> {
  signal.throwIfAborted()
  const progress = new EncodeProgress(signal)
  const conversation = worker.begin(reply => progress.take(reply))
  const { id } = conversation
  conversation.lowPriority()
  try {
    conversation.send({ kind: 'encode', id, fps, file })
    for await (const jpeg of pictures) {
      await progress.until(() => progress.inFlight < MAX_IN_FLIGHT)
      progress.inFlight++
      conversation.send({ kind: 'picture', id, jpeg })
    }
    await progress.until(() => progress.inFlight === 0)
    conversation.send({ kind: 'end', id })
    await progress.until(() => progress.isDone)
  } finally {
    if (!progress.isDone) conversation.send({ kind: 'abort', id })
    conversation.end()
  }
}

/** Progress of an encoding in the process, with a way to wait for it. */
class EncodeProgress {
  readonly #signal: AbortSignal
  #failure: Error | undefined
  #wake = () => {}
  inFlight = 0
  isDone = false

  constructor (signal: AbortSignal) {
    this.#signal = signal
  }

  take (reply: PackageReply): void {
    if (reply.kind === 'taken') this.inFlight--
    if (reply.kind === 'done') this.isDone = true
    if (reply.kind === 'failed') {
      this.#failure = new CameraError('decoder_failed', `No video could be made of the pictures: ${reply.message}`)
    }
    this.#wake()
  }

  /** @throws the error of the encoding, the signal's reason */
  async until (condition: () => boolean): Promise<void> {
    const abort = () => this.#wake()
    this.#signal.addEventListener('abort', abort, { once: true })
    try {
      while (this.#goesOn && !condition()) await new Promise<void>(resolve => { this.#wake = resolve })
    } finally {
      this.#signal.removeEventListener('abort', abort)
    }
    this.#signal.throwIfAborted()
    if (this.#failure !== undefined) throw this.#failure
  }

  get #goesOn (): boolean { return this.#failure === undefined && !this.#signal.aborted }
}
