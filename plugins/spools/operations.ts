import { Type, type Static } from 'typebox'
import { BadInput, operation, type PrinterSession } from '../../core/index.js'
import { ManagedInSpoolman, NoOpenUse, NoSlot, NoSpool, NoSpoolPlace, NoSpoolType, SpoolmanFailed } from './errors.js'
import { detailFields, type Details } from './details.js'
import { spoolFields, SpoolsView, SpoolView } from './schemas.js'
import { placeAt } from './slots.js'
import { remainingOf, type Slot, type Spool, type Use } from './types.js'

const view = (spool: Spool): Static<typeof SpoolView> => {
  const { id, name, material, color, tag, netGrams, usedGrams } = spool
  return {
    id,
    name,
    material,
    color,
    tag,
    net_g: netGrams ?? null,
    used_g: Math.round(usedGrams * 100) / 100,
    left_g: remainingOf(spool) ?? null
  }
}

export function slotView (slot: Slot & { readonly spool: Spool | undefined }, leftGrams: number | undefined) {
  const { printer, place, unitId = null, slotId, material, color, colors, tag, spool } = slot
  const where = { printer, place, unit_id: unitId, slot_id: slotId }
  const what = { material, color, colors: [...colors], translucent: slot.isTranslucent, tag }
  return { ...where, ...what, spool: spool?.id ?? null, left_g: leftGrams ?? null }
}

export const useView = ({ id, print, printer, place, material, grams, spool, state, problem }: Use) =>
  ({ id, print, printer, place, material, grams, spool, state, problem })

interface Given extends Details {
  name?: string
  material?: string
  color?: string
  tag?: string
  net_g?: number
  used_g?: number
}

const fieldsOf = ({ name, material, color, tag, net_g: netGrams, used_g: usedGrams, ...details }: Given) => ({
  ...(name !== undefined && { name }),
  ...(material !== undefined && { material }),
  ...(color !== undefined && { color }),
  ...(tag !== undefined && { tag }),
  ...(netGrams !== undefined && { netGrams }),
  ...(usedGrams !== undefined && { usedGrams }),
  details
})

const { name, material, ...otherFields } = spoolFields

export const listSpools = operation({
  name: 'spools.list',
  summary: 'Spools, where they are, how much is left, and uses that are not counted',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({ refresh: Type.Optional(Type.Boolean({ description: 'Ask Spoolman again first' })) }),
  output: SpoolsView,
  errors: [SpoolmanFailed],
  async run ({ services: { spools }, signal }, { refresh = false }) {
    await (refresh ? spools.refresh(signal) : spools.known())
    const uses = await spools.openUses()
    return {
      kept_by: spools.kind,
      problem: spools.problem ?? null,
      spools: spools.all().map(view),
      slots: spools.slots().map(slot => slotView(slot, spools.gramsIn(slot))),
      open_uses: uses.map(useView)
    }
  }
})

export const addSpool = operation({
  name: 'spools.add',
  summary: 'Add a spool',
  effect: 'write',
  scope: 'daemon',
  consequence: 'Adds a spool to the list; nothing on a printer changes.',
  input: Type.Object({
    name: Type.Optional({ ...name, description: 'Left out: what its type is called' }),
    material: Type.Optional({ ...material, description: 'Left out: that of its type' }),
    ...otherFields,
    ...detailFields
  }),
  output: SpoolView,
  errors: [ManagedInSpoolman, NoSpoolType, NoSpoolPlace],
  run: async ({ services: { spools } }, given) =>
    view(await spools.add(await spools.inventory.completed(fieldsOf(given))))
})

export const changeSpool = operation({
  name: 'spools.change',
  summary: 'Change or archive a spool',
  effect: 'write',
  scope: 'daemon',
  consequence: 'The data of the spool changes, also for future prints; nothing on a printer changes.',
  input: Type.Object({
    id: Type.String({ minLength: 1, maxLength: 64 }),
    ...Type.Partial(Type.Object(spoolFields)).properties,
    ...detailFields,
    archived: Type.Optional(Type.Boolean({ description: 'It is used up or gone' }))
  }),
  output: SpoolView,
  errors: [ManagedInSpoolman, NoSpool, NoSpoolType, NoSpoolPlace],
  async run ({ services: { spools }, askedBy }, { id, archived, ...more }) {
    await spools.inventory.check(more)
    return view(await spools.change(id, { ...fieldsOf(more), ...(archived !== undefined && { archived }) }, askedBy))
  }
})

/** A printer without a session has no slots, which is reported when the place is looked up. */
function placeNamed (session: PrinterSession | undefined, { unit_id: unit = 0, slot_id: slot }:
{ readonly unit_id?: number, readonly slot_id?: number }): string {
  if (slot === undefined) throw new BadInput('Say which slot: unit_id and slot_id, or place, as in the list of spools')
  return session === undefined ? `ams ${unit} slot ${slot}` : placeAt(session, unit, slot)
}

export const assignSpool = operation({
  name: 'spools.assign',
  summary: 'Say which spool is in a slot',
  effect: 'write',
  scope: 'daemon',
  consequence: 'Filament used from the slot is counted for that spool; nothing on a printer changes.',
  input: Type.Object({
    printer: Type.String({ minLength: 1, maxLength: 64 }),
    place: Type.Optional(Type.String({
      minLength: 1, maxLength: 40, description: 'As in the list: `ams 0 slot 2`, `external`; or unit_id and slot_id'
    })),
    unit_id: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: 'As in the list' })),
    slot_id: Type.Optional(Type.Integer({ minimum: 0, description: 'As in the list' })),
    spool: Type.String({ maxLength: 64, description: 'Its id; empty: unknown' })
  }),
  output: Type.Object({ printer: Type.String(), place: Type.String(), spool: Type.String() }),
  errors: [NoSlot, NoSpool],
  async run ({ kernel, services: { spools }, askedBy }, { printer, spool, ...slot }) {
    const place = slot.place ?? placeNamed(kernel.printers.get(printer), slot)
    await spools.assign(printer, place, spool === '' ? undefined : spool, askedBy)
    return { printer, place, spool }
  }
})

export const settleUse = operation({
  name: 'spools.settle',
  summary: 'Decide about a use that Spoolman may or may not have counted',
  effect: 'write',
  scope: 'daemon',
  consequence: 'With send, Spoolman counts the use, maybe a second time; with done, nothing is reported again.',
  input: Type.Object({
    id: Type.String({ minLength: 1, maxLength: 100 }),
    as: Type.Enum(['done', 'send'], { description: '`send`: report it again' })
  }),
  output: Type.Object({ id: Type.String() }),
  errors: [NoOpenUse],
  async run ({ services: { spools } }, { id, as }) {
    await spools.settle(id, as)
    return { id }
  }
})
