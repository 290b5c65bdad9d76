import type { Job } from '../types.js'
import { why, type Why } from './reasons.js'
import type { View, WaitingJob } from './types.js'

export const waitingCopies = ({ copies, taken }: Job): number => copies - taken

/** A file of the job whose content is not available. */
export const absentFile = ({ alternatives }: Job, { present }: View): string | undefined =>
  alternatives.find(({ file }) => !present.has(file))?.file

/** Why a job waits, whatever the printers; undefined when only they keep it waiting. */
export function jobReason ({ job, attempts }: WaitingJob, view: View): Why | undefined {
  if (job.held) return why('held')
  if (job.notBefore !== undefined && job.notBefore > view.now) {
    return why('not_before', {
      time: `${new Date(job.notBefore).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
      time_at: job.notBefore
    })
  }
  const absent = absentFile(job, view)
  if (absent !== undefined) return why('file_gone', { file: view.files.get(absent)?.name ?? absent })
  if (waitingCopies(job) <= 0) return why(attempts.length > 0 ? 'none_left' : 'all_under_way')
  return view.isPaused ? why('queue_paused') : undefined
}
