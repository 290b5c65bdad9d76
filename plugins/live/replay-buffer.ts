import type { Message } from './message.js'

/** Messages that count, for listeners that come back. */
export interface Kept {
  add (message: Message): void
  /** Those that came after, oldest first. @param wanted by topic and printer */
  after (count: number, wanted: (message: Message) => boolean): readonly Message[]
  /** Some that came after are not kept any more. */
  lost (count: number, wanted: (message: Message) => boolean): boolean
  /** The printer is no longer configured. */
  forget (printer: string): void
}

/** Of each kind of message of each printer; one that tells a lot does not push out the others. */
const MOST_KEPT = 64

interface Line { readonly messages: Message[], lost: Message | undefined }

export function createKept (): Kept {
  const lines = new Map<string, Line>()

  function lineOf ({ topic, printer }: Message): Line {
    const key = `${topic}\n${printer}`
    const known = lines.get(key)
    if (known) return known
    const made: Line = { messages: [], lost: undefined }
    lines.set(key, made)
    return made
  }

  return {
    add (message) {
      const line = lineOf(message)
      line.messages.push(message)
      if (line.messages.length > MOST_KEPT) line.lost = line.messages.shift()
    },
    after: (count, wanted) => [...lines.values()]
      .flatMap(({ messages }) => messages.filter(message => message.count > count && wanted(message)))
      .sort((a, b) => a.count - b.count),
    lost: (count, wanted) => [...lines.values()]
      .some(({ lost }) => lost !== undefined && lost.count > count && wanted(lost)),
    forget (printer) {
      for (const key of lines.keys()) if (key.endsWith(`\n${printer}`)) lines.delete(key)
    }
  }
}
