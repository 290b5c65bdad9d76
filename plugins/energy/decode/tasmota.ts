import { fieldsIn, isOnOf, part, reading, wattsOf, whOf, type Fields, type Reading } from './reading.js'

const WH_PER_KWH = 1_000

/** Plugs with several sockets list one value for each. */
const at = (value: unknown, channel: number): unknown => Array.isArray(value) ? value[channel - 1] : value

/** The first relay is called `POWER` or `POWER1`, by the number of relays. */
export const relayState = (fields: Fields, channel: number): boolean | undefined =>
  isOnOf(fields[`POWER${channel}`]) ?? (channel === 1 ? isOnOf(fields.POWER) : undefined)

const energyIn = (sensors: Fields | undefined, channel: number): Reading => {
  const energy = part(sensors, 'ENERGY')
  return reading({ watts: wattsOf(at(energy?.Power, channel)), wh: whOf(at(energy?.Total, channel), WH_PER_KWH) }) ?? {}
}

/** Any JSON of Tasmota: telemetry, results, and the answers to `Status`. */
export function tasmotaFields (fields: Fields, channel: number): Reading | undefined {
  const state = part(fields, 'StatusSTS') ?? fields
  const sensors = part(fields, 'StatusSNS') ?? fields
  return reading({ isOn: relayState(state, channel), ...energyIn(sensors, channel) })
}

/** A message on a topic of Tasmota. @param name the part of the topic after the device's own */
export function tasmotaMessage (name: string, text: string, channel: number): Reading | undefined {
  if (name === 'LWT') return reading({ isOnline: isOnOf(text.trim()) })
  if (name === `POWER${channel}` || (channel === 1 && name === 'POWER')) return reading({ isOn: isOnOf(text.trim()) })
  const fields = fieldsIn(text)
  return fields && tasmotaFields(fields, channel)
}
