import type { Clock } from './clock.js'
import type { Reply } from './commands/reply.js'
import { done } from './commands/reply.js'
import type { OddStart } from './fault-injector.js'
import { isBusy, noJob, PREPARE_MS } from './machine/job.js'
import type { Job, Machine } from './machine/types.js'
import { text, type Request } from './request.js'

export interface OddStartsOptions {
  readonly machine: Machine
  readonly clock: Clock
  readonly held: Set<() => void>
  /** Carries a start out as usual. */
  readonly begin: (request: Request) => void
  /** The machine may have changed. */
  readonly acted: () => void
}

/** Interval of the check whether an accepted start can begin, while a job runs. */
const AGAIN_MS = 1_000

const namesOf = ({ body }: Request): Pick<Job, 'name' | 'subtaskId' | 'taskId'> => ({
  name: text(body.subtask_name) ?? '',
  subtaskId: text(body.subtask_id) ?? '0',
  taskId: text(body.task_id) ?? '0'
})

/** Start commands that are accepted at once but do not lead to a normal start. */
export function createOddStarts ({ machine: m, clock, held, begin, acted }: OddStartsOptions) {
  function beginLate (request: Request): void {
    if (isBusy(m)) clock.after(AGAIN_MS, () => beginLate(request))
    else {
      begin(request)
      acted()
    }
  }

  function hold (start: () => void, afterMs: number | undefined): void {
    held.add(start)
    if (afterMs !== undefined) clock.after(afterMs, () => { if (held.delete(start)) start() })
  }

  function end (request: Request, { state, error, afterMs }: Extract<OddStart, { kind: 'stillborn' }>): void {
    const { number } = m.job
    Object.assign(m.job, noJob(m.job.stage), namesOf(request), { number: number + 1, state })
    acted()
    clock.after(afterMs, () => {
      if (m.job.number !== number + 1) return
      m.printError = error
      acted()
    })
  }

  return {
    take (request: Request, odd: OddStart): Reply {
      if (odd.kind === 'late') {
        const { afterMs, namesFirst, taskId } = odd
        const ids = taskId === undefined ? {} : { task_id: taskId, subtask_id: taskId }
        const shown = { ...request, body: { ...request.body, ...ids } }
        if (namesFirst === true) Object.assign(m.job, namesOf(shown))
        hold(() => beginLate(shown), afterMs)
      } else if (odd.prepares === true) {
        Object.assign(m.job, noJob(m.job.stage), namesOf(request), { state: 'PREPARE' })
        clock.after(PREPARE_MS / 2, () => end(request, odd))
      } else end(request, odd)
      return done({ reason: 'success' })
    }
  }
}
