import { TaskThread } from '../../../core/index.js'
import { OngoingWork } from '../ongoing-work.js'
import type { Reading } from '../reading.js'
import { workerFile } from '../worker/worker-file.js'
import type { OutlineTask } from './draw-outline.js'
import { emptyOutline, type Outline } from './height-map.js'

/** A large plate takes a second. */
const TIMEOUT_MS = 60_000
const MOST_MEMORY_MB = 64
const YOUNG_MB = 8
const MOST_WAITING = 64
/** Of a large bed, an outline takes 2 MB. */
const MOST_STORED = 8

export interface OutlineSource {
  readonly reading: Reading
  /** Unlike that of any other track. */
  readonly name: string
  readonly trackPath: string
  /** Width and depth. */
  readonly bedMm: readonly number[]
  /** Within the plate. */
  readonly layer: number
  /** Objects that are not printed, with the first layer without them. */
  readonly skipped: ReadonlyMap<number, number>
}

/**
 * Draws outlines in a thread of their own, because the one that reads plates may wait minutes for a slow card. The
 * latest outline of a plate is stored, so that the next layers are only added to it.
 */
export class Outlines {
  readonly #work = new OngoingWork<Outline>()
  readonly #latest = new Map<string, Outline>()
  readonly #thread: TaskThread

  constructor ({ timeoutMs = TIMEOUT_MS, file = workerFile } = {}) {
    this.#thread = new TaskThread({
      name: 'prnd-outline',
      subject: 'drawing the outline',
      file,
      maxMemoryMb: MOST_MEMORY_MB,
      youngMemoryMb: YOUNG_MB,
      timeoutMs,
      mostWaiting: MOST_WAITING
    })
  }

  /** @throws the signal's reason, ThreadBusy, or why the thread broke off */
  async draw (source: OutlineSource, signal?: AbortSignal): Promise<Outline> {
    const { name, bedMm, layer, skipped } = source
    const key = JSON.stringify([name, bedMm, [...skipped].sort(([a], [b]) => a - b)])
    const latest = this.#latest.get(key)
    if (latest?.layer === layer) return latest
    const from = latest !== undefined && latest.layer < layer ? latest : undefined
    const outline = await this.#work.run(`${key} ${layer}`, its => this.#add(source, from, its), signal)
    this.#remember(key, outline)
    return outline
  }

  close (): Promise<void> { return this.#thread.close() }

  async #add (
    { reading, trackPath, bedMm, layer, skipped }: OutlineSource, from: Outline | undefined, signal: AbortSignal
  ): Promise<Outline> {
    const { starts, bytes, isWhole } = reading.track
    const flag = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
    const abort = () => { Atomics.store(flag, 0, 1) }
    signal.addEventListener('abort', abort, { once: true })
    const end = starts[layer + 1] ?? bytes
    const task: OutlineTask = {
      kind: 'outline',
      trackPath,
      start: (from === undefined ? starts[0] : starts[from.layer + 1]) ?? bytes,
      end,
      from: from ?? emptyOutline(bedMm),
      layer,
      heights: reading.plate.layers.slice(0, layer + 1).map(({ z }) => z),
      isWhole: isWhole || end < bytes,
      skipped,
      abort: flag
    }
    try {
      return await this.#thread.run(task, { signal }) as Outline
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }

  #remember (key: string, outline: Outline): void {
    this.#latest.delete(key)
    this.#latest.set(key, outline)
    const [oldest] = this.#latest.keys()
    if (this.#latest.size > MOST_STORED && oldest !== undefined) this.#latest.delete(oldest)
  }
}
