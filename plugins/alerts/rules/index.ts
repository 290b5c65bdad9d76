import type { AnyAlertRule } from '../types.js'
import { healthChange } from './health.js'
import { hmsErrors } from './hms.js'
import { jobFailed, jobFinished, jobResumed, jobStarted } from './job.js'
import { jobPaused } from './pause.js'
import { stageChange } from './stage.js'

/** The documented alerts, in the order in which one report's alerts are queued: job, stage, errors, health. */
export const rules: readonly AnyAlertRule[] =
  [jobStarted, jobFinished, jobFailed, jobPaused, jobResumed, stageChange, hmsErrors, healthChange]
