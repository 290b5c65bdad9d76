import type { FastifyBaseLogger } from 'fastify'
import type { FaultTexts, PrinterState } from '../../core/index.js'
import type { Alert, AnyAlertRule, Finding, Health, View } from './types.js'

export interface EngineDeps {
  readonly rules: readonly AnyAlertRule[]
  /** Name of the plugin a rule is from. */
  readonly originOf: (rule: object) => string | undefined
  readonly faults: FaultTexts
  readonly log: FastifyBaseLogger
  /** ms since the epoch, for the alerts' timestamps. */
  readonly now: () => number
  /** ms on a clock that never jumps, for windows of time. */
  readonly steady: () => number
  readonly raise: (alert: Alert) => void
}

/** What is known of one printer: the last view, and what each rule remembers. */
interface Track {
  view: View | undefined
  health: Health | undefined
  readonly memories: Map<AnyAlertRule, unknown>
}

const WITHOUT_TEXT = 'No description in the HMS catalogue'

/** 2026-01-01T00:00:00+00:00 */
const timestamp = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}+00:00`

/**
 * Compares each printer's views. Its memory goes by the printer's name and outlives sessions, so a reconnect
 * that changes nothing raises nothing, and the first state ever seen only sets the baseline.
 */
export function createEngine (deps: EngineDeps) {
  const tracks = new Map<string, Track>()
  const broken = new Set<AnyAlertRule>()
  const describe = (fault: PrinterState['errors']['faults'][number]) => deps.faults.describe(fault) || WITHOUT_TEXT

  function trackOf (printer: string): Track {
    const known = tracks.get(printer)
    if (known) return known
    const made: Track = { view: undefined, health: undefined, memories: new Map() }
    tracks.set(printer, made)
    return made
  }

  function apply (rule: AnyAlertRule, track: Track, now: View, before: View): readonly Finding[] {
    const memory = (track.memories.has(rule) ? track.memories.get(rule) : rule.initial)
    try {
      const outcome = rule.detect(now, before, memory, { at: deps.steady(), describe })
      track.memories.set(rule, outcome.memory)
      return outcome.findings
    } catch (error) {
      if (!broken.has(rule)) {
        deps.log.error({ err: error, rule: rule.name, plugin: deps.originOf(rule) }, 'an alert rule failed and is left out')
      }
      broken.add(rule)
      return []
    }
  }

  function compare (printer: string, track: Track, state: PrinterState): void {
    const before = track.view
    const now: View = { state, health: track.health }
    track.view = now
    if (!before) return
    for (const rule of deps.rules) {
      if (broken.has(rule)) continue
      for (const { type, severity, payload } of apply(rule, track, now, before)) {
        deps.raise(Object.freeze({ type, printer, timestamp: timestamp(deps.now()), severity, payload }))
      }
    }
  }

  return {
    /** A report of the printer. */
    see: (printer: string, state: PrinterState) => compare(printer, trackOf(printer), state),
    /** A verdict of the job monitor. */
    judge (printer: string, health: Health): void {
      const track = trackOf(printer)
      track.health = health
      if (track.view) compare(printer, track, track.view.state)
    }
  }
}
