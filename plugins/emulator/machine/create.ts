import { mergeDeep, type Json } from '../json-merge.js'
import type { AmsKind, Traits } from '../models/traits.js'
import { ROOM_C } from './heat.js'
import { noJob } from './job.js'
import { restingMotion } from './motion.js'
import { createRandom } from './noise.js'
import { createHolders, createProfiles, createUnits } from './default-units.js'
import type { Extruder, Machine, ResolveJob } from './types.js'
import { powerOnWords, setField } from './bit-fields.js'

export interface MachineOptions {
  readonly traits: Traits
  readonly name: string
  readonly serial: string
  readonly accessCode: string
  /** IPv4 address for the network fields. */
  readonly address: string
  readonly firmware: string
  readonly developerMode: boolean
  readonly ams: readonly AmsKind[]
  readonly resolveJob: ResolveJob | undefined
}

const CHAMBER_LIGHT_BIT = 7

const createExtruder = (traits: Traits, id: number): Extruder => ({
  id,
  heater: { actual: ROOM_C, target: 0 },
  diameter: 0.4,
  code: traits.nozzleCodes[id] ?? '',
  loaded: undefined,
  previous: undefined,
  idleHotMs: 0
})

/** An IPv4 address as reports carry it: the first part in the lowest byte. */
const addressWord = (address: string): number =>
  address.split('.').reduceRight((word, part) => word * 256 + Number(part), 0)

const NETMASK = 0x00FFFFFF

function networkFields (traits: Traits, address: string): Json {
  const wireless = { ip: addressWord(address), mask: NETMASK }
  if (!traits.modern) return { net: { conf: 0, info: [wireless] } }
  return {
    net: { conf: 16, info: [wireless, { ip: 0, mask: 0 }] },
    ipcam: { rtsp_url: `rtsps://${address}:322/streaming/live/1` }
  }
}

/** A printer that has just been switched on and has never printed. */
export function createMachine (options: MachineOptions): Machine {
  const { traits, serial } = options
  const words = powerOnWords(traits, options.developerMode)
  const machine: Machine = {
    traits,
    serial,
    accessCode: options.accessCode,
    firmware: options.firmware,
    developerMode: options.developerMode,
    resolveJob: options.resolveJob,
    name: options.name,
    fields: mergeDeep(traits.fields, networkFields(traits, options.address)),
    words,
    extruders: Array.from({ length: traits.extruders }, (_, id) => createExtruder(traits, id)),
    bed: { actual: ROOM_C, target: 0 },
    chamber: { actual: ROOM_C, target: 0 },
    fans: Object.fromEntries(traits.fans.map(fan => [fan, 0])),
    airductMode: 0,
    airductSubMode: 0,
    tool: { current: 0, target: 0, leftMs: 0 },
    nozzleReadMs: 0,
    motion: restingMotion(),
    ams: {
      units: createUnits(traits, options.ams, serial),
      holders: createHolders(traits, serial),
      readsOnInsert: !traits.modern || (words.cfg & 1n) === 1n,
      readsAtPowerOn: traits.modern && (words.cfg & 2n) === 2n,
      version: 2,
      scan: undefined,
      change: undefined,
      hung: false
    },
    job: noJob(traits.restStage.fresh),
    printError: 0,
    hms: [],
    profiles: createProfiles(traits),
    random: createRandom(serial),
    noiseMs: 0
  }
  setField(machine, 'cfg', CHAMBER_LIGHT_BIT, 1, 1)
  return machine
}
