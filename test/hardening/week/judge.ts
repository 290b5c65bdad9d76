// The judge of a virtual week. It knows what printers and plugs saw themselves and what the records say, and nothing of
// how the service decides. Each rule returns what it found, in words: nothing is innocence.

/** A print began on a printer. */
export interface Beginning { readonly printer: string, readonly print: string, readonly plate: 'clear' | 'used' }

/** A plug went off, and what its printer really was at that moment. */
export interface PowerCut {
  readonly plug: string
  readonly printer: string
  readonly state: string
  readonly nozzleC: number
  readonly heats: boolean
  readonly dries: boolean
  /** It was told to print, and has not begun yet. */
  readonly isStarting: boolean
}

/** Something that a printer or a plug was told. */
export interface Act {
  /** ms by the clock of the service. */
  readonly at: number
  /** Printer, of a plug as well. */
  readonly on: string
  /** What it does, such as `light`. */
  readonly kind: string
  /** Of what it is about, such as the copy that is printed: its reason has the same, whenever it was written. */
  readonly id?: string
}

/** An entry of the audit log, or, where that can be lost with the service, a record of the plugin that acted. */
export interface Reason extends Act { readonly log: string, readonly isDone: boolean }

/** What one plug said and what was booked for its printer, Wh. */
export interface Balance {
  readonly plug: string
  /** By its own count, while it was read. */
  readonly said: number
  readonly booked: number
  /** Of these, for prints and between them. */
  readonly prints: number
  readonly between: number
  /** Of the prints, each by its record. */
  readonly byPrint: number
}

export interface PrintRecord {
  readonly id: string
  readonly result: string
  readonly endedAt: number | null
  readonly grams: number
}

export interface Morning {
  readonly from: number
  readonly until: number
  readonly prints: number
  readonly finished: number
  readonly failed: number
  readonly cancelled: number
  readonly grams: number
}

/** A job of the queue, its copies, and on how many printers they really were printed. */
export interface JobOutcome {
  readonly job: string
  readonly wanted: number
  readonly counted: number
  readonly printed: number
}

const COOL_C = 50
const AT_REST = new Set(['IDLE', 'FINISH', 'FAILED'])
const WATT_HOUR = 1

export const onUsedPlates = (beginnings: readonly Beginning[]): string[] =>
  beginnings.flatMap(({ printer, print, plate }) => plate === 'clear' ? [] : [`${printer}: ${print} began on a used plate`])

export function wrongPowerCuts (cuts: readonly PowerCut[]): string[] {
  return cuts.flatMap(({ plug, printer, state, nozzleC, heats, dries, isStarting }) => {
    const why = [
      ...(AT_REST.has(state) ? [] : [`it is in ${state}`]),
      ...(isStarting ? ['a print was about to begin'] : []),
      ...(nozzleC < COOL_C ? [] : [`its nozzle has ${Math.round(nozzleC)} °C`]),
      ...(heats ? ['it heats'] : []),
      ...(dries ? ['it dries'] : [])
    ]
    return why.map(words => `${plug} of ${printer} went off while ${words}`)
  })
}

const keyOf = ({ on, kind, id }: Act): string => [on, kind, ...id === undefined ? [] : [id]].join(' ')

function grouped<Item extends Act> (items: readonly Item[]): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items.toSorted((a, b) => a.at - b.at)) {
    groups.set(keyOf(item), [...groups.get(keyOf(item)) ?? [], item])
  }
  return groups
}

/** Commands of one act come together: to two lights, or to two nozzles. */
export function oneAct (acts: readonly Act[], togetherMs: number): Act[] {
  return [...grouped(acts).values()].flatMap(list =>
    list.filter(({ at }, n) => n === 0 || at - (list[n - 1]?.at ?? 0) > togetherMs))
}

export interface ReasonLimits {
  /** How far an act and its entry may be apart, ms. */
  readonly withinMs: number
  /** When the service was killed: an entry that was to be written then may be lost. */
  readonly kills: readonly number[]
}

/**
 * The oldest entry within reach, taken out of the list: in the order of time no later act loses its own. Something that
 * was told may not have been confirmed, but most entries that are not done were refused.
 */
function take (list: Reason[], at: number, withinMs: number): Reason | undefined {
  const isNear = (reason: Reason) => Math.abs(reason.at - at) <= withinMs
  const done = list.findIndex(reason => reason.isDone && isNear(reason))
  const first = done < 0 ? list.findIndex(isNear) : done
  return first < 0 ? undefined : list.splice(first, 1)[0]
}

