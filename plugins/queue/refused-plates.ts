import type { PrinterSession } from '../../core/index.js'
import type { Finding } from '../alerts/index.js'
import type { Job } from './types.js'

/** That are remembered, so that each is reported once. */
const MOST_REFUSED = 1_000

/** Reports plates that must not be printed, once for each job, printer and reason. */
export function createRefusedPlates (raise: (printer: string, finding: Finding) => void) {
  /** Why they were refused, by job and printer. */
  const refused = new Map<string, string>()

  /** Called with each try to print a plate that must not be printed. */
  return ({ name }: PrinterSession, { id, name: job }: Pick<Job, 'id' | 'name'>, reason: string): void => {
    const key = `${id} ${name}`
    if (refused.get(key) === reason) return
    refused.delete(key)
    refused.set(key, reason)
    const [oldest] = refused.keys()
    if (refused.size > MOST_REFUSED && oldest !== undefined) refused.delete(oldest)
    raise(name, { type: 'queue_blocked', severity: 'medium', payload: { job: id, job_name: job, reason } })
  }
}
