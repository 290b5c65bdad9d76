/** Lets the first through at once, then the newest of each period. */
export interface Throttle {
  /** Something has changed. */
  touch (key: string): void
  forget (key: string): void
  close (): void
}

interface Line { sentAt: number, timer: NodeJS.Timeout | undefined }

/** @param send called for a key at most once in `everyMs` */
export function createPacer (everyMs: number, send: (key: string) => void): Throttle {
  const lines = new Map<string, Line>()

  function lineOf (key: string): Line {
    const known = lines.get(key)
    if (known) return known
    const made: Line = { sentAt: -Infinity, timer: undefined }
    lines.set(key, made)
    return made
  }

  function pass (key: string, line: Line): void {
    line.timer = undefined
    line.sentAt = performance.now()
    send(key)
  }

  return {
    touch (key) {
      const line = lineOf(key)
      if (line.timer) return
      const wait = line.sentAt + everyMs - performance.now()
      if (wait <= 0) pass(key, line)
      else line.timer = setTimeout(pass, wait, key, line).unref()
    },
    forget (key) {
      clearTimeout(lines.get(key)?.timer)
      lines.delete(key)
    },
    close () {
      for (const { timer } of lines.values()) clearTimeout(timer)
      lines.clear()
    }
  }
}
