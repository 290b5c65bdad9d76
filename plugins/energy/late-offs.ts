import type { Kernel, PrinterSession } from '../../core/index.js'
import type { PlugStore } from './plug-store.js'
import type { Plug, Plugs } from './plugs.js'
import { CLAIM_MS } from './tables.js'

export interface LateOffsDeps {
  readonly kernel: Pick<Kernel, 'now' | 'printers' | 'signal'>
  readonly plugs: Pick<Plugs, 'all' | 'get' | 'isDriven'>
  readonly store: Pick<PlugStore, 'offSettled'>
  readonly switched: (plug: Plug, isOn: boolean, by: string) => void
  /** A printer takes jobs again. */
  readonly released: () => void
  readonly log: { warn (fields: object, message: string): void }
}

/** A command that was not confirmed may be obeyed so much later: Wi-Fi comes back, a request is read late. */
const LATE_MS = 300_000
/** What a plug says sooner after a command may be from before it. */
const SETTLED_MS = 15_000
const ASK_MS = 5_000
const POLL_MS = 50
/** Of a printer, beyond the wait for a late answer. */
export const HOLD_MS = LATE_MS + 2 * CLAIM_MS

/** Which plugs were told to switch off and have not said what became of it: their printers take no job meanwhile. */
export class LateOffs {
  readonly #deps: LateOffsDeps
  /** How often the printer with this serial is held. */
  readonly #held = new Map<string, number>()
  readonly #waiting = new Set<string>()
  /** What the database may still call open, by plug: when it was told. */
  readonly #settled = new Map<string, number>()
  /** What was open when this service began to drive the plug, by serial. */
  readonly #resumed = new Map<string, Promise<void>>()

  constructor (deps: LateOffsDeps) {
    this.#deps = deps
    deps.kernel.printers.eachLocal(session => { this.#claim(session) })
  }

  isHeld (serial: string): boolean { return this.#held.has(serial) }

  isWaiting (id: string): boolean { return this.#waiting.has(id) }

  /** @returns ends it */
  hold (serial: string): () => void {
    this.#held.set(serial, (this.#held.get(serial) ?? 0) + 1)
    return () => {
      const left = (this.#held.get(serial) ?? 1) - 1
      if (left > 0) this.#held.set(serial, left)
      else this.#held.delete(serial)
      this.#deps.released()
    }
  }

  /**
   * Waits until the plug itself has said what it is, some time after a command that it did not confirm.
   * @param until when it can no longer obey, ms
   * @returns false if the service ends before that is known
   */
  async settled (id: string, by: string, sentAt: number, until = sentAt + LATE_MS): Promise<boolean> {
    const { kernel, plugs, switched } = this.#deps
    let askedAt = kernel.now()
    let followed = plugs.get(id)?.monitor
    let said = followed?.said ?? 0
    this.#waiting.add(id)
    try {
      while (!kernel.signal.aborted && kernel.now() < until) {
        const plug = plugs.get(id)
        if (plug === undefined) return true
        const { monitor } = plug
        if (monitor !== followed) [followed, said] = [monitor, 0] // it was opened anew
        const { saidAt, isOn } = monitor.state
        const isFresh = monitor.said > said && saidAt !== undefined && saidAt - sentAt >= SETTLED_MS
        if (isFresh || (monitor.said > said && isOn === false)) {
          if (isOn === false) switched(plug, false, by)
          return true
        }
        if (kernel.now() - askedAt >= ASK_MS) {
          askedAt = kernel.now()
          void monitor.ask()
        }
        await new Promise(resolve => setTimeout(resolve, POLL_MS).unref())
      }
      return !kernel.signal.aborted
    } finally {
      this.#waiting.delete(id)
    }
  }

  /** Nothing of that command can come any more. @param sentAt when it was claimed */
  async forget (id: string, sentAt: number): Promise<void> {
    this.#settled.set(id, sentAt)
    // Kept in memory if the database is away: the next look tries again.
    await this.#deps.store.offSettled(id, sentAt).catch((error: unknown) => {
      this.#deps.log.warn({ err: error }, 'what became of a plug cannot be stored now')
    })
  }

  /**
   * Takes up what was open when this service, or the one that drove the plug before, ended.
   * @param isSwitching whether it is being switched here
   */
  look (isSwitching: (id: string) => boolean): void {
    const { plugs } = this.#deps
    for (const { row } of plugs.all) {
      const { id, serial, off_sent_at: sentAt } = row
      if (sentAt === 0 || serial === '' || isSwitching(id) || this.#held.has(serial) || !plugs.isDriven(row)) continue
      if (this.#settled.get(id) === sentAt) {
        row.off_sent_at = 0
        void this.forget(id, sentAt)
      } else this.#resume(id, serial, sentAt)
    }
  }

  #resume (id: string, serial: string, sentAt: number): void {
    const { kernel } = this.#deps
    const end = this.hold(serial)
    // When exactly it was sent is not known: after it was claimed, and before now.
    const until = sentAt + CLAIM_MS + LATE_MS
    const work = this.settled(id, 'elsewhere', kernel.now(), until).then(async isKnown => {
      if (isKnown) await this.forget(id, sentAt)
    }).finally(() => {
      this.#resumed.delete(serial)
      end()
    })
    this.#resumed.set(serial, work)
    const session = kernel.printers.sessions.find(({ config }) => config.serial === serial)
    if (session) this.#claim(session)
  }

  /** Whoever has claimed it already is not interrupted. */
  #claim (session: PrinterSession): void {
    const work = this.#resumed.get(session.config.serial)
    if (work) session.exclusively('switching its plug off', () => work, { withinMs: HOLD_MS }).catch(() => {})
  }
}
