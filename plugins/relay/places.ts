import { setTimeout as sleep } from 'node:timers/promises'
import type { createKeyedQueue } from '../../core/index.js'
import type { Relayed } from './relayed-printer.js'

const FIRST_TRY_MS = 5_000
const MOST_PAUSE_MS = 300_000

/** The relayed printers and groups. Their ports are open while there is somebody who may connect. */
export class Places {
  readonly #all = new Map<string, Relayed>()
  readonly #hasClients: () => boolean
  #isReady = false
  #isOpen = false

  constructor (hasClients: () => boolean) {
    this.#hasClients = hasClients
  }

  get all (): readonly Relayed[] { return [...this.#all.values()] }

  get isOpen (): boolean { return this.#isOpen }

  get (name: string): Relayed | undefined { return this.#all.get(name) }

  /** Adds one before the start. */
  add (place: Relayed): void { this.#all.set(place.printer, place) }

  async begin (): Promise<void> {
    this.#isReady = true
    await this.follow()
  }

  /** Opens all ports with the first client, and closes them after the last. Calls must not overlap. */
  async follow (): Promise<void> {
    const isWanted = this.#isReady && this.#hasClients()
    if (isWanted === this.#isOpen) return
    this.#isOpen = isWanted
    await Promise.all(this.all.map(place => isWanted ? place.open() : place.close()))
  }

  /**
   * Tries again what could not be opened: its address or port may be there by now, such as after the start of the
   * machine. Calls must not overlap.
   * @returns whether all are open
   */
  async retry (): Promise<boolean> {
    const failed = () => this.#isOpen ? this.all.filter(({ problem }) => problem !== '') : []
    for (const place of failed()) {
      await place.close()
      await place.open()
    }
    return failed().length === 0
  }

  /**
   * Puts a place in the stead of the one of its name, if it can be opened; else that one stays.
   * @returns why it cannot be opened; empty if it can
   */
  async replace (place: Relayed): Promise<string> {
    const before = this.#all.get(place.printer)
    await before?.close() // it may have the same ports
    await place.open()
    const { problem } = place
    if (problem !== '' || !this.#isOpen) await place.close()
    if (problem === '') this.#all.set(place.printer, place)
    else if (this.#isOpen) await before?.open()
    return problem
  }

  async remove (name: string): Promise<void> {
    const place = this.#all.get(name)
    this.#all.delete(name)
    await place?.close()
  }

  async close (): Promise<void> {
    this.#isReady = false
    await this.follow()
  }
}

/** Tries places again that could not be opened, less and less often, until the service ends. */
export async function keepOpening (places: Places, queue: ReturnType<typeof createKeyedQueue>, signal: AbortSignal):
Promise<void> {
  let pauseMs = FIRST_TRY_MS
  while (!signal.aborted) {
    await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {})
    if (signal.aborted) return
    const isWhole = await queue.run('', () => places.retry())
    pauseMs = isWhole ? FIRST_TRY_MS : Math.min(MOST_PAUSE_MS, 2 * pauseMs)
  }
}
