import type { Job } from '../types.js'
import { plateIn } from './fits.js'
import { endsLate, hasHours } from './printers.js'
import type { View, WaitingJob } from './types.js'

/** Jobs by priority; those that end within some printer's working hours come before those that end within none. */
export function inOrder ({ now, printers, files, jobs }: View): readonly WaitingJob[] {
  const secondsOf = ({ alternatives: [first] }: Job): number =>
    (first && plateIn(files.get(first.file), first)?.seconds) ?? 0
  const timed = printers.filter(hasHours)
  const isLate = (job: Job): boolean =>
    timed.length > 0 && timed.every(printer => endsLate(secondsOf(job), printer, now))
  return jobs.map(waiting => ({ waiting, late: isLate(waiting.job) })).sort((a, b) =>
    b.waiting.job.priority - a.waiting.job.priority || Number(a.late) - Number(b.late) ||
    a.waiting.job.position - b.waiting.job.position || (a.waiting.job.id < b.waiting.job.id ? -1 : 1))
    .map(({ waiting }) => waiting)
}
