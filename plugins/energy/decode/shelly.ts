import { fieldsIn, isFields, isOnOf, part, reading, wattsOf, whOf, type Fields, type Reading } from './reading.js'

/** The first generation counts watt-minutes. */
const WH_PER_WATT_MINUTE = 1 / 60

/** A message of the first generation. @param name the part of the topic after `shellies/ID` */
export function shelly1Message (name: string, text: string, channel: number): Reading | undefined {
  const relay = `relay/${channel}`
  if (name === 'online') return reading({ isOnline: isOnOf(text.trim()) })
  if (name === relay) return reading({ isOn: isOnOf(text.trim()) })
  if (name === `${relay}/power`) return reading({ watts: wattsOf(text) })
  if (name === `${relay}/energy`) return reading({ wh: whOf(text, WH_PER_WATT_MINUTE) })
  return undefined
}

const entry = (list: unknown, channel: number): Fields | undefined => {
  const found: unknown = Array.isArray(list) ? list[channel] : undefined
  return isFields(found) ? found : undefined
}

/** The answer to `GET /status` of the first generation. */
export function shelly1Status (fields: Fields, channel: number): Reading | undefined {
  const meter = entry(fields.meters, channel)
  return reading({
    isOn: isOnOf(entry(fields.relays, channel)?.ison),
    watts: meter?.is_valid === false ? undefined : wattsOf(meter?.power),
    wh: whOf(meter?.total, WH_PER_WATT_MINUTE)
  })
}

/** The state of a switch of the second generation and later. */
export function shelly2Switch (fields: Fields | undefined): Reading | undefined {
  if (fields === undefined) return undefined
  return reading({
    isOn: isOnOf(fields.output), watts: wattsOf(fields.apower), wh: whOf(part(fields, 'aenergy')?.total)
  })
}

/**
 * A message of the second generation.
 * @param name the part of the topic after the prefix; `answer` to a question of ours
 */
export function shelly2Message (name: string, text: string, channel: number): Reading | undefined {
  if (name === 'online') return reading({ isOnline: isOnOf(text.trim()) })
  const fields = fieldsIn(text)
  if (fields === undefined) return undefined
  if (name === `status/switch:${channel}`) return shelly2Switch(fields)
  if (name === 'events/rpc') return shelly2Switch(part(part(fields, 'params'), `switch:${channel}`))
  return name === 'answer' ? shelly2Switch(part(fields, 'result')) : undefined
}
