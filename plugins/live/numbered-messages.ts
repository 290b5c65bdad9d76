import { randomBytes } from 'node:crypto'
import type { Message } from './message.js'
import { createReplayBuffer } from './replay-buffer.js'

/** What a listener that reconnects has missed. */
interface Missed {
  readonly messages: readonly Message[]
  /** Whether some are no longer available. */
  readonly hasGap: boolean
}

/** Numbers the messages of topics that send every one, and stores them for listeners that reconnect. */
export class NumberedMessages {
  readonly #buffer = createReplayBuffer()
  /** Ids contain the run, because counts restart with each run. */
  readonly #run = randomBytes(4).toString('hex')
  #count = 0

  next (): { readonly count: number, readonly id: string } {
    this.#count++
    return { count: this.#count, id: `${this.#run}-${this.#count}` }
  }

  add (message: Message): void { this.#buffer.add(message) }

  /** After a restart of the service, all stored messages are new to the listener. @param since id of the last one */
  since (since: string, wanted: (message: Message) => boolean): Missed {
    const [theirs, number] = since.split('-')
    const isSameRun = theirs === this.#run && /^\d{1,15}$/.test(number ?? '')
    const after = isSameRun ? Number(number) : 0
    return {
      messages: this.#buffer.after(after, wanted),
      hasGap: !isSameRun || this.#buffer.lost(after, wanted)
    }
  }

  forget (printer: string): void { this.#buffer.forget(printer) }
}
