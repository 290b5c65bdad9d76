import { FUN, funBit } from './options.js'
import { bit, hex, hexBit, int, isAtLeast, list, text, type Raw } from './raw.js'
import type { DecodeInput, Section } from './section.js'
import type { Doors, Lights } from './types.js'

/** The chamber light comes first in every full report; partial ones are merged by node. */
export const lights: Section<Lights> = {
  fields: ['lights_report'],
  read: raw => {
    const nodes = list(raw.lights_report).map(({ node, mode }) => ({ node: text(node), mode: text(mode) }))
    return { nodes, mode: nodes[0]?.mode ?? '' }
  }
}

const HOME_DOOR = 23
const STAT_DOOR = 23
const STAT_LID = 24

export const doors: Section<Doors> = {
  fields: ['fun', 'stat', 'home_flag'],
  context: ['modules'],
  read: readDoors
}

/** The X1 family reports its door in `home_flag`; its `stat` bits have another meaning. */
function readDoors (raw: Raw, input: DecodeInput): Doors {
  const { model } = input
  const sensor = hasDoorSensor(raw, input)
  if (!sensor) return { sensor, doorOpen: false, lidOpen: false }
  if (model.doorSource === 'home_flag') {
    return { sensor, doorOpen: bit(int(raw.home_flag), HOME_DOOR), lidOpen: false }
  }
  const stat = hex(raw.stat)
  return { sensor, doorOpen: hexBit(stat, STAT_DOOR), lidOpen: hexBit(stat, STAT_LID) }
}

/** Old firmware sends no `fun` word; there, the first firmware that is known to report the door decides. */
export function hasDoorSensor (raw: Raw, { model, context }: DecodeInput): boolean {
  if (raw.fun !== undefined) return funBit(raw, FUN.doorSensor)
  const since = model.firmware.doorSensor
  const firmware = context.modules.find(({ name }) => name === 'ota')?.version
  return since !== undefined && firmware !== undefined && isAtLeast(firmware, since)
}
