import type { PrinterState } from '../../core/index.js'
import type { JobProject } from './job-watch.js'

/** The reported plate number; small printers report none, so a project's only plate is assumed. -1: unknown */
export function plateOfJob (state: Pick<PrinterState, 'job'> | undefined, { info }: Pick<JobProject, 'info'>): number {
  const reported = state?.job.plate ?? -1
  return reported > 0 || info?.plates.length !== 1 ? reported : info.plates[0] ?? reported
}
