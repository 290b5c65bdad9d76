import type { SqliteAnswer } from './sqlite-messages.js'

export const errorOf = ({ message, code }: { message: string, code?: string }): Error =>
  Object.assign(new Error(message), { code })

interface Pending {
  readonly resolve: (answer: SqliteAnswer) => void
  readonly reject: (error: Error) => void
}

/** Statements that a thread has not answered yet. */
export class PendingStatements {
  readonly #pending = new Map<number, Pending>()

  get isEmpty (): boolean { return this.#pending.size === 0 }

  /** @param send its failure rejects @param onLate called when the answer takes too long; it should reject all */
  add (id: number, withinMs: number, send: () => void, onLate: () => void): Promise<SqliteAnswer> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(onLate, withinMs).unref()
      this.#pending.set(id, {
        resolve: answer => { clearTimeout(timer); resolve(answer) },
        reject: error => { clearTimeout(timer); reject(error) }
      })
      send()
    })
  }

  answer (answer: SqliteAnswer): void {
    const statement = this.#pending.get(answer.id)
    this.#pending.delete(answer.id)
    if (answer.error) statement?.reject(errorOf(answer.error))
    else statement?.resolve(answer)
  }

  rejectAll (error: Error): void {
    const all = [...this.#pending.values()]
    this.#pending.clear()
    for (const { reject } of all) reject(error)
  }
}
