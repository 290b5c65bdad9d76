/** The pause before a retry, which a new request may cut short. */
export class RetryPause {
  #end = (): void => {}

  /** Resolves after `ms`, at `end`, or when the signal is aborted; never rejects. */
  begin (ms: number, signal: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      const done = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        this.#end = () => {}
        resolve()
      }
      const timer = setTimeout(done, ms).unref()
      signal.addEventListener('abort', done, { once: true })
      this.#end = done
    })
  }

  /** Ends the current pause, if there is one. */
  end (): void {
    this.#end()
  }
}
