import type { PrinterState } from '../../core/index.js'
import type { JobProject } from './job-watch.js'

/** As the printer says; small printers say nothing of it, and a project of one plate needs no word. -1: not known */
export function plateOfJob (state: Pick<PrinterState, 'job'> | undefined, { info }: Pick<JobProject, 'info'>): number {
  const told = state?.job.plate ?? -1
  return told > 0 || info?.plates.length !== 1 ? told : info.plates[0] ?? told
}
