import {
  isJobOfGap, type FaultGuard, type HmsCatalogue, type Job, type PluginFaults, type PrinterState
} from '../../core/index.js'
import { SEVERITIES, type Alert, type AnyAlertRule, type Finding, type Health, type Outcome, type PrinterSnapshot } from './types.js'

export interface EngineDeps {
  readonly rules: readonly AnyAlertRule[]
  /** Name of the plugin that a rule belongs to. */
  readonly originOf: (rule: object) => string | undefined
  readonly faults: HmsCatalogue
  readonly pluginFaults: Pick<PluginFaults, 'guard'>
  /** ms since the epoch, for the alerts' timestamps. */
  readonly now: () => number
  /** ms of a monotonic clock, for time windows. */
  readonly steady: () => number
  readonly raise: (alert: Alert) => void
}

/** State of one printer: the last snapshot, and the memory of each rule, in the order of the rules. */
interface Track {
  view: PrinterSnapshot | undefined
  /** When the first snapshot was taken, ms since the epoch. */
  since: number
  /** When the last report came, by the steady clock. */
  reportedAt: number
  health: Health | undefined
  readonly memories: unknown[]
}

/** 2026-01-01T00:00:00+00:00 */
const timestamp = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}+00:00`

const isFields = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** @throws TypeError for an invalid finding */
function check ({ findings }: Outcome<unknown>): void {
  for (const { type, severity, payload } of findings as readonly Partial<Finding>[]) {
    if (typeof type !== 'string' || severity === undefined || !SEVERITIES.includes(severity) || !isFields(payload)) {
      throw new TypeError('a finding must have a type, a severity and a payload')
    }
  }
}

const withJob = (view: PrinterSnapshot, part: Partial<Job>): PrinterSnapshot =>
  ({ ...view, state: { ...view.state, job: { ...view.state.job, ...part } } })

/** Another job began in a gap: it comes from no job, or must have run. @returns what it is compared with */
const acrossGap = ({ state: { job } }: PrinterSnapshot, before: PrinterSnapshot): PrinterSnapshot =>
  withJob(before, { gcodeState: job.gcodeState === 'RUNNING' ? '' : 'RUNNING', cancelled: false })

/**
 * Compares successive snapshots of each printer. State is stored by the printer's name and outlives sessions, so a
 * reconnect that changes nothing raises nothing; the very first state only sets the baseline.
 */
export function createEngine (deps: EngineDeps) {
  const { rules } = deps
  const guards: readonly FaultGuard[] = rules.map(rule =>
    deps.pluginFaults.guard(deps.originOf(rule), 'alert rule', rule.name, { once: true }))
  const tracks = new Map<string, Track>()
  /** Taken once: a report that changes nothing must not allocate. */
  const { describe, sentence, url } = deps.faults
  const context = { at: 0, describe, sentence, url }

  function trackOf (printer: string): Track {
    const known = tracks.get(printer)
    if (known) return known
    const memories = rules.map(({ initial }) => initial)
    const made: Track = { view: undefined, since: 0, reportedAt: 0, health: undefined, memories }
    tracks.set(printer, made)
    return made
  }

  function apply (rule: AnyAlertRule, memory: unknown, now: PrinterSnapshot,
    before: PrinterSnapshot): Outcome<unknown> | undefined {
    const outcome = rule.detect(now, before, memory, context)
    if (outcome !== undefined) check(outcome)
    return outcome
  }

  function compare (printer: string, track: Track, state: PrinterState, elapsedMs = 0, isStarting = false): void {
    const last = track.view
    const view: PrinterSnapshot = { state, health: track.health }
    track.view = view
    if (!last) {
      track.since = deps.now()
      return
    }
    context.at = deps.steady()
    const isMissed = !isStarting && isJobOfGap(state.job, last.state.job, elapsedMs)
    const before = isMissed ? acrossGap(view, last) : last
    for (let at = 0; at < rules.length; at++) {
      const rule = rules[at] as AnyAlertRule
      const outcome = guards[at]?.run(() => apply(rule, track.memories[at], view, before), { rule: rule.name })
      if (outcome === undefined) continue
      track.memories[at] = outcome.memory
      for (const finding of outcome.findings) raise(printer, finding)
    }
  }

  function raise (printer: string, { type, severity, payload }: Finding): void {
    deps.raise(Object.freeze({ type, printer, timestamp: timestamp(deps.now()), severity, payload }))
  }

  return {
    /**
     * Compares a new report of the printer.
     * @param isStarting a start is awaited: the printer may show its names with the state of the job before
     */
    see (printer: string, state: PrinterState, isStarting = false): void {
      const track = trackOf(printer)
      const at = deps.steady()
      const elapsedMs = at - track.reportedAt
      track.reportedAt = at
      compare(printer, track, state, elapsedMs, isStarting)
    },
    /**
     * Compares a new verdict of the job monitor.
     * @param paused only stores it, for the comparison with the next report
     */
    judge (printer: string, health: Health, paused = false): void {
      const track = trackOf(printer)
      track.health = health
      if (track.view && !paused) compare(printer, track, track.view.state)
    },
    raise,
    /** Start of monitoring a printer, ms since the epoch; undefined before its first report. */
    watchedSince (printer: string): number | undefined {
      const track = tracks.get(printer)
      return track?.view && track.since
    },
    /** The printer is no longer configured. */
    forget (printer: string): void { tracks.delete(printer) }
  }
}
