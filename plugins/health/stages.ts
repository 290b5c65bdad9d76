/** No stage at all, in the spellings of the families, and "printing". */
const PRINTING: ReadonlySet<number> = new Set([-1, 0, 100, 255])

/** The printer prepares, maintains or waits: a picture says nothing of the print. */
export const isGated = (stageId: number): boolean => !PRINTING.has(stageId)

/** The monitor looks at these states. */
export const isMonitored = (gcodeState: string): boolean => gcodeState === 'RUNNING' || gcodeState === 'PAUSE'

const BEFORE_A_JOB: ReadonlySet<string> = new Set(['IDLE', 'FINISH', 'FAILED', 'SLICING', 'INIT', 'PREPARE', ''])

/** A job begins; going on after a pause is no beginning, nor is the first state that is seen. */
export const isJobStart = (now: string, before: string | undefined): boolean =>
  before !== undefined && BEFORE_A_JOB.has(before) && isMonitored(now)
