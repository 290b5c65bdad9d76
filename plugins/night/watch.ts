import type { Kernel } from '../../core/index.js'
import { alertTexts } from '../alerts/index.js'
import { listAlerts } from '../alertlog/index.js'
import type { Messages } from '../notify/index.js'
import type { Settings } from './settings.js'
import type { NightStore } from './store.js'
import { sayIn } from './words.js'

const MINUTE_MS = 60_000
/** Older alerts are no emergency any more. */
const NEWEST_MS = 24 * 3_600_000
const MOST_ALERTS = 200
const MOST_PAGES = 5
/** In one message. */
const MOST_SHOWN = 20

export interface OpenAlert { readonly id: string, readonly at: number, readonly printer: string, readonly type: string }

/** One that must be told of alerts. */
export interface Call { readonly step: number, readonly target: string, readonly alerts: readonly OpenAlert[] }

/**
 * Who has to be told now: step by step, each so many minutes after the one before. Pure.
 * @param open critical alerts that nobody has acknowledged @param now ms since the epoch
 */
export function callsFor ({ after_min: after, steps }: Settings['watch'], open: readonly OpenAlert[], now: number): Call[] {
  if (after === null) return []
  return steps.flatMap((target, step): Call[] => {
    const alerts = open.filter(({ at }) => now - at >= after * MINUTE_MS * (step + 1) && now - at < NEWEST_MS)
    return alerts.length === 0 ? [] : [{ step, target, alerts }]
  })
}

const idOf = (alert: OpenAlert, step: number): string => `watch:${alert.id}:${step}`

export interface WatchDeps {
  readonly kernel: Kernel
  readonly store: NightStore
  readonly messages: () => Pick<Messages, 'send'>
}

const words = (type: string, language: Settings['watch']['language']): string =>
  (alertTexts[language] as Readonly<Record<string, string>>)[`alert.${type}`] ?? type

/** Critical alerts since a time that nobody has acknowledged, oldest first: a flood of others hides none. */
async function openAlerts (kernel: Kernel, since: number): Promise<OpenAlert[]> {
  if (!kernel.operations.has(listAlerts.name)) return []
  const found: OpenAlert[] = []
  let cursor: string | null | undefined
  for (let page = 0; page < MOST_PAGES && cursor !== null; page++) {
    const read = await kernel.call(listAlerts, { open: true, tone: 'bad', limit: MOST_ALERTS, ...cursor && { cursor } })
    const alerts = read.alerts.map(({ id, at, printer, type }) => ({ id, at: Date.parse(at), printer, type }))
    found.push(...alerts.filter(({ at }) => at >= since))
    cursor = alerts.some(({ at }) => at < since) ? null : read.cursor
  }
  return found.reverse()
}

/** Sends one message about one printer: who may see only some printers gets those. */
async function tell (fresh: readonly OpenAlert[], { step, target }: Omit<Call, 'alerts'>, { language }: Settings['watch'],
  { kernel, store, messages }: WatchDeps): Promise<void> {
  const [first] = fresh
  if (first === undefined) return
  const shown = fresh.slice(0, MOST_SHOWN)
  const sent = await messages().send({
    id: `watch-${first.id}-${step}`,
    kind: 'night_watch',
    severity: 'high',
    printers: [first.printer],
    title: sayIn(language, 'night.text.watch.title', { printer: first.printer, alert: words(first.type, language) }),
    text: [
      ...shown.map(({ printer, type }) => `${printer}: ${words(type, language)}`),
      sayIn(language, 'night.text.watch', { minutes: Math.floor((kernel.now() - first.at) / MINUTE_MS) })
    ].join('\n'),
    payload: { alerts: shown.map(({ id, printer, type }) => ({ id, printer, type })), step: step + 1 }
  }, [target])
  const detail = sent.length > 0 ? target : `no target '${target}' for this printer`
  for (const alert of fresh) await store.end(idOf(alert, step), detail)
}

/**
 * Tells the next one of alerts that nobody acknowledges.
 * @param since alerts from before it was switched on do not count
 */
export async function callNext ({ watch }: Settings, since: number, deps: WatchDeps): Promise<void> {
  const { kernel, store } = deps
  if (watch.after_min === null || watch.steps.length === 0) return
  const open = await openAlerts(kernel, Math.max(since, kernel.now() - NEWEST_MS))
  for (const { step, target, alerts } of callsFor(watch, open, kernel.now())) {
    const told = await store.hasEnded(alerts.map(alert => idOf(alert, step)))
    const byPrinter = new Map<string, OpenAlert[]>()
    for (const alert of alerts) {
      if (told.has(idOf(alert, step)) || !await store.begin(idOf(alert, step), 'watch', alert.printer)) continue
      byPrinter.set(alert.printer, [...byPrinter.get(alert.printer) ?? [], alert])
    }
    for (const fresh of byPrinter.values()) await tell(fresh, { step, target }, watch, deps)
  }
}
