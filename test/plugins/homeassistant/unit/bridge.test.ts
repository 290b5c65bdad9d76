import t from 'tap'
import { createEmitter } from '../../../../core/index.js'
import { Bridge } from '../../../../plugins/homeassistant/bridge.js'
import { topicsOf } from '../../../../plugins/homeassistant/topics.js'

interface Entry { readonly serial: string, readonly virtual?: 'permanent' | 'stand-in' }

function bridgeOver (printers: Map<string, Entry>) {
  const cleared: (readonly string[])[] = []
  const registry = {
    get names () { return [...printers.keys()] },
    get: () => undefined,
    config: (name: string) => printers.get(name)
  }
  const bridge = new Bridge({
    kernel: { printers: registry },
    broker: { isConnected: true, events: createEmitter() },
    retained: { put () {}, renew () {}, clearOthers (wanted: Set<string>) { cleared.push([...wanted]) } },
    topics: topicsOf({ topicPrefix: 'prnd', discoveryPrefix: 'homeassistant' }),
    log: { debug () {} }
  } as never)
  return { bridge, cleared }
}

t.test('devices stay known during a demonstration with virtual printers', t => {
  const printers = new Map<string, Entry>([['virtual', { serial: 'V', virtual: 'permanent' }]])
  const { bridge, cleared } = bridgeOver(printers)
  bridge.tick()
  t.same(cleared, [])
  printers.set('x1c', { serial: 'A' })
  bridge.tick()
  t.equal(cleared.length, 1, 'beside a printer it is none')
  printers.clear()
  bridge.tick()
  printers.set('stand-in', { serial: 'V', virtual: 'stand-in' })
  bridge.tick()
  t.equal(cleared.length, 3, 'the last one was removed by somebody')
  t.end()
})
