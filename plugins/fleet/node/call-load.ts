/** Running calls per hub, so that no hub can block a node for the others. */
const MOST_AT_ONCE = 256
/** Beyond this, writes of a hub are refused: one that was evicted could run twice. */
const MOST_REMEMBERED = 5_000

interface HubLoad { running: number, remembered: number }

/** Counts the running calls and the remembered writes of each hub. */
export class CallLoad {
  readonly #hubs = new Map<string, HubLoad>()

  isFull (hub: string, isRead: boolean): boolean {
    const { running, remembered } = this.#of(hub)
    return running >= MOST_AT_ONCE || (!isRead && remembered >= MOST_REMEMBERED)
  }

  begin (hub: string, isRead: boolean): void {
    const load = this.#of(hub)
    load.running++
    if (!isRead) load.remembered++
  }

  end (hub: string): void { this.#of(hub).running-- }

  /** A write is no longer remembered. */
  forget (hub: string): void { this.#of(hub).remembered-- }

  #of (hub: string): HubLoad {
    const found = this.#hubs.get(hub) ?? { running: 0, remembered: 0 }
    this.#hubs.set(hub, found) // bounded by the number of accepted keys
    return found
  }
}
