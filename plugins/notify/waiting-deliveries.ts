import type { Delivery } from './deliveries.js'

/** More than a day's alerts of a large farm; above it, the oldest of the printer with the most are given up. */
export const MOST_WAITING = 1_000

/** Messages that are not sent yet, oldest first. */
export class WaitingDeliveries implements Iterable<Delivery> {
  readonly #waiting = new Map<string, Delivery>()
  /** Messages that wait for their attachment. */
  readonly #held = new Set<string>()

  /** The one to give up, if there are too many: a printer that invents faults pushes out no other's messages. */
  get surplus (): Delivery | undefined {
    if (this.#waiting.size <= MOST_WAITING) return undefined
    const counts = new Map<string, number>()
    for (const { printer } of this) counts.set(printer, (counts.get(printer) ?? 0) + 1)
    const most = Math.max(...counts.values())
    return [...this].find(({ printer }) => counts.get(printer) === most)
  }

  [Symbol.iterator] (): Iterator<Delivery> { return this.#waiting.values() }

  get (id: string): Delivery | undefined { return this.#waiting.get(id) }

  /** A message that is replaced keeps its place. */
  set (delivery: Delivery): void { this.#waiting.set(delivery.id, delivery) }

  delete (id: string): void {
    this.#waiting.delete(id)
    this.#held.delete(id)
  }

  /** Puts messages of an earlier run before newer ones. */
  prepend (earlier: readonly Delivery[]): void {
    const newer = [...this]
    this.#waiting.clear()
    for (const delivery of [...earlier, ...newer]) this.set(delivery)
  }

  hold (id: string): void { this.#held.add(id) }

  release (id: string): void { this.#held.delete(id) }

  /** The message that has been due for longest, so that one that keeps failing does not block the others. */
  next (target: string, at: number): Delivery | undefined {
    let first: Delivery | undefined
    for (const delivery of this) {
      if (delivery.target !== target || delivery.due_at > at || this.#held.has(delivery.id)) continue
      if (first === undefined || delivery.due_at < first.due_at) first = delivery
    }
    return first
  }

  countOf (target: string): number { return [...this].filter(delivery => delivery.target === target).length }
}
