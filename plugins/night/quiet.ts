import { isActive, type Kernel, type PrinterSession } from '../../core/index.js'
import { endOf, isWithin } from '../notify/index.js'
import { why, type QueueService, type Why } from '../queue/index.js'
import type { Settings } from './settings.js'
import type { NightStore } from './store.js'
import { clockOf, dayOf } from './clock.js'

type Groups = QueueService['groups']

/** Whether the quiet hours are those of a printer. */
export function isQuietPrinter ({ printers, groups }: Settings['quiet'], printer: string, known: Groups): boolean {
  if (printers.length === 0 && groups.length === 0) return true
  return printers.includes(printer) ||
    known.some(({ name, printers: members }) => groups.includes(name) && members.includes(printer))
}

/** When the current quiet hours end, ms since the epoch; undefined outside of them. */
export function quietUntil ({ quiet: { hours }, time_zone: timeZone }: Settings, now: number): number | undefined {
  if (hours === null) return undefined
  const clock = clockOf(timeZone)
  return isWithin(hours, clock(now)) ? endOf(hours, clock, now) : undefined
}

/** Why the queue starts nothing on a printer now. */
export function quietReason (settings: Settings, printer: string, groups: Groups, now: number): Why | undefined {
  const { quiet } = settings
  if (quiet.hours === null || !isQuietPrinter(quiet, printer, groups)) return undefined
  if (quietUntil(settings, now) === undefined) return undefined
  return why('quiet_hours', { time: quiet.hours.slice('00:00-'.length) })
}

export interface LightsDeps {
  readonly kernel: Kernel
  readonly store: NightStore
  readonly groups: () => Groups
  /** How often a light could not be switched off in these quiet hours, by act. */
  readonly failed: Map<string, number>
}

const MOST_TRIES = 3

const isLit = ({ state, live }: PrinterSession): boolean => live && (state?.lights.nodes.some(({ mode }) => mode === 'on') ?? false)

/** Switches the lights of idle printers off, once in each quiet period: who switches one on again keeps it. */
export async function switchLightsOff (settings: Settings, deps: LightsDeps): Promise<void> {
  const { kernel, store, groups, failed } = deps
  const until = quietUntil(settings, kernel.now())
  const light = kernel.operation('climate.setLight')
  if (until === undefined) failed.clear()
  if (until === undefined || light === undefined || !settings.quiet.lights_off) return
  for (const session of kernel.printers.sessions) {
    const { name, state, config: { serial } } = session
    if (!isLit(session) || isActive(state?.job.gcodeState ?? '') || !isQuietPrinter(settings.quiet, name, groups())) continue
    const id = `lights:${serial}:${dayOf(until, settings.time_zone)}`
    if ((await store.begin([id], 'lights', name)).length === 0) continue
    const problem = await kernel.call(light, { on: false }, { printer: name, surface: 'night' })
      .then(({ confirmed }) => confirmed ? '' : 'no answer', (error: Error) => error.message)
    const tries = (failed.get(id) ?? 0) + 1
    failed.set(id, tries)
    if (problem === '' || tries >= MOST_TRIES) await store.end([id], kernel.redact(problem))
    else await store.giveBack([id])
  }
}
