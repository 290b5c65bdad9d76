/** What the clients saw. */
export interface Figures {
  /** Answers by kind of client and status. */
  readonly answers: Readonly<Record<string, number>>
  /** Faults that no client should see, the first few of each. */
  readonly bad: readonly string[]
  readonly streamedMb: number
  /** Streams that brought pictures since the last question. */
  readonly streaming: number
  /** The last value of each preference that the service said it had stored, and the last one sent. */
  readonly preferences: Readonly<Record<string, { readonly stored: number, readonly sent: number }>>
}

const MOST_BAD = 40

export interface Book {
  /** The service is away on purpose: whoever does not reach it has nothing to complain about. */
  away: boolean
  answer (kind: string, status: number | string): void
  bad (what: string): void
  bytes (stream: number, count: number): void
  readonly preferences: Record<string, { stored: number, sent: number }>
  take (): Figures
}

export function createBook (): Book {
  const answers: Record<string, number> = {}
  const bad: string[] = []
  const preferences: Book['preferences'] = {}
  let streamed = 0
  let streaming = new Set<number>()
  return {
    away: false,
    preferences,
    answer (kind, status) {
      const key = `${kind} ${status}`
      answers[key] = (answers[key] ?? 0) + 1
    },
    bad (what) { if (!this.away && bad.length < MOST_BAD) bad.push(`${new Date().toISOString().slice(11, 19)} ${what}`) },
    bytes (stream, count) {
      streamed += count
      streaming.add(stream)
    },
    take () {
      const figures = {
        answers: { ...answers },
        bad: [...bad],
        streamedMb: Math.round(streamed / 1e6),
        streaming: streaming.size,
        preferences
      }
      streaming = new Set()
      return figures
    }
  }
}
