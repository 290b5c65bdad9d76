import { createHash } from 'node:crypto'
import type { History, PrintView } from '../history/index.js'
import { usesOf } from './uses.js'
import { slotId, spoolIn } from './slots.js'
import type { Store } from './store.js'
import type { Spools } from './service.js'
import { NO_DETAILS, type ChangeRow } from './tables.js'
import type { SpoolKeeper } from './types.js'
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

/** The same id for the same filament in the same place, whichever service computes it. */
const ownId = (serial: string, { place, tag, material, color }: Filament): string =>
  `s${createHash('sha256').update(JSON.stringify(tag === '' ? [serial, place, material, color] : [tag])).digest('hex').slice(0, 12)}`

/** Counts the filament of ended prints, each exactly once, however often it is called for them. */
export function createCounter ({ history, store, keeper, spools, whereabouts, now }: CounterOptions) {
  /** The printer's estimate for a tagged spool: its full weight, and how much was used before this print. */
  function believedOf (tag: string, grams: number): { readonly net: number | null, readonly used: number } {
    const { fullGrams, seenGrams } = spools.slots().find(slot => slot.tag === tag && tag !== '') ?? {}
    if (fullGrams === undefined) return { net: null, used: 0 }
    return { net: fullGrams, used: seenGrams === undefined ? 0 : Math.max(0, fullGrams - seenGrams - grams) }
  }

  /** A spool that was never entered; what is used of it already is what its printer says. */
  async function addUnknown (id: string, { tag, material, color, grams }: Filament): Promise<void> {
    const { net, used } = believedOf(tag, grams ?? 0)
    const at = now()
    const row = { id, name: `${material} ${color}`.trim(), material, color, tag, net, used: 0, archived: 0, created_at: at }
    const says: ChangeRow = {
      id: `${id}/printer`, spool: id, kind: 'printer', grams: -used, at, made_by: '', note: '', gross: null, empty: null, running: '', expected: net
    }
    await store.addIfNew({ ...NO_DETAILS, ...row }, used > 0 ? [says] : [])
  }

  /** Adds spools that were never entered, with their first print. */
  async function addUnknownSpools ({ serial, filaments }: PrintView): Promise<void> {
    let isNew = false
    for (const filament of filaments) {
      const { place, tag, material, color, grams } = filament
      if (!grams || place === '' || material === '') continue
      if (spoolIn({ ...filament, serial }, whereabouts(), keeper.spools)) continue
      const id = ownId(serial, filament)
      isNew = true
      await addUnknown(id, filament)
      if (tag !== '') continue
      const slot = { serial, place, tag, material, color }
      await store.assign({ id: slotId(slot), ...slot, spool: id, assigned_at: now(), assigned_by: '' })
    }
    if (isNew) await spools.refresh()
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
    if (keeper.kind === 'prnd') await addUnknownSpools(print)
    await store.addUses(usesOf(print, { keeper, whereabouts: whereabouts(), now: now() }), print.started_at)
    if (keeper.kind === 'prnd') await spools.refresh()
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
