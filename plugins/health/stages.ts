/** Stage "printing", and "no stage" as the printer families encode it. */
const PRINTING: ReadonlySet<number> = new Set([-1, 0, 100, 255])

/** The printer prepares, is being serviced or waits: a picture says nothing about the print. */
export const isGatedStage = (stageId: number): boolean => !PRINTING.has(stageId)

/** States in which the monitor runs. */
export const isMonitored = (gcodeState: string): boolean => gcodeState === 'RUNNING' || gcodeState === 'PAUSE'

const BEFORE_A_JOB: ReadonlySet<string> = new Set(['IDLE', 'FINISH', 'FAILED', 'SLICING', 'INIT', 'PREPARE', ''])

/** A job has begun. Resuming after a pause does not count, nor does the first known state. */
export const isJobStart = (now: string, before: string | undefined): boolean =>
  before !== undefined && BEFORE_A_JOB.has(before) && isMonitored(now)
