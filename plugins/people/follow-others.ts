/** Polling interval: other services that share the database may change users. */
const EVERY_MS = 5_000

export interface FollowOptions {
  /** Reads all users and keys again. */
  readonly read: () => Promise<unknown>
  /** Other services use the same database. */
  readonly isShared: boolean
  /** Called once for each series of failures. */
  readonly onProblem: (error: unknown) => void
}

/** Reads users at the start, and then periodically if other services may change them or the database failed. */
export function followOthers ({ read, isShared, onProblem }: FollowOptions) {
  let timer: NodeJS.Timeout | undefined
  let failing = false
  let ended = false

  async function poll (): Promise<void> {
    try {
      await read()
      failing = false
    } catch (error) {
      if (!failing) onProblem(error)
      failing = true
    }
    if (!ended && (isShared || failing)) timer = setTimeout(() => { void poll() }, EVERY_MS).unref()
  }

  return {
    begin: poll,
    end () {
      ended = true
      clearTimeout(timer)
    }
  }
}
