import { Type } from 'typebox'
import { definePlugin, SecretReference } from '../../core/index.js'
import { BrokerService } from './broker-service.js'
import { loginOf } from './login.js'

/** Loads the MQTT library, so only when it is needed. */
export const mqttBroker = () => import('./connect-broker.js')

export { BrokerAway, type BrokerService } from './broker-service.js'
export type { BrokerConnection, BrokerConnectionOptions, Message, PublishOptions } from './connect-broker.js'
export { loginOf, type Login } from './login.js'
export { filterProblem, matchesFilter } from './topic-filter.js'

declare module 'prnd' {
  interface Services { broker: BrokerService }
}

const Options = Type.Object({
  url: Type.Optional(Type.String({
    pattern: '^mqtts?://',
    description: 'Address of the MQTT broker that plugs, scales and sensors use, such as `mqtt://user:password@192.168.1.5:1883`; ' +
      'without it, the broker of Home Assistant is used'
  })),
  password: Type.Optional(SecretReference),
  ca: Type.Optional(Type.String({
    minLength: 1, description: 'File with the authorities that signed the broker\'s certificate, PEM'
  }))
})

/** One connection to the MQTT broker of the house, for plugins that read sensors or switch something. */
export default definePlugin({
  name: 'broker',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'The MQTT broker of plugs, scales and sensors',
  provides: ['broker'],
  uses: ['network'],
  options: Options,
  async setup ({ kernel, log, options: { url, ...rest }, provide, onClose }) {
    const own = url === undefined ? undefined : await loginOf({ address: url, ...rest }, 'plugins.broker', 'url')
    const broker = new BrokerService({ kernel, log }, own)
    provide('broker', broker)
    onClose(() => broker.close())
  }
})
