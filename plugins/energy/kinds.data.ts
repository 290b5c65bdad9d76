import { Type, type Static } from 'typebox'
import { UNITS } from './decode/value-message.js'

/** How a plug is reached: by messages through the broker, or by requests to itself. */
export const KINDS = ['tasmota', 'shelly1', 'shelly2', 'zigbee2mqtt', 'esphome', 'homeassistant', 'shelly_http', 'tasmota_http'] as const
export type PlugKind = (typeof KINDS)[number]

/** Their addresses are on the local network, and they may have a password. */
export const HTTP_KINDS: ReadonlySet<PlugKind> = new Set(['shelly_http', 'tasmota_http'])

/** Levels of topics that stand for others, or that belong to the broker, are no topics of a plug. */
const Topic = (description: string) => Type.String({ pattern: '^[^+#$\\x00-\\x1f][^+#\\x00-\\x1f]{0,199}$', description })

/** What a plug needs beside its kind; which of these belong to which kind is in `NEEDED`. */
export const PlugSettings = Type.Object({
  topic: Type.Optional(Topic('Topic of the device: `plug1` (Tasmota), `shellies/ID`, the prefix of a Shelly, ' +
    '`zigbee2mqtt/NAME`, the prefix of an ESPHome, the base of statestream')),
  host: Type.Optional(Type.String({
    pattern: '^[A-Za-z0-9.:\\[\\]_-]{1,120}$', description: 'Address on the local network, such as `192.168.1.40`, with a port unless it is 80'
  })),
  channel: Type.Optional(Type.Integer({ minimum: 0, maximum: 15, description: 'Socket of a strip: from 1 for Tasmota, from 0 for Shelly' })),
  state: Type.Optional(Topic('Switch: its id (ESPHome), or entity such as `switch.printer` (Home Assistant)')),
  power: Type.Optional(Topic('Sensor of the power in W: its id, or entity')),
  energy: Type.Optional(Topic('Sensor of the energy counter: its id, or entity')),
  energy_unit: Type.Optional(Type.Enum(UNITS, { description: 'Of that counter; `kWh` unless it is given' }))
}, { additionalProperties: false })
export type PlugSettings = Static<typeof PlugSettings>

/** Settings without which a plug of that kind cannot be reached. */
export const NEEDED: Readonly<Record<PlugKind, readonly (keyof PlugSettings)[]>> = {
  tasmota: ['topic'],
  shelly1: ['topic'],
  shelly2: ['topic'],
  zigbee2mqtt: ['topic'],
  esphome: ['topic', 'state'],
  homeassistant: ['topic', 'state'],
  shelly_http: ['host'],
  tasmota_http: ['host']
}

/** Settings that have a meaning for that kind, beside those that it needs. */
export const ALSO: Readonly<Record<PlugKind, readonly (keyof PlugSettings)[]>> = {
  tasmota: ['channel'],
  shelly1: ['channel'],
  shelly2: ['channel'],
  zigbee2mqtt: [],
  esphome: ['power', 'energy', 'energy_unit'],
  homeassistant: ['power', 'energy', 'energy_unit'],
  shelly_http: ['channel'],
  tasmota_http: ['channel']
}
