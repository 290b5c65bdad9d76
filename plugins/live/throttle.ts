/** Sends the first change at once, then at most one per period. */
export interface Throttle {
  /** Something has changed. */
  touch (key: string): void
  forget (key: string): void
  close (): void
}

interface Channel { sentAt: number, timer: NodeJS.Timeout | undefined }

/** @param send called for a key at most once in `everyMs` */
export function createThrottle (everyMs: number, send: (key: string) => void): Throttle {
  const channels = new Map<string, Channel>()

  function channelOf (key: string): Channel {
    const known = channels.get(key)
    if (known) return known
    const made: Channel = { sentAt: -Infinity, timer: undefined }
    channels.set(key, made)
    return made
  }

  function pass (key: string, channel: Channel): void {
    channel.timer = undefined
    channel.sentAt = performance.now()
    send(key)
  }

  return {
    touch (key) {
      const channel = channelOf(key)
      if (channel.timer) return
      const wait = channel.sentAt + everyMs - performance.now()
      if (wait <= 0) pass(key, channel)
      else channel.timer = setTimeout(pass, wait, key, channel).unref()
    },
    forget (key) {
      clearTimeout(channels.get(key)?.timer)
      channels.delete(key)
    },
    close () {
      for (const { timer } of channels.values()) clearTimeout(timer)
      channels.clear()
    }
  }
}
