/** Lets one task run at a time, in the order they came. */
export interface TaskQueue {
  /** Tasks that run or wait. */
  readonly length: number
  /** A task whose signal is aborted while it waits never begins. @throws the signal's reason, what the task throws */
  run<T> (task: () => Promise<T>, signal?: AbortSignal): Promise<T>
  /** Resolves when nothing runs or waits. */
  idle (): Promise<void>
}

export function createTaskQueue (): TaskQueue {
  let tail: Promise<unknown> = Promise.resolve()
  let length = 0

  async function run<T> (task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted()
    const turn = tail
    length++
    let done = (): void => {}
    tail = new Promise<void>(resolve => { done = resolve })
    const leave = (): void => { length--; done() }
    try {
      await untilAborted(turn, signal)
    } catch (error) {
      turn.then(leave) // whoever waits behind still waits for the one before
      throw error
    }
    try {
      return await task()
    } finally {
      leave()
    }
  }

  return {
    get length () { return length },
    run,
    idle: async () => { await tail }
  }
}

function untilAborted (turn: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal?.reason)
    signal?.addEventListener('abort', abort, { once: true })
    turn.then(() => {
      signal?.removeEventListener('abort', abort)
      if (signal?.aborted) reject(signal.reason)
      else resolve()
    })
  })
}
