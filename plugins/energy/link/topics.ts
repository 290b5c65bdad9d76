import { valueMessage, zigbeeMessage, type ValueOf } from '../decode/value-message.js'
import type { Reading } from '../decode/reading.js'
import { shelly1Message, shelly2Message } from '../decode/shelly.js'
import { tasmotaMessage } from '../decode/tasmota.js'
import type { PlugKind, PlugSettings } from '../kinds.data.js'

export interface Message { readonly topic: string, readonly text: string }

/** The topics of one plug, and what is said on them. */
export interface Topics {
  readonly filters: readonly string[]
  readonly decode: (topic: string, text: string) => Reading | undefined
  readonly turn: (on: boolean) => Message
  /** Asks the plug for its state; nothing where it cannot be asked. */
  readonly asks: readonly Message[]
}

/** What follows a prefix and a slash; undefined for other topics. */
const after = (topic: string, prefix: string): string | undefined =>
  topic.startsWith(`${prefix}/`) ? topic.slice(prefix.length + 1) : undefined

const word = (on: boolean): string => on ? 'ON' : 'OFF'

function tasmota ({ topic = '', channel = 1 }: PlugSettings): Topics {
  const names = ['stat', 'tele'].map(kind => `${kind}/${topic}`)
  const relay = `cmnd/${topic}/POWER${channel}`
  return {
    filters: names.map(name => `${name}/+`),
    decode: (at, text) => {
      const name = names.map(prefix => after(at, prefix)).find(found => found !== undefined)
      return name === undefined ? undefined : tasmotaMessage(name, text, channel)
    },
    turn: on => ({ topic: relay, text: word(on) }),
    asks: [{ topic: relay, text: '' }, { topic: `cmnd/${topic}/STATUS`, text: '8' }]
  }
}

function shelly1 ({ topic = '', channel = 0 }: PlugSettings): Topics {
  const relay = `${topic}/relay/${channel}`
  return {
    filters: [`${topic}/online`, relay, `${relay}/power`, `${relay}/energy`],
    decode: (at, text) => shelly1Message(after(at, topic) ?? '', text, channel),
    turn: on => ({ topic: `${relay}/command`, text: on ? 'on' : 'off' }),
    asks: [{ topic: `${topic}/command`, text: 'update' }]
  }
}

/** @param id of the plug here, which its answers are sent to */
function shelly2 ({ topic = '', channel = 0 }: PlugSettings, id: string): Topics {
  const src = `prnd/plugs/${id}`
  const call = (method: string, params: object): Message =>
    ({ topic: `${topic}/rpc`, text: JSON.stringify({ id: 1, src, method, params }) })
  return {
    filters: [`${topic}/online`, `${topic}/events/rpc`, `${topic}/status/switch:${channel}`, `${src}/rpc`],
    decode: (at, text) => shelly2Message(at === `${src}/rpc` ? 'answer' : after(at, topic) ?? '', text, channel),
    turn: on => call('Switch.Set', { id: channel, on }),
    asks: [call('Switch.GetStatus', { id: channel })]
  }
}

const zigbee = ({ topic = '' }: PlugSettings): Topics => ({
  filters: [topic, `${topic}/availability`],
  decode: (at, text) => at === topic ? zigbeeMessage('', text) : zigbeeMessage(after(at, topic) ?? '-', text),
  turn: on => ({ topic: `${topic}/set`, text: JSON.stringify({ state: word(on) }) }),
  asks: [{ topic: `${topic}/get`, text: JSON.stringify({ state: '' }) }]
})

/** Topics with one value each. */
function values (topics: ReadonlyMap<string, ValueOf>, turn: Topics['turn'], { energy_unit: unit = 'kWh' }: PlugSettings): Topics {
  return {
    filters: [...topics.keys()],
    decode: (at, text) => {
      const of = topics.get(at)
      return of === undefined ? undefined : valueMessage(of, text, unit)
    },
    turn,
    asks: []
  }
}

function esphome (settings: PlugSettings): Topics {
  const { topic = '', state = '', power, energy } = settings
  const topics = new Map<string, ValueOf>([[`${topic}/status`, 'online'], [`${topic}/switch/${state}/state`, 'state']])
  if (power !== undefined) topics.set(`${topic}/sensor/${power}/state`, 'watts')
  if (energy !== undefined) topics.set(`${topic}/sensor/${energy}/state`, 'energy')
  return values(topics, on => ({ topic: `${topic}/switch/${state}/command`, text: word(on) }), settings)
}

/** Where Home Assistant says that it runs, unless somebody changed that. */
const HUB = 'homeassistant/status'

/** Entities as `mqtt_statestream` publishes them; an automation of Home Assistant listens to `set` and `get`. */
function homeAssistant (settings: PlugSettings): Topics {
  const { topic = '', state = '', power, energy } = settings
  const place = (entity: string): string => `${topic}/${entity.replace('.', '/')}`
  const topics = new Map<string, ValueOf>([[HUB, 'hub'], [`${place(state)}/state`, 'state']])
  if (power !== undefined) topics.set(`${place(power)}/state`, 'watts')
  if (energy !== undefined) topics.set(`${place(energy)}/state`, 'energy')
  const asks = [{ topic: `${place(state)}/get`, text: '' }]
  return { ...values(topics, on => ({ topic: `${place(state)}/set`, text: on ? 'on' : 'off' }), settings), asks }
}

/** @returns undefined for a kind that is reached by HTTP */
export function topicsOf (kind: PlugKind, settings: PlugSettings, id: string): Topics | undefined {
  switch (kind) {
    case 'tasmota': return tasmota(settings)
    case 'shelly1': return shelly1(settings)
    case 'shelly2': return shelly2(settings, id)
    case 'zigbee2mqtt': return zigbee(settings)
    case 'esphome': return esphome(settings)
    case 'homeassistant': return homeAssistant(settings)
    default: return undefined
  }
}
