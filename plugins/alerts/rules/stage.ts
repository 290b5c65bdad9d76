import { isRecent, remember, type Recent } from '../recent.js'
import { defineAlertRule } from '../types.js'

/** None, none, printing, completed: entering these raises no alert. */
const QUIET_STAGES: ReadonlySet<number> = new Set([-1, 0, 100, 255])
/** A stage that alerted less than this ago does not alert again. */
const WINDOW_MS = 30_000

const nameOf = (name: string) => name === '' ? 'unknown' : name

/** Alerts of new stages; its memory is when each stage alerted last. */
export const stageChange = defineAlertRule<Recent<number>>({
  name: 'stage_change',
  initial: new Map(),
  detect (now, before, alerted, { at }) {
    const { stage } = now.state.job
    const previous = before.state.job.stage
    if (stage.id === previous.id || QUIET_STAGES.has(stage.id)) return undefined
    if (isRecent(alerted, stage.id, at, WINDOW_MS)) return undefined
    return {
      findings: [{
        type: 'stage_change',
        severity: 'medium',
        payload: {
          stage_id: stage.id,
          stage_name: nameOf(stage.name),
          prev_stage_id: previous.id,
          prev_stage_name: nameOf(previous.name)
        }
      }],
      memory: remember(alerted, [stage.id], at, WINDOW_MS)
    }
  }
})
