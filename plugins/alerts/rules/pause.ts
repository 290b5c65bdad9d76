import { activeFaults, type Fault, type PrinterState } from '../../../core/index.js'
import { defineAlertRule, type Finding, type RuleContext } from '../types.js'

/** An older entry was there before the pause and did not cause it. */
const FRESH_MS = 120_000

/** Entries of the health list by code, and when they appeared. */
type Entries = ReadonlyMap<string, number>

/** Entries that existed when the service, the job or its resumption began count as old. */
function entriesOf (now: PrinterState, before: PrinterState, known: Entries, at: number): Entries {
  const begins = beginsToRun(now, before)
  if (!begins && now.errors === before.errors) return known
  const old = new Set(before.errors.faults.map(({ code }) => code))
  return new Map(now.errors.faults.filter(({ type }) => type === 'device_hms')
    .map(({ code }) => [code, begins ? -Infinity : known.get(code) ?? (old.has(code) ? -Infinity : at)]))
}

const beginsToRun = (now: PrinterState, before: PrinterState): boolean =>
  now.job.gcodeState === 'RUNNING' && before.job.gcodeState !== 'RUNNING'

/** Severities, worst first. */
const RANKS: Readonly<Record<Fault['severity'], number>> = { Fatal: 0, Error: 1, Warning: 2, Info: 3 }

/** Without an error number, no entry counts as active, but a new one is the only hint at why the printer waits. */
function causeOf ({ errors: { faults } }: PrinterState, entries: Entries, at: number): Fault | undefined {
  const number = activeFaults(faults).find(({ type }) => type === 'device_error')
  const [fresh] = faults
    .filter(({ code, ignored }) => ignored !== true && at - (entries.get(code) ?? -Infinity) < FRESH_MS)
    .sort((a, b) => RANKS[a.severity] - RANKS[b.severity])
  return number ?? fresh
}

function causePayload (cause: Fault | undefined, { describe, sentence, url }: RuleContext) {
  if (cause === undefined) return {}
  const reason = sentence(cause)
  return { code: cause.code, reason, ...(reason !== describe(cause) && { url: url(cause) }) }
}

/** An entry of the health list may follow the state after some reports. */
const SOON_MS = 15_000

interface Memory {
  readonly entries: Entries
  /** When a pause was alerted whose cause was still unknown. */
  readonly unexplainedSince: number | undefined
}

const pausedBecause = ({ job: { stage } }: PrinterState, cause: Fault | undefined, context: RuleContext): Finding => ({
  type: 'job_paused',
  severity: 'medium',
  payload: {
    stage_id: stage.name === '' ? null : stage.id,
    stage_name: stage.name === '' ? 'unknown' : stage.name,
    ...causePayload(cause, context)
  }
})

/** A late error number raises a fault alert of its own; a late entry of the list does not, so it is added here. */
function lateCause (now: PrinterState, { entries, unexplainedSince }: Memory, at: number): Fault | undefined {
  if (unexplainedSince === undefined || at - unexplainedSince > SOON_MS) return undefined
  const cause = causeOf(now, entries, at)
  return cause?.type === 'device_hms' && (entries.get(cause.code) ?? 0) > unexplainedSince ? cause : undefined
}

export const jobPaused = defineAlertRule<Memory>({
  name: 'job_paused',
  initial: { entries: new Map(), unexplainedSince: undefined },
  detect ({ state: now }, { state: before }, known, context) {
    const { at } = context
    const entries = entriesOf(now, before, known.entries, at)
    const isPaused = now.job.gcodeState === 'PAUSE'
    if (isPaused && before.job.gcodeState !== 'PAUSE') { // a short preparation may show no RUNNING before it
      const cause = causeOf(now, entries, at)
      const memory = { entries, unexplainedSince: cause === undefined ? at : undefined }
      return { findings: [pausedBecause(now, cause, context)], memory }
    }
    const memory = { entries, unexplainedSince: isPaused ? known.unexplainedSince : undefined }
    if (entries === known.entries && memory.unexplainedSince === known.unexplainedSince) return undefined
    const late = lateCause(now, memory, at)
    if (late === undefined) return { findings: [], memory }
    const { payload, ...finding } = pausedBecause(now, late, context)
    return {
      findings: [{ ...finding, payload: { ...payload, replaces: 'job_paused' } }], memory: { entries, unexplainedSince: undefined }
    }
  }
})
