import type { Finding } from '../alerts/index.js'
import type { PrinterStatus, TaskStatus } from './status.js'
import type { TaskStore } from './task-store.js'

/** Something that happened to a task. */
export interface TaskEvent {
  readonly kind: 'soon' | 'due' | 'done'
  readonly printer: string
  readonly task: string
  readonly name: string
  /** The same for all services and over restarts. */
  readonly key: string
  /** ms since the epoch. */
  readonly at: number
}

export interface NoticesDeps {
  readonly store: Pick<TaskStore, 'warnOnce'>
  readonly raise: (printer: string, finding: Finding) => void
  readonly happened: (event: TaskEvent) => void
  readonly now: () => number
}

/** A new interval is warned of anew. */
const keyOf = ({ serial }: PrinterStatus, { task, last, progress: [first], state }: TaskStatus): string =>
  [serial, task.id, last?.id ?? 'first', `${first?.unit}.${first?.every}`, state].join(':')

const SEVERITIES = { soon: 'low', due: 'medium' } as const

/** Warns of tasks that are soon due, and due: once each, in one alert for all of a printer. */
export class Notices {
  readonly #deps: NoticesDeps
  /** What this service knows to be warned of, so that it need not ask again. */
  readonly #known = new Set<string>()

  constructor (deps: NoticesDeps) { this.#deps = deps }

  /** @returns whether there was something new @throws the database's errors */
  async see (statuses: readonly PrinterStatus[]): Promise<boolean> {
    const current = new Set<string>()
    let hasWarned = false
    for (const status of statuses) {
      for (const kind of ['due', 'soon'] as const) {
        const fresh: TaskStatus[] = []
        try {
          await this.#note(status, status.tasks.filter(({ state }) => state === kind), current, fresh)
        } finally {
          // What is noted is never warned of again, also if the database fails at the next task.
          if (fresh.length > 0) this.#warn(status, kind, fresh)
        }
        hasWarned ||= fresh.length > 0
      }
    }
    for (const key of this.#known) if (!current.has(key)) this.#known.delete(key)
    return hasWarned
  }

  /** @param fresh gets those that nobody has noted @throws the database's errors */
  async #note (
    status: PrinterStatus, tasks: readonly TaskStatus[], current: Set<string>, fresh: TaskStatus[]
  ): Promise<void> {
    for (const task of tasks) {
      const key = keyOf(status, task)
      current.add(key)
      if (this.#known.has(key)) continue
      const row = { id: key, serial: status.serial, task: task.task.id, at: this.#deps.now() }
      if (await this.#deps.store.warnOnce(row)) fresh.push(task)
      this.#known.add(key)
    }
  }

  #warn (status: PrinterStatus, kind: 'soon' | 'due', tasks: readonly TaskStatus[]): void {
    const { raise, happened, now } = this.#deps
    const names = tasks.map(({ task }) => task.name)
    raise(status.printer, {
      type: `maintenance_${kind}`,
      severity: SEVERITIES[kind],
      payload: { tasks: tasks.map(({ task }) => task.id), reason: names.join('; ') }
    })
    for (const task of tasks) {
      happened({
        kind, printer: status.printer, task: task.task.id, name: task.task.name, key: keyOf(status, task), at: now()
      })
    }
  }
}
