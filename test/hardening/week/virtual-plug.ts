import { connectAsync, type MqttClient } from 'mqtt'
import type { Clock } from './week-clock.js'

export const KINDS = ['tasmota', 'shelly2', 'zigbee2mqtt'] as const
type Kind = typeof KINDS[number]

export interface VirtualPlug {
  readonly name: string
  readonly kind: Kind
  readonly topic: string
  readonly isOn: boolean
  /** What really went through it, Wh. */
  readonly wh: number
  /** Its counter as it was sent last, Wh. */
  readonly said: number
  /** Lets time pass. @param watts of what is plugged in */
  look (watts: number): void
  say (): void
  end (): Promise<void>
}

export interface PlugOptions {
  readonly url: string
  readonly name: string
  readonly kind: Kind
  readonly clock: Clock
  /** It was told to switch, before it does. */
  readonly told: (isOn: boolean) => void
  readonly switched: (isOn: boolean) => void
}

interface Order { readonly isOn?: boolean, readonly answer?: readonly [topic: string, id: number] }

interface Dialect {
  readonly hears: readonly string[]
  /** Decimals of its counter, which is in units of so many Wh. */
  readonly counter: readonly [unitWh: number, decimals: number]
  readonly here: readonly [topic: string, text: string]
  /** Its state, on its own topics. */
  says (isOn: boolean, watts: number, counter: number): [topic: string, text: string][]
  /** @returns whether it is to be on, or where the state is asked for */
  reads (topic: string, text: string): Order
}

const word = (isOn: boolean) => isOn ? 'ON' : 'OFF'
const onOff = (text: string): Order => text === '' ? {} : { isOn: text === 'ON' }

const tasmota = (topic: string): Dialect => ({
  hears: [`cmnd/${topic}/+`],
  counter: [1_000, 3],
  here: [`tele/${topic}/LWT`, 'Online'],
  says: (isOn, watts, counter) => [
    [`stat/${topic}/POWER`, word(isOn)],
    [`tele/${topic}/SENSOR`, JSON.stringify({ ENERGY: { Total: counter, Today: 0.1, Power: Math.round(watts) } })]
  ],
  reads: (at, text) => at.endsWith('/POWER1') || at.endsWith('/POWER') ? onOff(text) : {}
})

interface Call { readonly id: number, readonly src: string, readonly method: string, readonly params: { on?: boolean } }

const shelly2 = (topic: string): Dialect => {
  const state = (isOn: boolean, watts: number, counter: number) => ({
    id: 0, source: 'mqtt', output: isOn, apower: Math.round(watts * 10) / 10, aenergy: { total: counter, by_minute: [0, 0, 0] }
  })
  return {
    hears: [`${topic}/rpc`],
    counter: [1, 3],
    here: [`${topic}/online`, 'true'],
    says: (...of) => [
      [`${topic}/status/switch:0`, JSON.stringify(state(...of))],
      [`${topic}/events/rpc`, JSON.stringify({ src: topic, method: 'NotifyStatus', params: { ts: 1, 'switch:0': state(...of) } })]
    ],
    reads (_at, text) {
      const { id, src, method, params } = JSON.parse(text) as Call
      const answer = [`${src}/rpc`, id] as const
      return method === 'Switch.Set' && params.on !== undefined ? { isOn: params.on, answer } : { answer }
    }
  }
}

const zigbee = (topic: string): Dialect => ({
  hears: [`${topic}/set`, `${topic}/get`],
  counter: [1_000, 2],
  here: [`${topic}/availability`, '{"state":"online"}'],
  says: (isOn, watts, counter) =>
    [[topic, JSON.stringify({ state: word(isOn), power: Math.round(watts), energy: counter, linkquality: 120 })]],
  reads: (at, text) => at.endsWith('/set') ? onOff((JSON.parse(text) as { state: string }).state) : {}
})

const DIALECTS: Readonly<Record<Kind, (topic: string) => Dialect>> = { tasmota, shelly2, zigbee2mqtt: zigbee }
const MS_PER_HOUR = 3_600_000
/** A relay and its radio. */
const SLOW_MS = 40

/** A plug that is a client of a broker, with the payloads of its maker, and that counts what flows through it. */
export async function startPlug ({ url, name, kind, clock, told, switched }: PlugOptions): Promise<VirtualPlug> {
  const topic = kind === 'zigbee2mqtt' ? `zigbee2mqtt/${name}` : `${kind}-${name}`
  const { hears, counter: [unitWh, decimals], here, says, reads } = DIALECTS[kind](topic)
  let [isOn, wh, said, watts, at] = [true, 0, 0, 0, clock.now()]

  const client: MqttClient = await connectAsync(url, { reconnectPeriod: 100, queueQoSZero: false })
  const publish = (to: string, text: string, retain = false): void => {
    if (client.connected) client.publish(to, text, { retain })
  }
  const say = (): void => {
    const counter = Number((wh / unitWh).toFixed(decimals))
    if (client.connected) said = counter * unitWh
    for (const [to, text] of says(isOn, watts, counter)) publish(to, text)
  }
  const welcome = (): void => {
    publish(...here, true)
    say()
  }
  client.on('connect', welcome)
  client.on('message', (to, bytes) => {
    const order = reads(to, bytes.toString())
    const wanted = order.isOn
    if (wanted !== undefined) told(wanted)
    setTimeout(() => {
      if (wanted !== undefined && wanted !== isOn) {
        isOn = wanted
        watts = isOn ? watts : 0
        switched(isOn)
      }
      if (order.answer) {
        const [to, id] = order.answer
        const total = Number(wh.toFixed(decimals))
        if (wanted === undefined) said = total
        const result = wanted === undefined
          ? { id: 0, output: isOn, apower: watts, aenergy: { total } }
          : { was_on: !wanted }
        publish(to, JSON.stringify({ id, src: topic, result }))
      }
      say()
    }, SLOW_MS)
  })
  await client.subscribeAsync([...hears])
  welcome()

  return {
    name,
    kind,
    topic,
    get isOn () { return isOn },
    get wh () { return wh },
    get said () { return said },
    look (now) {
      const time = clock.now()
      wh += watts * (time - at) / MS_PER_HOUR
      at = time
      watts = isOn ? now : 0
    },
    say,
    end: () => client.endAsync(true)
  }
}
