/** Tasks without a waiting caller: errors are reported, and shutdown waits for them. */
export class BackgroundTasks {
  readonly #onError: (error: unknown) => void
  readonly #unfinished = new Set<Promise<void>>()

  constructor (onError: (error: unknown) => void) {
    this.#onError = onError
  }

  run (task: Promise<void>): void {
    const whole = task.catch(this.#onError).finally(() => this.#unfinished.delete(whole))
    this.#unfinished.add(whole)
  }

  /** Resolves when all current tasks have ended. */
  async settled (): Promise<void> {
    await Promise.all(this.#unfinished)
  }
}