/**
 * Acts and reasons are the same, one by one.
 * @param logged entries of the audit log
 * @param noted records of the plugins that acted, which are written before an act and outlive a kill
 */
export function withoutOneReason (acts: readonly Act[], logged: readonly Reason[], noted: readonly Reason[],
  { withinMs, kills }: ReasonLimits): string[] {
  const [entries, notes] = [grouped(logged), grouped(noted)]
  const isAtKill = (at: number) => kills.some(kill => Math.abs(kill - at) <= withinMs)
  const missing = [...grouped(acts)].flatMap(([key, list]) => list.flatMap(({ at, id }) => {
    const entry = take(entries.get(key) ?? [], at, id === undefined ? withinMs : Infinity)
    if (entry) return []
    const isNoted = isAtKill(at) && take(notes.get(key) ?? [], at, withinMs) !== undefined
    return isNoted ? [] : [`${key} at ${timeOf(at)} has no reason in any log`]
  }))
  const invented = [...entries].flatMap(([key, list]) => list.flatMap(reason => reason.isDone
    ? [`${key} at ${timeOf(reason.at)} is in the log of ${reason.log}, and nothing was told to do it ${nearby(acts, reason, kills)}`]
    : []))
  return [...missing, ...invented]
}

/** What like it was done before and after, and the kill that is nearest, to look for the cause. */
function nearby (acts: readonly Act[], reason: Reason, kills: readonly number[]): string {
  const { on: printer, kind: like, at: time } = reason
  const [thing = like] = like.split(' ') // a plug, on or off
  const there = acts.filter(({ on, kind }) => on === printer && kind.startsWith(thing)).toSorted((a, b) => a.at - b.at)
  const words = [there.findLast(({ at }) => at <= time), there.find(({ at }) => at > time)]
    .flatMap(act => act ? [`${act.kind} at ${timeOf(act.at)}`] : [])
  const [kill] = kills.toSorted((a, b) => Math.abs(a - time) - Math.abs(b - time))
  return `(${[...words, ...kill === undefined ? [] : [`killed at ${timeOf(kill)}`]].join(', ')})`
}

export const timeOf = (at: number): string => new Date(at).toISOString().slice(5, 19)

export function unbalanced (balances: readonly Balance[]): string[] {
  return balances.flatMap(({ plug, said, booked, prints, between, byPrint }) => {
    const off = (one: number, other: number, words: string) =>
      Math.abs(one - other) <= WATT_HOUR ? [] : [`${plug}: ${words}: ${one.toFixed(3)} and ${other.toFixed(3)} Wh`]
    return [
      ...off(said, booked, 'it counted and was booked'),
      ...off(booked, prints + between, 'all, and prints with the time between'),
      ...off(prints, byPrint, 'its prints together, and one by one')
    ]
  })
}

const NEAR_G = 0.05

/** Ends of the newest prints, to look for those that were not told. */
const lastOf = (prints: readonly PrintRecord[]): string =>
  prints.map(({ endedAt }) => endedAt ?? 0).toSorted((a, b) => b - a).slice(0, 5).map(timeOf).join(', ')

/** @param mornings what was sent, or is told afterwards */
export function untrueMornings (mornings: readonly Morning[], prints: readonly PrintRecord[]): string[] {
  return mornings.flatMap(({ from, until, ...told }) => {
    const ended = prints.filter(({ result, endedAt: at }) =>
      result !== 'running' && at !== null && at > from && at <= until)
    const count = (result: string) => ended.filter(print => print.result === result).length
    const real = {
      prints: ended.length,
      finished: count('finished'),
      failed: count('failed'),
      cancelled: count('cancelled'),
      grams: ended.reduce((sum, { grams }) => sum + grams, 0)
    }
    return (Object.keys(real) as (keyof typeof real)[]).flatMap(of =>
      Math.abs(real[of] - told[of]) <= NEAR_G
        ? []
        : [`the morning of ${timeOf(until)} tells of ${told[of]} ${of}, and there were ${real[of]}: ${lastOf(ended)}`])
  })
}

export function lostOrTwice (jobs: readonly JobOutcome[]): string[] {
  return jobs.flatMap(({ job, wanted, counted, printed }) => [
    ...(printed === wanted ? [] : [`${job}: ${printed} of ${wanted} were printed`]),
    ...(counted === printed ? [] : [`${job}: ${printed} were printed, and ${counted} are counted`])
  ])
}

/** What a printer was told to start more than once. @param told numbers of jobs, each time */
export const toldTwice = (printer: string, told: readonly string[]): string[] =>
  [...new Set(told.filter((task, at) => told.indexOf(task) !== at))].map(task => `${printer} was told twice to start ${task}`)
