import type { Dispose } from '../../core/index.js'
import { checkRoom } from '../http/index.js'
import { TooManyListeners } from './errors.js'
import type { Message } from './message.js'

export interface Listener {
  /** IP address. */
  readonly address: string
  readonly topics: ReadonlySet<string>
  /** Undefined for all printers. */
  readonly printer: string | undefined
  /** Whether the listener may see a printer. */
  readonly sees: (printer: string) => boolean
  deliver (message: Message): void
  /** Called at shutdown. */
  end (): void
}

/** Bounds the memory, since each may have a backlog. */
const MOST_LISTENERS = 256

export const isFor = ({ topics, printer, sees }: Listener, message: Pick<Message, 'topic' | 'printer'>) =>
  topics.has(message.topic) && (printer === undefined || printer === message.printer) && sees(message.printer)

/** The clients that are connected. */
export class Listeners {
  readonly #all = new Set<Listener>()

  /** @throws PRN_ERR_TOO_MANY_FROM_ADDRESS, PRN_ERR_TOO_MANY_LISTENERS if a limit is reached */
  checkRoom (address: string): void {
    checkRoom(address, [...this.#all], MOST_LISTENERS, () => new TooManyListeners())
  }

  add (listener: Listener): Dispose {
    this.#all.add(listener)
    return () => { this.#all.delete(listener) }
  }

  isWanted (topic: string, printer: string): boolean {
    return [...this.#all].some(listener => isFor(listener, { topic, printer }))
  }

  deliver (message: Message): void {
    for (const listener of this.#all) if (isFor(listener, message)) listener.deliver(message)
  }

  end (): void {
    for (const listener of [...this.#all]) listener.end()
    this.#all.clear()
  }
}
