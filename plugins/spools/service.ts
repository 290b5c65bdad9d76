import { randomUUID } from 'node:crypto'
import type { Kernel } from '../../core/index.js'
import { ManagedInSpoolman, NoOpenUse, NoSlot, NoSpool } from './errors.js'
import type { RunningPrint } from '../history/index.js'
import { readOwnLines } from './catalogue/find-lines.js'
import { Inventory } from './inventory.js'
import type { InventoryStore } from './inventory-store.js'
import { runningText } from './balances.js'
import { slotId, slotsOf, spoolIn, type Whereabouts } from './slots.js'
import type { Store } from './store.js'
import { changedBy, type NewSpool, type SpoolChanges } from './changes.js'
import { columnsOf } from './details.js'
import type { Planned } from './supply/forecast-supply.js'
import { NO_DETAILS, type SlotRow, type SpoolRow } from './tables.js'
import { remainingOf, type Slot, type Spool, type SpoolKeeper, type Use, type UseState } from './types.js'

/** Spools, where they are, and their uses. */
export interface Spools {
  readonly kind: SpoolKeeper['kind']
  readonly problem: string | undefined
  /** Resolves after the first refresh, whether it succeeded or not. */
  known (): Promise<void>
  /** Brings spools and places up to date. */
  refresh (signal?: AbortSignal): Promise<void>
  all (): readonly Spool[]
  /** Loaded places of all printers, with their assigned spools. */
  slots (): readonly (Slot & { readonly spool: Spool | undefined })[]
  /** Amount left in a place, g: of its spool, else the printer's estimate. */
  gramsIn (slot: Slot): number | undefined
  /** Uses that are not counted. */
  openUses (): Promise<Use[]>
  add (spool: NewSpool): Promise<Spool>
  /** @param by who changes it */
  change (id: string, changes: SpoolChanges, by: string): Promise<Spool>
  /** @param id undefined: the spool is unknown */
  assign (printer: string, place: string, id: string | undefined, by: string): Promise<void>
  settle (use: string, as: 'done' | 'send'): Promise<void>
  /** Types, places, and why remainders changed. */
  readonly inventory: Inventory
  /** The user's own lines of the catalogue. */
  ownLines (): ReturnType<typeof readOwnLines>
  /** Lets another plugin say what prints that have not begun will need. */
  plannedBy (work: () => Promise<readonly Planned[]>): void
  /** What prints that have not begun will need. */
  planned (): Promise<readonly Planned[]>
}

export interface ServiceOptions {
  readonly kernel: Pick<Kernel, 'printers' | 'now'>
  readonly store: Store
  readonly keeper: SpoolKeeper
  readonly changed: () => void
  readonly rows: InventoryStore
  /** File with lines of the user's own. */
  readonly ownLinesFile: string
  /** Prints in progress. */
  readonly running: () => Promise<readonly RunningPrint[]>
}

