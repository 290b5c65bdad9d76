import type { Kernel, Language, Occurrence } from '../../../core/index.js'
import { isWithin, type Clock } from '../engine/compare.js'
import { isForEach } from '../engine/engine.js'
import { concerns, fits, wantedOf } from '../engine/rule-index.js'
import { timesBetween, type ScheduleOptions } from '../engine/schedules.js'
import type { Condition, Draft, Trigger } from '../types.js'
import type { Words } from '../vocabulary/index.js'
import { conditionInWords, triggerInWords } from '../words/rule-in-words.js'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Times that are looked at, and that are shown. */
const MOST_TIMES = 200
/** Looked at before others get their turn. */
const AT_ONCE = 20
const MOST_SHOWN = 200

export interface TryOptions {
  readonly kernel: Kernel
  readonly words: Words
  readonly schedule: ScheduleOptions
  readonly clock: Clock
  readonly days: number
  readonly lang: Language
  readonly sees: (printer: string) => boolean
}

const othersTurn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

interface Time { readonly at: number, readonly printer: string | undefined, readonly trigger: Trigger }

async function ofEvent (trigger: Extract<Trigger, { kind: 'event' }>, since: number, { kernel, words }: TryOptions): Promise<Time[]> {
  const past: readonly Occurrence[] = await words.events.get(trigger.event)?.past?.(kernel, since) ?? []
  const wanted = wantedOf(trigger.fields)
  return past.filter(({ at, fields }) => at >= since && fits(wanted, fields)).slice(0, MOST_TIMES)
    .map(({ at, printer }) => ({ at, printer, trigger }))
}

/** Times are slow to compute. */
async function scheduled (trigger: Extract<Trigger, { kind: 'time' | 'sun' }>, since: number, now: number, schedule: ScheduleOptions): Promise<Time[]> {
  const times: Time[] = []
  let from = since
  while (times.length < MOST_TIMES) {
    const found = timesBetween(trigger, from, now, AT_ONCE, schedule)
    times.push(...found.map(at => ({ at, printer: undefined, trigger })))
    await othersTurn()
    const last = found.at(-1)
    if (last === undefined || found.length < AT_ONCE) break
    from = last
  }
  return times
}

/** What the past tells of a condition: only hours are known for it. */
function inThePast (condition: Condition, at: number, clock: Clock): boolean | undefined {
  const { hours, any, not } = condition
  if (hours !== undefined) return isWithin(hours, at, clock)
  if (any !== undefined) {
    const results = any.map(one => inThePast(one, at, clock))
    return results.includes(true) ? true : results.includes(undefined) ? undefined : false
  }
  const inner = not === undefined ? undefined : inThePast(not, at, clock)
  return inner === undefined ? undefined : !inner
}

const WORDS = {
  not_met: { en: 'not: {what}', de: 'nicht erfüllt: {what}', zh: '不满足：{what}' },
  rate: { en: 'it had run as often in the hour as it may', de: 'sie war in der Stunde so oft gelaufen, wie sie darf', zh: '该小时内已达到最多次数' },
  no_past: {
    en: 'Not recorded, so not looked up: {what}', de: 'Nicht aufgezeichnet, daher nicht nachgesehen: {what}', zh: '没有记录，无法回查：{what}'
  },
  assumed: {
    en: 'Not known for the past, so taken to hold: {what}', de: 'Für die Vergangenheit nicht bekannt, daher als erfüllt angenommen: {what}', zh: '过去的情况未知，按满足计算：{what}'
  },
  cut: { en: 'Only the first of many times were looked at.', de: 'Von vielen Zeiten wurden nur die ersten angesehen.', zh: '时间太多，仅查看了最早的部分。' }
} as const

const say = (key: keyof typeof WORDS, lang: Language, what = ''): string => WORDS[key][lang].replace('{what}', () => what)

/** When a rule would have run in the past days, and why not; nothing is done. */
export async function tryRule (rule: Draft, options: TryOptions) {
  const { kernel, words, schedule, clock, days, lang, sees } = options
  const now = kernel.now()
  const since = now - days * DAY_MS
  const notes: string[] = []
  const times: Time[] = []
  const printers = kernel.printers.names.filter(name => sees(name) && concerns(rule, name))
  for (const trigger of rule.when) {
    if (times.length >= MOST_TIMES) break
    const isKnown = trigger.kind === 'time' || trigger.kind === 'sun' || (trigger.kind === 'event' && words.events.get(trigger.event)?.past !== undefined)
    if (!isKnown) notes.push(say('no_past', lang, triggerInWords(trigger, words, lang)))
    else if (trigger.kind === 'event') times.push(...await ofEvent(trigger, since, options))
    else {
      times.push(...await scheduled(trigger, since, now, schedule))
    }
  }
  const isEach = isForEach(rule, words)
  const each = (time: Time): Time[] =>
    time.printer === undefined && isEach ? printers.map(printer => ({ ...time, printer })) : [time]
  const all = times.flatMap(each)
    .filter(({ printer }) => printer === undefined || (sees(printer) && concerns(rule, printer)))
    .sort((a, b) => a.at - b.at)
  if (all.length > MOST_TIMES || times.length >= MOST_TIMES) notes.push(say('cut', lang))
  const unknown = new Set<Condition>()
  const ran = new Map<string, number[]>()
  const judge = ({ at, printer, trigger }: Time) => {
    const results = rule.if.map(condition => inThePast(condition, at, clock))
    for (const [index, result] of results.entries()) if (result === undefined) unknown.add(rule.if[index] as Condition)
    const failed = rule.if[results.indexOf(false)]
    const recent = (ran.get(printer ?? '') ?? []).filter(time => time > at - HOUR_MS)
    const why = failed !== undefined
      ? say('not_met', lang, conditionInWords(failed, words, lang))
      : recent.length >= rule.most_per_hour ? say('rate', lang) : ''
    if (why === '') ran.set(printer ?? '', [...recent, at])
    return { at, printer: printer ?? null, what: triggerInWords(trigger, words, lang), would: why === '', why }
  }
  const judged: ReturnType<typeof judge>[] = []
  for (const [index, time] of all.slice(0, MOST_TIMES).entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await othersTurn()
    judged.push(judge(time))
  }
  for (const condition of unknown) notes.push(say('assumed', lang, conditionInWords(condition, words, lang)))
  const count = judged.filter(({ would }) => would).length
  return { days, would_run: count, times: judged.reverse().slice(0, MOST_SHOWN), notes }
}
