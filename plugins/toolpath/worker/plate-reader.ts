import { MessageChannel } from 'node:worker_threads'
import { TaskThread } from '../../../core/index.js'
import type { Finding } from '../findings/types.js'
import type { Reading } from '../reading.js'
import type { PlateSource } from '../source/plate-source.js'
import type { PieceMessage, ReaderMessage } from './pieces.js'
import type { ReadTask } from './read-plate.js'
import { workerFile } from './worker-file.js'

const MIB = 1024 ** 2
/** Of one read from a card or disk; the first ones are smaller, so that something is soon known of a slow one. */
const PIECE_BYTES = 2 * MIB
const FIRST_BYTES = MIB / 4
/** Where slicers that do so write their settings. */
const TAIL_BYTES = 64 * 1024
/** Of one plate, the transfer from a slow card included. */
const TIMEOUT_MS = 15 * 60_000
/** Memory for objects; pieces of the file lie outside. */
const MOST_MEMORY_MB = 128
const YOUNG_MB = 16
const MOST_WAITING = 32

/** What is known of a plate while it is read. */
export interface ReadingListener {
  /** Findings that stop a print whatever the rest of the file says. */
  readonly onSure?: (findings: readonly Finding[]) => void
  /** Bytes that were given to the reader, of all. */
  readonly onProgress?: (bytes: number, total: number) => void
}

type Plan = Pick<ReadTask, 'target' | 'trackPath' | 'mostTrackBytes'>

/** Reads plates in a thread of their own, one after the other. */
export class PlateReader {
  readonly #thread: TaskThread

  constructor ({ timeoutMs = TIMEOUT_MS, file = workerFile } = {}) {
    this.#thread = new TaskThread({
      name: 'prnd-toolpath',
      subject: 'reading the plate',
      file,
      maxMemoryMb: MOST_MEMORY_MB,
      youngMemoryMb: YOUNG_MB,
      timeoutMs,
      mostWaiting: MOST_WAITING
    })
  }

  /**
   * @throws errors of the source, the signal's reason, ThreadBusy, or why the thread broke off
   */
  async read (
    source: PlateSource, plan: Plan, signal: AbortSignal, { onSure, onProgress }: ReadingListener = {}
  ): Promise<Reading> {
    const { port1: ours, port2: port } = new MessageChannel()
    let failure: unknown
    const feed = feedOf(source, onProgress)
    ours.on('message', (message: ReaderMessage) => {
      if (message !== 'next') return onSure?.(message.sure)
      void feed().then(
        message => ours.postMessage(message, 'bytes' in message ? [message.bytes.buffer] : []),
        (error: unknown) => {
          failure = error
          ours.postMessage({ error: String(error) } satisfies PieceMessage)
        })
    })
    try {
      const { isDeflated, size, md5, settings, nozzleByTool } = source
      const start = Math.max(0, size - TAIL_BYTES)
      const tail = isDeflated ? undefined : await source.read(start, size - start)
      const target = { ...plan.target, ...nozzleByTool && { nozzleByTool } }
      const task: ReadTask = { kind: 'plate', ...plan, target, port, isDeflated, size, md5, tail, settings }
      return await this.#thread.run(task, { signal, transfer: [port] }) as Reading
    } catch (error) {
      throw failure ?? error
    } finally {
      ours.close()
    }
  }

  close (): Promise<void> { return this.#thread.close() }
}

/** Gives the source piece by piece. */
function feedOf (
  { packedSize, read }: PlateSource, onProgress: ReadingListener['onProgress']
): () => Promise<PieceMessage> {
  let at = 0
  return async () => {
    onProgress?.(at, packedSize)
    const wanted = Math.min(at < PIECE_BYTES ? FIRST_BYTES : PIECE_BYTES, packedSize - at)
    if (wanted <= 0) return { end: true }
    const found = await read(at, wanted)
    at = found.length === wanted ? at + wanted : packedSize // a file that became shorter ends there
    return { bytes: new Uint8Array(found) } // copied, because a buffer may be part of a larger one
  }
}
