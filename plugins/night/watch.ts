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
const MOST_ALERTS = 100

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

/** Critical alerts since a time that nobody has acknowledged, oldest first. */
async function openAlerts (kernel: Kernel, since: number): Promise<OpenAlert[]> {
  if (!kernel.operations.has(listAlerts.name)) return []
  const { alerts } = await kernel.call(listAlerts, { open: true, limit: MOST_ALERTS })
  return alerts.filter(({ tone, at }) => tone === 'bad' && Date.parse(at) >= since)
    .map(({ id, at, printer, type }) => ({ id, at: Date.parse(at), printer, type })).reverse()
}

/**
 * Tells the next one of alerts that nobody acknowledges.
 * @param since alerts from before it was switched on do not count
 */
export async function callNext ({ watch }: Settings, since: number, deps: WatchDeps): Promise<void> {
  const { kernel, store, messages } = deps
  if (watch.after_min === null || watch.steps.length === 0) return
  for (const { step, target, alerts } of callsFor(watch, await openAlerts(kernel, since), kernel.now())) {
    const told = await store.hasEnded(alerts.map(alert => idOf(alert, step)))
    const fresh: OpenAlert[] = []
    for (const alert of alerts) {
      if (!told.has(idOf(alert, step)) && await store.begin(idOf(alert, step), 'watch', alert.printer)) fresh.push(alert)
    }
    const [first] = fresh
    if (first === undefined) continue
    const { language } = watch
    const sent = await messages().send({
      id: `watch-${first.id}-${step}`,
      kind: 'night_watch',
      severity: 'high',
      printers: [...new Set(fresh.map(({ printer }) => printer))],
      title: sayIn(language, 'night.text.watch.title', { printer: first.printer, alert: words(first.type, language) }),
      text: [
        ...fresh.map(({ printer, type }) => `${printer}: ${words(type, language)}`),
        sayIn(language, 'night.text.watch', { minutes: Math.floor((kernel.now() - first.at) / MINUTE_MS) })
      ].join('\n'),
      payload: { alerts: fresh.map(({ id, printer, type }) => ({ id, printer, type })), step: step + 1 }
    }, [target])
    const detail = sent.length > 0 ? target : `no target '${target}' for this printer`
    for (const alert of fresh) await store.end(idOf(alert, step), detail)
  }
}
