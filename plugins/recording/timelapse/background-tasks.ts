/** Work that no caller waits for. Its errors are reported, and closing the service waits for it. */
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

  /** Resolves once all that runs now has ended. */
  async settled (): Promise<void> {
    await Promise.all(this.#unfinished)
  }
}
