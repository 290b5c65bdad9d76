import { activeFaults, type Fault, type PrinterState } from '../../../core/index.js'
import { defineAlertRule, type RuleContext } from '../types.js'

/** An entry that is older was there before, and is not why the job paused. */
const FRESH_MS = 120_000

/** Entries of the health list by code, and when they appeared. */
type Entries = ReadonlyMap<string, number>

/** Those that were listed when the service began, or when the job began or went on, count as old. */
function entriesOf (now: PrinterState, before: PrinterState, known: Entries, at: number): Entries {
  const begins = beginsToRun(now, before)
  if (!begins && now.errors === before.errors) return known
  const old = new Set(before.errors.faults.map(({ code }) => code))
  return new Map(now.errors.faults.filter(({ type }) => type === 'device_hms')
    .map(({ code }) => [code, begins ? -Infinity : known.get(code) ?? (old.has(code) ? -Infinity : at)]))
}

const beginsToRun = (now: PrinterState, before: PrinterState): boolean =>
  now.job.gcodeState === 'RUNNING' && before.job.gcodeState !== 'RUNNING'

/** Worse ones first. */
const RANKS: Readonly<Record<Fault['severity'], number>> = { Fatal: 0, Error: 1, Warning: 2, Info: 3 }

/** Without an error number no entry is active, but a new one is the only word of why the printer waits. */
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

export const jobPaused = defineAlertRule<Entries>({
  name: 'job_paused',
  initial: new Map(),
  detect ({ state: now }, { state: before }, known, context) {
    const { at } = context
    const entries = entriesOf(now, before, known, at)
    const { gcodeState, stage } = now.job
    if (gcodeState !== 'PAUSE' || before.job.gcodeState !== 'RUNNING') {
      return entries === known ? undefined : { findings: [], memory: entries }
    }
    const payload = {
      stage_id: stage.name === '' ? null : stage.id,
      stage_name: stage.name === '' ? 'unknown' : stage.name,
      ...causePayload(causeOf(now, entries, at), context)
    }
    return { findings: [{ type: 'job_paused', severity: 'medium', payload }], memory: entries }
  }
})
