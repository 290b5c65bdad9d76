import {
  hasCurrentState, isActive, isStartPending, type AmsUnit, type Kernel, type PrinterSession, type PrinterState,
  type Services
} from '../../core/index.js'
import { DRYING_RANGE_C, familyOf, refusalMessage } from '../filament/index.js'
import type { QueueService } from '../queue/index.js'
import type { SpoolType } from '../spools/index.js'
import type { RunRow } from './tables.js'
import { why, type HotUnit, type SlotFacts, type UnitFacts, type Why } from './types.js'

type Spools = Services['spools']

/** What is known of a spool in the inventory. */
interface Known {
  readonly id: string
  readonly type: SpoolType | undefined
  readonly driedAt: number | null
  readonly openedAt: number | null
}

/** What a spool stands in a unit of this model. */
export function slotFacts (
  loaded: Pick<PrinterState['spools'][number], 'slot' | 'type' | 'dryingC' | 'dryingHours'>, model: 'AMS_2_PRO' | 'AMS_HT', known: Known | undefined,
  unitDriedAt: number | undefined
): SlotFacts {
  const family = familyOf(loaded.type.toUpperCase())
  const limits = [family.dryC[model], known?.type?.dry_temp ?? 0, loaded.dryingC].filter(celsius => celsius > 0)
  const since = [known?.driedAt, known?.openedAt, unitDriedAt].filter(at => typeof at === 'number')
  return {
    slot: loaded.slot,
    material: loaded.type,
    limitC: Math.min(...limits),
    hours: known?.type?.dry_hours ?? Math.max(loaded.dryingHours, family.dryHours[model]),
    drySince: since.length === 0 ? undefined : Math.max(...since),
    spool: known?.id ?? ''
  }
}

/** Whether filament of a unit is in a nozzle or on its way. */
export const isLoadedFrom = ({ extruders, activeTray }: PrinterState, unit: number): boolean =>
  activeTray.amsId === unit || extruders.some(({ tray }) => tray?.amsId === unit)

export const isPrinting = ({ state, context }: PrinterSession, now: number): boolean =>
  state !== undefined && (isActive(state.job.gcodeState) || isStartPending(context.start, now))

/** Whether a unit dries, or its heater may be on: only these two states say that it is off. */
export const mayHeat = ({ dryer }: Pick<AmsUnit, 'dryer'>): boolean =>
  dryer !== undefined && dryer.state !== 'OFF' && dryer.state !== 'COOLING'

export const hasFault = ({ dryer }: Pick<AmsUnit, 'dryer'>): boolean =>
  dryer?.state === 'ERROR' || dryer?.state === 'CANNOT_STOP_HEAT_OOC'

/** Units of all printers that may heat now, whoever started them; of a printer out of reach, as it was last seen. */
export const hotUnits = (printers: Kernel['printers']): HotUnit[] => printers.sessions.flatMap(({ name: printer, state, config: { serial } }) =>
  (state?.ams.units ?? []).filter(mayHeat).map(({ id: unit }) => ({ printer, serial, unit })))

function obstaclesOf (session: PrinterSession, unit: AmsUnit, now: number): Why[] {
  const { state, model, problem } = session
  if (state === undefined || !hasCurrentState(session)) return [why('not_current')]
  if (problem?.code === 'takes_no_commands') return [why('takes_no_commands')]
  const refusal = refusalMessage(unit.dryer?.refusals ?? [])
  return [
    ...(model.dryingAtScreen === true ? [why('at_screen')] : []),
    ...(hasFault(unit) ? [why('unit_fault')] : mayHeat(unit) ? [why('dries')] : []),
    ...(isPrinting(session, now) ? [why('prints')] : []),
    ...(isLoadedFrom(state, unit.id) ? [why('loaded')] : []),
    ...(refusal === '' ? [] : [why('refused', { reason: refusal.replaceAll('\n', ' ') })])
  ]
}

/** Slots that hold something; one whose filament the printer does not know has no material. */
function slotsIn (state: PrinterState, unit: AmsUnit): Pick<PrinterState['spools'][number], 'slot' | 'type' | 'dryingC' | 'dryingHours'>[] {
  return unit.trayExists.flatMap((exists, slot) => {
    const spool = state.spools.find(({ amsId, slot: at, present }) => present && amsId === unit.id && at === slot)
    return spool ?? (exists ? { slot, type: '', dryingC: 0, dryingHours: 0 } : [])
  })
}

export interface ReadOptions {
  readonly kernel: Pick<Kernel, 'printers' | 'now'>
  readonly spools: Spools
  readonly queue: QueueService | undefined
  readonly runs: readonly RunRow[]
}

/** When the queue starts its next print without anyone's help, by name of the printer. */
async function nextStarts (queue: QueueService | undefined): Promise<ReadonlyMap<string, number>> {
  const outlook = await queue?.forecasts.current().catch(() => undefined)
  return new Map([...outlook?.forecast.slots ?? []].flatMap(([printer, slots]) => {
    const next = slots.find(({ waitsFor }) => waitsFor === undefined)
    return next ? [[printer, next.startsAt]] : []
  }))
}

/** Every unit that can dry, of printers that this service itself is connected to. */
export async function readUnits ({ kernel, spools, queue, runs }: ReadOptions): Promise<UnitFacts[]> {
  const { inventory } = spools
  const [rows, types, next] = await Promise.all([inventory.list(false), inventory.typesBySpool(), nextStarts(queue)])
  const byId = new Map(rows.map(row => [row.id, row]))
  const inSlots = new Map(spools.slots().flatMap(({ serial, place, spool }) => spool ? [[`${serial}/${place}`, spool.id]] : []))
  const now = kernel.now()
  return kernel.printers.sessions.filter(({ remote }) => remote === undefined).flatMap(session => {
    const { state, config: { serial }, name: printer } = session
    return (state?.ams.units ?? []).flatMap(unit => {
      const range = DRYING_RANGE_C[unit.model]
      if (state === undefined || unit.dryer === undefined || range === undefined) return []
      const last = runs.findLast(run => run.serial === serial && run.unit === unit.id && run.state === 'finished')
      const slots = slotsIn(state, unit).map(loaded => {
        const row = byId.get(inSlots.get(`${serial}/ams ${unit.id} slot ${loaded.slot}`) ?? '')
        const known = row && { id: row.id, type: types.get(row.id), driedAt: row.dried_at, openedAt: row.opened_at }
        return slotFacts(loaded, unit.model as 'AMS_2_PRO', known, known ? undefined : last?.ended_at ?? undefined)
      })
      return [{
        printer,
        serial,
        unit: unit.id,
        model: unit.model,
        humidity: unit.humidityPercent,
        leastC: range.min,
        mostC: range.max,
        slots,
        obstacles: obstaclesOf(session, unit, now),
        nextStartAt: next.get(printer)
      }]
    })
  })
}
