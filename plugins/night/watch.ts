import type { Static } from 'typebox'
import type { Kernel } from '../../core/index.js'
import { alertTexts } from '../alerts/index.js'
import { cursorAt, listAlerts } from '../alertlog/index.js'
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
/** Places are those of a service: another one that knows this place has so long to tell it. */
const OTHERS_MS = 10 * MINUTE_MS

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
  readonly kernel: Pick<Kernel, 'call' | 'now' | 'operations' | 'printers'>
  readonly store: Pick<NightStore, 'begin' | 'end' | 'giveBack' | 'hasEnded'>
  readonly messages: () => Pick<Messages, 'send' | 'targets'>
  /** A place of the watch cannot be told. */
  readonly unheard: (printer: string, target: string) => void
}

type Read = Pick<WatchDeps['kernel'], 'call' | 'operations' | 'printers'>

const words = (type: string, language: Settings['watch']['language']): string =>
  (alertTexts[language] as Readonly<Record<string, string>>)[`alert.${type}`] ?? type

/** @param due begins with the newest of this time: those that are not due yet hide none that is */
async function pagesOf ({ call }: Read, since: number, due: number, pages: number, printer?: string) {
  const found: OpenAlert[] = []
  let cursor: string | null = cursorAt(due)
  for (let page = 0; page < pages && cursor !== null; page++) {
    const read: Static<typeof listAlerts.output> = await call(listAlerts, {
      open: true, tone: 'bad', limit: MOST_ALERTS, cursor, ...printer !== undefined && { printer_name: printer }
    })
    const alerts = read.alerts.map(({ id, at, printer, type }) => ({ id, at: Date.parse(at), printer, type }))
    found.push(...alerts.filter(({ at }) => at >= since))
    cursor = alerts.some(({ at }) => at < since) ? null : read.cursor
  }
  return { found, isAll: cursor === null }
}

/** Critical alerts that nobody has acknowledged, oldest first: a flood of one printer hides none of others. */
async function openAlerts (kernel: Read, since: number, due: number): Promise<OpenAlert[]> {
  if (!kernel.operations.has(listAlerts.name)) return []
  const { found, isAll } = await pagesOf(kernel, since, due, MOST_PAGES)
  const all = new Map(found.map(alert => [alert.id, alert]))
  for (const printer of isAll ? [] : kernel.printers.names) {
    for (const alert of (await pagesOf(kernel, since, due, 1, printer)).found) all.set(alert.id, alert)
  }
  return [...all.values()].sort((one, other) => one.at - other.at)
}

type To = Omit<Call, 'alerts'>

/**
 * Sends one message about one printer: who may see only some printers gets those.
 * @returns whether the place gets it
 */
async function send (fresh: readonly [OpenAlert, ...OpenAlert[]], { step, target }: To, { language }: Settings['watch'],
  { kernel, messages }: WatchDeps): Promise<boolean> {
  const [first] = fresh
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
  return sent.length > 0
}

/** Tells a place of the alerts of one printer, unless it was told. */
async function tell (alerts: readonly OpenAlert[], to: To, watch: Settings['watch'], deps: WatchDeps): Promise<void> {
  const { kernel, store, messages, unheard } = deps
  const { step, target } = to
  const isHere = messages().targets().some(({ name }) => name === target)
  const lastsMs = ((watch.after_min ?? 0) * (step + 1)) * MINUTE_MS + OTHERS_MS
  const due = isHere ? alerts : alerts.filter(({ at }) => kernel.now() - at >= lastsMs)
  const [first] = due
  if (first === undefined) return
  const ids = due.map(alert => idOf(alert, step))
  const told = await store.hasEnded(ids)
  const begun = new Set(await store.begin(ids.filter(id => !told.has(id)), 'watch', first.printer))
  const [oldest, ...others] = due.filter(alert => begun.has(idOf(alert, step)))
  if (oldest === undefined) return
  try {
    if (isHere && await send([oldest, ...others], to, watch, deps)) return await store.end([...begun], target)
    // Another service that may tell it gets the chance, before people hear that nobody can.
    if (kernel.now() - oldest.at < lastsMs) return await store.giveBack([...begun])
    await store.end([...begun], `no target '${target}' for this printer`)
    unheard(oldest.printer, target)
  } catch (error) {
    await store.giveBack([...begun]).catch(() => {})
    throw error
  }
}

/**
 * Tells the next one of alerts that nobody acknowledges. What fails for one printer is tried again in the next turn.
 * @param since alerts from before it was switched on do not count
 * @throws the first failure
 */
export async function callNext ({ watch }: Settings, since: number, deps: WatchDeps): Promise<void> {
  const { kernel } = deps
  if (watch.after_min === null) return
  const failures: unknown[] = []
  for (const step of watch.steps.keys()) {
    const now = kernel.now()
    const due = now - watch.after_min * MINUTE_MS * (step + 1)
    const open = await openAlerts(kernel, Math.max(since, now - NEWEST_MS), due)
    const calls = callsFor(watch, open, now).filter(call => call.step === step)
    for (const call of calls) {
      for (const printer of new Set(call.alerts.map(({ printer }) => printer))) {
        const alerts = call.alerts.filter(alert => alert.printer === printer)
        await tell(alerts, call, watch, deps).catch((error: unknown) => { failures.push(error) })
      }
    }
  }
  if (failures.length > 0) throw failures[0]
}
