/** Other services that share the database may change people; expired logins and keys end without a change. */
const EVERY_MS = 5_000

export interface FollowOptions {
  /** Reads everybody anew. */
  readonly read: () => Promise<unknown>
  /** Other services use the same database. */
  readonly isShared: boolean
  /** Nobody could be read so far though somebody is expected. */
  readonly isStale: () => boolean
  /** Told once of each row of failures. */
  readonly onProblem: (error: unknown) => void
}

/** Reads people at the start, and again and again where others may change them or the database was away. */
export function followOthers ({ read, isShared, isStale, onProblem }: FollowOptions) {
  let timer: NodeJS.Timeout | undefined
  let failing = false
  let ended = false

  async function look (): Promise<void> {
    try {
      await read()
      failing = false
    } catch (error) {
      if (!failing) onProblem(error)
      failing = true
    }
    if (!ended && (isShared || (failing && isStale()))) timer = setTimeout(() => { void look() }, EVERY_MS).unref()
  }

  return {
    begin: look,
    end () {
      ended = true
      clearTimeout(timer)
    }
  }
}
