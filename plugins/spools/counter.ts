import { createHash } from 'node:crypto'
import type { History, PrintView } from '../history/index.js'
import { usesOf } from './uses.js'
import { slotId, spoolIn } from './slots.js'
import type { Store } from './store.js'
import { spoolFrom, type Spools } from './service.js'
import { NO_DETAILS } from './tables.js'
import type { Spool, SpoolKeeper } from './types.js'
import type { Whereabouts } from './slots.js'

export interface CounterOptions {
  readonly history: Pick<History, 'find' | 'since'>
  readonly store: Store
  readonly keeper: SpoolKeeper
  readonly spools: Spools
  readonly whereabouts: () => Whereabouts
  readonly now: () => number
}

/** A print interrupted by a power cut may be resumed within a day. */
const MAY_GO_ON_MS = 24 * 3_600_000
/** What was counted at the last moment is in the record after this time. */
const RECORDED_WITHIN_MS = 60_000

type Filament = PrintView['filaments'][number]

/** The same ids for the same filament in the same place, whichever service computes them. */
const ownIds = (serial: string, { place, tag, material, color }: Filament) => (number: number): string => {
  const parts = tag === '' ? [serial, place, material, color] : [tag]
  const text = JSON.stringify(number === 1 ? parts : [...parts, number])
  return `s${createHash('sha256').update(text).digest('hex').slice(0, 12)}`
}

/** Counts the filament of ended prints, each exactly once, however often it is called for them. */
export function createCounter ({ history, store, keeper, spools, whereabouts, now }: CounterOptions) {
  /** The printer's estimate for a tagged spool: its full weight, and how much was used before this print. */
  function believedOf (tag: string, grams: number): { readonly net: number | null, readonly used: number } {
    const { fullGrams, seenGrams } = spools.slots().find(slot => slot.tag === tag && tag !== '') ?? {}
    if (fullGrams === undefined) return { net: null, used: 0 }
    return { net: fullGrams, used: seenGrams === undefined ? 0 : Math.max(0, fullGrams - seenGrams - grams) }
  }

  /** A spool that was never entered; what is used of it already is what its printer says. */
  async function addUnknown (serial: string, filament: Filament, printed: number): Promise<void> {
    const { place, tag, material, color } = filament
    const { net, used } = believedOf(tag, printed)
    const at = now()
    const row = { name: `${material} ${color}`.trim(), material, color, tag, net, used: 0, archived: 0, created_at: at }
    const says = { kind: 'printer', grams: -used, at, made_by: '', note: '', gross: null, empty: null, running: '', expected: net } as const
    const slot = { id: slotId({ serial, place }), serial, place, tag, material, color, assigned_at: at, assigned_by: '' }
    await store.addUnentered({
      idOf: ownIds(serial, filament),
      row: { ...NO_DETAILS, ...row },
      change: used > 0 ? says : undefined,
      grams: printed,
      ...(tag === '' && { slot: { row: slot, seen: whereabouts().slots.get(slot.id) } })
    })
  }

  /** Adds spools that were never entered, with their first print. @returns all that the print may have used */
  async function spoolsOf ({ serial, filaments, started_at: startedAt }: PrintView): Promise<SpoolKeeper['spools']> {
    const away = (await store.putAwaySince(startedAt)).map(row => [row.id, spoolFrom(row)] as const)
    const withAway = (): ReadonlyMap<string, Spool> => new Map([...keeper.spools, ...away])
    let isNew = false
    for (const filament of filaments) {
      const { place, material, grams } = filament
      if (!grams || place === '' || material === '') continue
      if (spoolIn({ ...filament, serial }, whereabouts(), withAway())) continue
      isNew = true
      await addUnknown(serial, filament, grams)
    }
    if (isNew) await spools.refresh()
    return withAway()
  }

  /** The record may lag behind its event, an interrupted print may be resumed, and a plate may still be read. */
  function isOver (print: PrintView): boolean {
    const { result, started_at: startedAt, ended_at: endedAt, grams_open_until: openUntil } = print
    if (result === 'running' || (openUntil !== null && now() < openUntil + RECORDED_WITHIN_MS)) return false
    return result !== 'unknown' || now() - (endedAt ?? startedAt) > MAY_GO_ON_MS
  }

  /** @returns false when the print is not over yet and must be counted later */
  async function count (print: PrintView): Promise<boolean> {
    if (!isOver(print)) return false
    if (await store.isCounted(print.id)) return true
    const { kind } = keeper
    if (kind === 'prnd') await spools.refresh() // another service may have assigned a spool since
    const used = kind === 'prnd' ? await spoolsOf(print) : keeper.spools
    const uses = usesOf(print, { keeper: { kind, spools: used }, whereabouts: whereabouts(), now: now() })
    await store.addUses(uses, print.started_at)
    if (kind === 'prnd') await spools.refresh()
    return true
  }

  return {
    /** @returns false: call again later; undefined: there is no record yet @throws the database's errors */
    async ended (id: string): Promise<boolean | undefined> {
      const print = await history.find(id)
      return print === undefined ? undefined : await count(print)
    },
    /** Counts prints that ended while the service was off. @param from ms since the epoch @returns ids still running */
    async catchUp (from: number, signal: AbortSignal): Promise<string[]> {
      const open: string[] = []
      for await (const print of history.since(from)) {
        if (signal.aborted) break
        if (!await count(print)) open.push(print.id)
      }
      return open
    }
  }
}

export type Counter = ReturnType<typeof createCounter>
