import { isBusy } from '../machine/job.js'
import { activeExtruder } from '../machine/slots.js'
import { readNozzles, startSwitch } from '../machine/tools.js'
import type { Extruder, Machine } from '../machine/types.js'
import { integer, number, text } from '../request.js'
import { done, doneQuietly, outOfRange, refused, type Body, type Handlers, type Reply } from './reply.js'

const DIAMETERS = [0.2, 0.4, 0.6, 0.8]
const isDiameter = (value: number | undefined): value is number =>
  value !== undefined && DIAMETERS.includes(value)
const NOZZLE_CODES: Readonly<Record<string, string>> =
  { stainless_steel: '00', hardened_steel: '01', tungsten_carbide: '05' }
const NOZZLE_TYPES = [...Object.keys(NOZZLE_CODES), 'brass', 'E3D']

/** Replaces the material in a nozzle code; unchanged without a code, or for a material that has none. */
const recoded = ({ code }: Extruder, type: string): string =>
  code === '' || NOZZLE_CODES[type] === undefined ? code : code.slice(0, 2) + NOZZLE_CODES[type]

/** `system.set_accessories`: the nozzle that the user has fitted. */
export function setAccessories (m: Machine, body: Body): Reply {
  const diameter = number(body.nozzle_diameter)
  const type = text(body.nozzle_type) ?? ''
  if (body.accessory_type !== 'nozzle') return refused({ reason: 'invalid accessory_type' })
  if (!isDiameter(diameter)) return refused({ reason: 'invalid nozzle_diameter' })
  if (!NOZZLE_TYPES.includes(type)) return refused({ reason: 'invalid nozzle_type' })
  const extruder = activeExtruder(m)
  extruder.diameter = diameter
  extruder.code = recoded(extruder, type)
  m.fields = { ...m.fields, nozzle_type: type }
  return done()
}

const NOZZLE_CODE = /^H[SHUAXE](00|01|05)$/

function setNozzle (m: Machine, body: Body): Reply | undefined {
  if (!m.traits.modern) return undefined
  const extruder = m.extruders[integer(body.id) ?? -1]
  const diameter = number(body.diameter)
  const code = text(body.type) ?? ''
  if (extruder === undefined || !NOZZLE_CODE.test(code)) return outOfRange()
  if (!isDiameter(diameter)) return outOfRange()
  Object.assign(extruder, { diameter, code })
  return doneQuietly()
}

function refreshNozzle (m: Machine): Reply | undefined {
  if (!m.traits.refreshesNozzle) return undefined
  readNozzles(m)
  return doneQuietly()
}

/** Tools can be changed by the user only without a running job. */
function selectExtruder (m: Machine, body: Body): Reply | undefined {
  if (m.traits.extruders === 1) return undefined
  const index = integer(body.extruder_index)
  if (index === undefined || m.extruders[index] === undefined) return outOfRange()
  if ((isBusy(m) && m.job.state !== 'PAUSE') || m.ams.change !== undefined) return refused({ errno: -1 })
  startSwitch(m, index)
  return doneQuietly()
}

export const nozzles: Handlers = {
  set_nozzle: setNozzle,
  refresh_nozzle: refreshNozzle,
  select_extruder: selectExtruder
}
