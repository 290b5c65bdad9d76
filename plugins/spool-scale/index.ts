import { Type } from 'typebox'
import { definePlugin } from '../../core/index.js'
import type {} from '../broker/index.js' // the service broker, where that plugin is loaded
import type {} from '../spools/index.js' // the service spools
import routes from './routes.js'
import { Scales } from './scales.js'

declare module 'prnd' {
  interface Services {
    spoolScale: { readonly scales: Scales, readonly topic: string, readonly isConnected: () => boolean }
  }
}

const Options = Type.Object({
  topic: Type.Optional(Type.String({
    pattern: '^[^#+/]+(/[^#+/]+){0,7}$',
    maxLength: 100,
    description: 'Begins the MQTT topics of scales, such as `prnd/scale` for `prnd/scale/NAME`; without it none is heard'
  }))
})

/** Scales that say by MQTT what is on them. */
export default definePlugin({
  name: 'spool-scale',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Scales that weigh spools by MQTT',
  needs: ['http', 'spools'],
  leavesWithNeeds: true,
  optional: ['broker'],
  provides: ['spoolScale'],
  uses: ['network'],
  options: Options,
  contributes: { routes },
  setup ({ kernel, services: { spools }, optional: { broker }, options: { topic = '' }, events, provide, onReady, onClose }) {
    const scales = new Scales({ kernel, spools, changed: () => { events.emit('spools:changed') } })
    onClose(() => scales.close())
    provide('spoolScale', { scales, topic, isConnected: () => broker?.isConnected === true })
    if (topic === '' || broker === undefined) return
    let stop = () => {}
    onReady(() => {
      stop = broker.subscribe(`${topic}/+`, ({ topic: full, payload, isRetained }) => {
        // What was retained was on the scale at some time, maybe long ago.
        if (!isRetained) void scales.hear(full.slice(topic.length + 1), payload)
      })
    })
    onClose(() => stop())
  }
})
