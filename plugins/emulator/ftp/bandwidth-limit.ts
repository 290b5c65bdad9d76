import { setTimeout as sleep } from 'node:timers/promises'

const TICK_BYTES = 16 * 1024
/** Short debts are not worth a timer. */
const SHORTEST_MS = 5

/** Lets bytes through no faster than a rate allows; `rate` is asked again for each piece. */
export async function * paced (source: AsyncIterable<Buffer>, rate: () => number): AsyncGenerator<Buffer> {
  let debtMs = 0
  for await (const chunk of source) {
    if (rate() === Infinity) { yield chunk; continue }
    for (let at = 0; at < chunk.length; at += TICK_BYTES) {
      const piece = chunk.subarray(at, at + TICK_BYTES)
      debtMs += piece.length / rate() * 1000
      if (debtMs > SHORTEST_MS) {
        await sleep(debtMs, undefined, { ref: false })
        debtMs = 0
      }
      yield piece
    }
  }
}
