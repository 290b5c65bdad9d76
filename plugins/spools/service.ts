import { randomUUID } from 'node:crypto'
import { BadInput, type Kernel } from '../../core/index.js'
import { ManagedInSpoolman, NoOpenUse, NoSlot, NoSpool } from './errors.js'
import { slotId, slotsOf, spoolIn, type Whereabouts } from './slots.js'
import type { Store } from './store.js'
import type { SlotRow, SpoolRow } from './tables.js'
import { remainingOf, type Slot, type Spool, type SpoolKeeper, type Use, type UseState } from './types.js'

export interface NewSpool {
  readonly name: string
  readonly material: string
  readonly color?: string
  readonly tag?: string
  readonly netGrams?: number
  readonly usedGrams?: number
}
export interface SpoolChanges extends Partial<NewSpool> { readonly archived?: boolean }

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
  change (id: string, changes: SpoolChanges): Promise<Spool>
  /** @param id undefined: the spool is unknown */
  assign (printer: string, place: string, id: string | undefined, by: string): Promise<void>
  settle (use: string, as: 'done' | 'send'): Promise<void>
}

export interface ServiceOptions {
  readonly kernel: Pick<Kernel, 'printers' | 'now'>
  readonly store: Store
  readonly keeper: SpoolKeeper
  readonly changed: () => void
}

/** Local spools are reloaded after each change; changes made elsewhere are seen with each refresh. */
export function createSpools ({ kernel, store, keeper, changed }: ServiceOptions) {
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

  const service: Spools = {
    kind: keeper.kind,
    get problem () { return keeper.problem },
    known,
    refresh,
    all: () => [...keeper.spools.values()],
    slots: () => kernel.printers.names.flatMap(name => {
      const session = kernel.printers.get(name)
      return session ? slotsOf(session).map(slot => ({ ...slot, spool: spoolOf(slot) })) : []
    }),
    gramsIn (slot) {
      const spool = spoolOf(slot)
      return (spool && remainingOf(spool)) ?? slot.seenGrams
    },
    openUses: store.openUses,
    async add ({ name, material, color = '', tag = '', netGrams, usedGrams = 0 }) {
      own()
      const id = `s${randomUUID().slice(0, 8)}`
      await store.addSpool({
        id, name, material, color, tag, net: netGrams ?? null, used: usedGrams, archived: 0, created_at: kernel.now()
      })
      await refresh()
      changed()
      return here(id)
    },
    async change (id, changes) {
      own()
      await known()
      const before = here(id)
      await store.changeSpool(id, await changedColumns(changes, () => store.usesOf(id)))
      await refresh()
      changed()
      return keeper.spools.get(id) ?? before
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
      const changes = as === 'done'
        ? { state: 'done', problem: null } as const
        : { state: 'waiting', before: null, problem: null, sent_at: null } as const
      const open: readonly UseState[] = as === 'done' ? ['unclear', 'refused', 'unknown'] : ['unclear', 'refused']
      const steps = await Promise.all(open.map(from => store.step(use, from, changes)))
      if (!steps.includes(true)) throw new NoOpenUse(use)
      changed()
    }
  }
  return { service, whereabouts: () => whereabouts, spoolOf }
}

/** @param usesOf reads the counted uses of the spool, g @throws PRN_ERR_BAD_INPUT if nothing is changed */
async function changedColumns (
  { name, material, color, tag, netGrams, usedGrams, archived }: SpoolChanges, usesOf: () => Promise<number>
): Promise<Partial<SpoolRow>> {
  const changes = {
    ...(name !== undefined && { name }),
    ...(material !== undefined && { material }),
    ...(color !== undefined && { color }),
    ...(tag !== undefined && { tag }),
    ...(netGrams !== undefined && { net: netGrams }),
    ...(usedGrams !== undefined && { used: usedGrams - await usesOf() }),
    ...(archived !== undefined && { archived: Number(archived) })
  }
  if (Object.keys(changes).length > 0) return changes
  throw new BadInput('Nothing to change was given: name, material, color, tag, net_g, used_g or archived')
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

/** Spools stored in the service's own database. */
export function createLocalKeeper (store: Store): SpoolKeeper {
  let spools: ReadonlyMap<string, Spool> = new Map()
  return {
    kind: 'prnd',
    problem: undefined,
    get spools () { return spools },
    refresh: inOrder(store.load, ({ spools: rows }) => {
      spools = new Map(rows.map(({ id, name, material, color, tag, net, used }) =>
        [id, { id, name, material, color, tag, netGrams: net ?? undefined, usedGrams: used }]))
    })
  }
}
