import { setTimeout as sleep } from 'node:timers/promises'
import { hasCurrentState, type Kernel, type PrinterSession } from '../../../core/index.js'
import { textOf } from '../decide/index.js'
import type { Store } from '../store/index.js'
import type { HeatRecord, Job, Run, Soak } from '../types.js'
import { problemOf } from '../view.js'
import { heatUp } from './heaters.js'
import { LONGEST_MINUTES } from './limits.js'
import { isLost, isWarm, temperatureText } from './temperatures.js'

/** It is not warm, and only a person can say what to do. */
export class PersonWanted extends Error {}

/** It cannot be warmed now: another try may do. */
export class NotWarmed extends Error {}

export interface WarmUpTiming {
  /** Between two looks at the printer, ms. */
  readonly lookMs: number
  /** Length of a minute, ms: shorter in tests. */
  readonly minuteMs: number
}

export interface WarmUpDeps {
  readonly kernel: Kernel
  readonly store: Pick<Store, 'beginHeat' | 'warm'>
  /** Id of this service, the same across restarts. */
  readonly instance: string
  /** Rejects when the start is not wanted any more. */
  readonly check: () => Promise<void>
  /** Whether no print of its groups has begun a moment ago. */
  readonly turn: () => Promise<boolean>
  /** Awaited before a heater is switched on: whoever gives up must switch it off then. If it rejects, none is. */
  readonly heats: (heat: HeatRecord) => Promise<void>
  readonly timing: WarmUpTiming
}

/** How long a printer may be silent, or not show the target that it was sent. */
const UNSEEN_MINUTES = 1

interface Watched {
  readonly session: PrinterSession
  readonly heat: HeatRecord
  readonly soak: Soak
  readonly minuteMs: number
  /** Of the monotonic clock, like the other times here. */
  readonly beganAt: number
  seenAt: number
  warmSince: number | undefined
  hasShownTarget: boolean
}

/** Rejects when the printer is not as it was left: it is silent, at something else, or somebody has set its bed. */
function checkPrinter (watched: Watched, kernel: Kernel, now: number): void {
  const { session, heat: { bedC }, minuteMs } = watched
  if (!hasCurrentState(session)) {
    if (now - watched.seenAt > UNSEEN_MINUTES * minuteMs) throw new NotWarmed('the printer was lost while it was warmed')
    return
  }
  watched.seenAt = now
  const problem = problemOf(kernel, session)
  if (problem) throw new NotWarmed(`it could not be warmed: ${textOf(problem.why)}`)
  const target = session.state?.heat.bed.target
  if (target === bedC) {
    watched.hasShownTarget = true
  } else if (watched.hasShownTarget) {
    throw new PersonWanted(`somebody has set its bed to ${target} °C while it was warmed to ${bedC} °C`)
  } else if (now - watched.beganAt > UNSEEN_MINUTES * minuteMs) {
    throw new PersonWanted(`the printer does not take ${bedC} °C for its bed`)
  }
}

/** @returns whether it has been warm for long enough */
async function look (watched: Watched, { store, kernel }: WarmUpDeps, now: number): Promise<boolean> {
  const { session: { state }, heat, soak: { minutes, otherwise }, minuteMs, warmSince } = watched
  if (state === undefined) return false
  if (warmSince === undefined && isWarm(heat, state)) {
    watched.warmSince = now
    await store.warm(heat, kernel.now())
  } else if (warmSince !== undefined && isLost(heat, state)) {
    watched.warmSince = undefined
    await store.warm(heat, undefined)
  }
  if (watched.warmSince !== undefined && now - watched.warmSince >= minutes * minuteMs) return true
  if (now - watched.beganAt < LONGEST_MINUTES * minuteMs) return false
  if (otherwise === 'start') return true
  throw new PersonWanted(`after ${LONGEST_MINUTES} min it is not as warm as the job wants: ${temperatureText(heat, state)}`)
}

interface ToWarm {
  readonly run: Run
  readonly job: Pick<Job, 'name'>
  /** Undefined: nothing. */
  readonly soak: Soak | undefined
}

/**
 * Warms a printer before a print, for as long as its job wants. The printer must be claimed, its plate clear and
 * reserved, and the caller switches off what was heated unless the print begins.
 * @param signal aborts it
 */
export async function warmUp (
  session: PrinterSession, { run, job, soak }: ToWarm, deps: WarmUpDeps, signal: AbortSignal
): Promise<void> {
  if (!soak) return
  const { kernel, store, instance, check, turn, heats, timing: { lookMs, minuteMs } } = deps
  const { bedC, chamberC, minutes } = soak
  const heatedAt = kernel.now()
  const whose = { run: run.id, printer: session.name, owner: instance }
  const heat: HeatRecord = { ...whose, bedC, chamberC, minutes, heatedAt, warmAt: undefined }
  const beganAt = performance.now()
  const unseen = { warmSince: undefined, hasShownTarget: false }
  const watched: Watched = { session, heat, soak, minuteMs, beganAt, seenAt: beganAt, ...unseen }
  const problem = problemOf(kernel, session)
  if (problem) throw new NotWarmed(`it could not be warmed: ${textOf(problem.why)}`)
  signal.throwIfAborted()
  await store.beginHeat(session.config.serial, heat)
  signal.throwIfAborted()
  await heats(heat)
  signal.throwIfAborted()
  await heatUp(kernel, session, heat, `warmed for '${job.name}', at most ${LONGEST_MINUTES} min`)
  for (;;) {
    await sleep(lookMs, undefined, { signal }).catch(() => { signal.throwIfAborted() })
    await check()
    const now = performance.now()
    checkPrinter(watched, kernel, now)
    const isReady = hasCurrentState(session) && await look(watched, deps, now)
    if (isReady && await turn()) return
    if (now - beganAt < (LONGEST_MINUTES + UNSEEN_MINUTES) * minuteMs) continue
    // Trying again by itself would heat it for another hour, and not let it print then either.
    if (isReady) throw new PersonWanted('it was warm, but had to wait for other prints of its group for too long')
    throw new NotWarmed('the printer was not seen while it was warmed')
  }
}
