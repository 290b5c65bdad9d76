import type { Message } from './message.js'

/** Recent replayable messages, for listeners that reconnect. */
export interface ReplayBuffer {
  add (message: Message): void
  /** Later messages, oldest first. @param wanted filter */
  after (count: number, wanted: (message: Message) => boolean): readonly Message[]
  /** Whether a later message was already dropped. */
  lost (count: number, wanted: (message: Message) => boolean): boolean
  /** Called when a printer is removed. */
  forget (printer: string): void
}

/** Limit for each topic and printer, so that a busy one does not displace the others. */
const MOST_MESSAGES = 64

interface Channel { readonly messages: Message[], lost: Message | undefined }

export function createReplayBuffer (): ReplayBuffer {
  const channels = new Map<string, Channel>()

  function channelOf ({ topic, printer }: Message): Channel {
    const key = `${topic}\n${printer}`
    const known = channels.get(key)
    if (known) return known
    const made: Channel = { messages: [], lost: undefined }
    channels.set(key, made)
    return made
  }

  return {
    add (message) {
      const channel = channelOf(message)
      channel.messages.push(message)
      if (channel.messages.length > MOST_MESSAGES) channel.lost = channel.messages.shift()
    },
    after: (count, wanted) => [...channels.values()]
      .flatMap(({ messages }) => messages.filter(message => message.count > count && wanted(message)))
      .sort((a, b) => a.count - b.count),
    lost: (count, wanted) => [...channels.values()]
      .some(({ lost }) => lost !== undefined && lost.count > count && wanted(lost)),
    forget (printer) {
      for (const key of channels.keys()) if (key.endsWith(`\n${printer}`)) channels.delete(key)
    }
  }
}
