import type { Finding } from '../alerts/index.js'
import type { Print } from './types.js'

const MINUTE_MS = 60_000

/**
 * The alert for a print that ended while no service watched its printer. As the time of the end is unknown, the alert
 * gives an upper bound of its age.
 * @param seenAt when the print was last seen running; undefined if never
 */
export function lateAlert (print: Print, seenAt: number | undefined, now: number): Finding {
  const { job, file, result, layer, percent } = print
  const isFinished = result === 'finished'
  return {
    type: isFinished ? 'job_finished' : 'job_failed',
    severity: result === 'cancelled' ? 'medium' : 'high',
    payload: {
      ...(job.subtaskName !== '' && { subtask_name: job.subtaskName }),
      ...(file !== '' && { gcode_file: file }),
      ...(job.plate > 0 && { plate_num: job.plate }),
      ...(layer > 0 && { layer_num: layer }),
      ...(!isFinished && percent > 0 && { percent }),
      ...(result === 'cancelled' && { cancelled: true }),
      ended_unseen: true,
      ...(seenAt !== undefined && {
        last_seen: new Date(seenAt).toISOString(), unseen_min: Math.max(0, Math.round((now - seenAt) / MINUTE_MS))
      })
    }
  }
}