/** Local spools are reloaded after each change; changes made elsewhere are seen with each refresh. */
export function createSpools ({ kernel, store, keeper, changed, rows, ownLinesFile, running }: ServiceOptions) {
  let whereabouts: Whereabouts = { slots: new Map(), tags: new Map() }

  const loadWhereabouts = inOrder(store.load, ({ slots, tags }) => {
    whereabouts = {
      slots: new Map(slots.map(row => [row.id, row])),
      tags: new Map(tags.map(({ id, spool }) => [id, spool]))
    }
  })
  const refresh = async (signal?: AbortSignal) => { await Promise.all([loadWhereabouts(), keeper.refresh(signal)]) }
  let firstRefresh: Promise<void> | undefined
  /** A failure is reported by the keeper's `problem`, or by the next call. */
  const known = () => (firstRefresh ??= refresh().catch(() => {}))
  const spoolOf = (slot: Slot) => spoolIn(slot, whereabouts, keeper.spools)

  function here (id: string): Spool {
    const spool = keeper.spools.get(id)
    if (!spool) throw new NoSpool(id)
    return spool
  }

  const own = (): void => { if (keeper.kind !== 'prnd') throw new ManagedInSpoolman() }
  const runningWith = async (id: string): Promise<string> => runningText(await running(),
    ({ serial }, filament) => spoolIn({ ...filament, serial }, whereabouts, keeper.spools)?.id === id)
  const { kind } = keeper
  const all = () => [...keeper.spools.values()]
  const service: Spools = {
    inventory: new Inventory({
      store, rows, now: kernel.now, changed, runningWith, spools: { kind, known, refresh, all }
    }),
    ownLines: () => readOwnLines(ownLinesFile),
    ...createPlanning(),
    kind,
    get problem () { return keeper.problem },
    known,
    refresh,
    all,
    slots: () => kernel.printers.names.flatMap(name => {
      const session = kernel.printers.get(name)
      return session ? slotsOf(session).map(slot => ({ ...slot, spool: spoolOf(slot) })) : []
    }),
    gramsIn (slot) {
      const spool = spoolOf(slot)
      return (spool && remainingOf(spool)) ?? slot.seenGrams
    },
    openUses: store.openUses,
    async add (spool) {
      own()
      const row = newRow(spool, kernel.now())
      await store.addSpool(row)
      await refresh()
      changed()
      return here(row.id)
    },
    async change (id, changes, by) {
      own()
      await known()
      const then = changes.usedGrams === undefined ? '' : await runningWith(id)
      const row = await store.changeSpool(id, row => changedBy(row, changes, { by, at: kernel.now() }, then))
      if (!row) throw new NoSpool(id)
      await refresh()
      changed()
      return spoolFrom(row)
    },
    async assign (printer, place, id, by) {
      await known()
      const slot = service.slots().find(known => known.printer === printer && known.place === place)
      if (!slot) throw new NoSlot(printer, place)
      if (id === undefined) await store.clear(slotId(slot), slot.tag)
      else await store.assign(rowOf(slot, here(id).id, kernel.now(), by))
      await loadWhereabouts()
      changed()
    },
    async settle (use, as) {
      if (!await settledAs(store, use, as)) throw new NoOpenUse(use)
      changed()
    }
  }
  return { service, whereabouts: () => whereabouts, spoolOf }
}

/** @returns whether the use was open */
async function settledAs (store: Store, use: string, as: 'done' | 'send'): Promise<boolean> {
  const changes = as === 'done'
    ? { state: 'done', problem: null } as const
    : { state: 'waiting', before: null, problem: null, sent_at: null } as const
  const open: readonly UseState[] = as === 'done' ? ['unclear', 'refused', 'unknown'] : ['unclear', 'refused']
  return (await Promise.all(open.map(from => store.step(use, from, changes)))).includes(true)
}

/** What another plugin says of prints that have not begun. */
function createPlanning (): Pick<Spools, 'plannedBy' | 'planned'> {
  let ask: (() => Promise<readonly Planned[]>) | undefined
  return {
    plannedBy: work => { ask = work },
    planned: async () => await ask?.() ?? []
  }
}

function newRow (
  { name, material, color = '', tag = '', netGrams: net, usedGrams: used = 0, details = {} }: NewSpool, at: number
): SpoolRow {
  const id = `s${randomUUID().slice(0, 8)}`
  const row = { id, name, material, color, tag, net: net ?? null, used, archived: 0, created_at: at }
  return { ...NO_DETAILS, ...row, ...columnsOf(details) }
}

const rowOf = (slot: Slot, spool: string, now: number, by: string): SlotRow => {
  const { serial, place, tag, material, color } = slot
  return { id: slotId(slot), serial, place, spool, tag, material, color, assigned_at: now, assigned_by: by }
}

/** Applies what was read, unless a read that began later was already applied. */
function inOrder<T> (read: () => Promise<T>, take: (value: T) => void): () => Promise<void> {
  let begun = 0
  let taken = 0
  return async () => {
    const own = ++begun
    const value = await read()
    if (own < taken) return
    taken = own
    take(value)
  }
}

export const spoolFrom = ({ id, name, material, color, tag, net, used }: SpoolRow): Spool =>
  ({ id, name, material, color, tag, netGrams: net ?? undefined, usedGrams: used })

/** Spools stored in the service's own database. */
export function createLocalKeeper (store: Store): SpoolKeeper {
  let spools: ReadonlyMap<string, Spool> = new Map()
  return {
    kind: 'prnd',
    problem: undefined,
    get spools () { return spools },
    refresh: inOrder(store.load, ({ spools: rows }) => {
      spools = new Map(rows.map(row => [row.id, spoolFrom(row)]))
    })
  }
}
