import { fieldsIn, isOnOf, reading, wattsOf, whOf, type Reading } from './reading.js'

const WH_PER_KWH = 1_000

/** A message of Zigbee2MQTT. @param name the part of the topic after the device's own; empty for its state */
export function zigbeeMessage (name: string, text: string): Reading | undefined {
  if (name === 'availability') return reading({ isOnline: isOnOf(fieldsIn(text)?.state ?? text.trim()) })
  const fields = name === '' ? fieldsIn(text) : undefined
  if (fields === undefined) return undefined
  return reading({ isOn: isOnOf(fields.state), watts: wattsOf(fields.power), wh: whOf(fields.energy, WH_PER_KWH) })
}

export const UNITS = ['kWh', 'Wh'] as const
export type Unit = (typeof UNITS)[number]

export const factorOf = (unit: Unit): number => unit === 'kWh' ? WH_PER_KWH : 1

/** What a topic that holds one value is about. */
export type ValueOf = 'state' | 'watts' | 'energy' | 'online' | 'hub'

/** What Home Assistant says of a device that it does not reach. */
const AWAY = 'unavailable'

/** A topic of ESPHome or Home Assistant, each with one value. */
export function valueMessage (of: ValueOf, text: string, unit: Unit): Reading | undefined {
  const value = text.trim()
  if (of === 'state') return value === AWAY ? reading({ isOnline: false }) : reading({ isOn: isOnOf(value) })
  // That Home Assistant runs says nothing of the plug; that it ended means that nobody will say anything of it.
  if (of === 'hub') return isOnOf(value) === false ? reading({ isOnline: false }) : undefined
  if (of === 'online') return reading({ isOnline: isOnOf(value) })
  return of === 'watts' ? reading({ watts: wattsOf(value) }) : reading({ wh: whOf(value, factorOf(unit)) })
}
