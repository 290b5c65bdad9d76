import { slotName, unitName, type AmsUnit, type Spool } from '../../../core/index.js'
import { binarySensor, MINUTES, PERCENT, sensor, TEMPERATURE, tenths } from './sensors.js'
import type { Entity, View } from './types.js'

const unitIn = ({ state }: View, id: number): AmsUnit | undefined => state.ams.units.find(unit => unit.id === id)
const spoolIn = ({ state }: View, id: number, slot: number): Spool | undefined =>
  state.spools.find(spool => spool.amsId === id && spool.slot === slot)

/** Printers report 0 without a sensor. */
const measured = (value: number | undefined): number | null => value === undefined || value === 0 ? null : tenths(value)

function slotEntities (unit: AmsUnit, slot: number): Entity[] {
  const key = `ams_${unit.id}_slot_${slot + 1}`
  const name = slotName({ amsId: unit.id, slot })
  return [
    sensor({
      key,
      name,
      value (view) {
        const spool = spoolIn(view, unit.id, slot)
        if (spool?.present !== true) return 'empty'
        return (spool.subBrand || spool.type) || null
      }
    }),
    sensor({
      key: `${key}_remaining`,
      name: `${name} remaining`,
      config: PERCENT,
      value (view) {
        const percent = spoolIn(view, unit.id, slot)?.remainingPercent ?? -1
        return percent < 0 ? null : percent
      }
    })
  ]
}

function unitEntities (unit: AmsUnit): Entity[] {
  const { id } = unit
  const [key, name] = [`ams_${id}`, unitName(id)]
  const dryer = (view: View) => unitIn(view, id)?.dryer
  return [
    sensor({
      key: `${key}_temperature`,
      name: `${name} temperature`,
      config: TEMPERATURE,
      has: view => measured(unitIn(view, id)?.temperatureC) !== null,
      value: view => measured(unitIn(view, id)?.temperatureC)
    }),
    sensor({
      key: `${key}_humidity`,
      name: `${name} humidity`,
      config: { ...PERCENT, device_class: 'humidity' },
      has: view => measured(unitIn(view, id)?.humidityPercent) !== null,
      value: view => measured(unitIn(view, id)?.humidityPercent)
    }),
    sensor({
      key: `${key}_dryness`,
      name: `${name} dryness`,
      has: view => measured(unitIn(view, id)?.humidityIndex) !== null,
      value: view => measured(unitIn(view, id)?.humidityIndex)
    }),
    binarySensor({
      key: `${key}_drying`,
      name: `${name} drying`,
      config: { device_class: 'running' },
      has: view => dryer(view) !== undefined,
      value: view => (dryer(view)?.state ?? 'OFF') !== 'OFF'
    }),
    sensor({
      key: `${key}_drying_time`,
      name: `${name} remaining drying time`,
      config: MINUTES,
      has: view => dryer(view) !== undefined,
      value: view => dryer(view)?.remainingMinutes ?? null
    }),
    ...Array.from({ length: unit.slots }, (_, slot) => slotEntities(unit, slot)).flat()
  ]
}

/** The entities of every connected unit. */
export const amsEntities = ({ state }: View): Entity[] => state.ams.units.flatMap(unitEntities)
