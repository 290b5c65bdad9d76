import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import t, { type Test } from 'tap'
import { createVirtualPrinter } from '../../../plugins/emulator/index.js'
import { notice } from '../../../plugins/printer-servers/announce.js'
import { discover } from '../../../plugins/management/discovery.js'
import { eventually } from '../../helpers/eventually.js'
import { freePort } from '../../helpers/ports.js'
import { empty } from './preset.js'

const ports = async () => ({ main: await freePort(), old: await freePort() })

const configFor = (at: { main: number, old: number }) =>
  ({ plugins: { management: { discoveryPort: at.main, oldDiscoveryPort: at.old } } })

async function announced (t: Test, port: number, name = 'shop') {
  const printer = createVirtualPrinter({ model: 'P1S', name, announce: { to: '127.0.0.1', port, everyMs: 50 } })
  await printer.start()
  t.teardown(() => printer.stop())
  return printer
}

function sender (t: Test) {
  const socket = createSocket('udp4')
  t.teardown(() => new Promise<void>(resolve => socket.close(() => resolve())))
  return (text: string | Buffer, port: number) => new Promise(resolve => socket.send(text, port, '127.0.0.1', resolve))
}

t.test('printers are heard, each once, and told of as they are', async t => {
  const at = await ports()
  const [one, two] = [await announced(t, at.main, 'one'), await announced(t, at.old, 'two')]
  const told: [string, number][] = []
  const stop = new AbortController()
  const found = await discover(10_000, {
    signal: stop.signal,
    ports: at,
    onFound ({ name }, count) { told.push([name, count]); if (count === 2) setTimeout(() => stop.abort(), 120) }
  })
  t.same(found.map(({ serial }) => serial).sort(), [one.serial, two.serial].sort())
  t.same(told.map(([name]) => name).sort(), ['one', 'two'])
  t.same(told.map(([, count]) => count), [1, 2])
})

t.test('one that says goodbye is gone', async t => {
  const at = await ports()
  const printer = await announced(t, at.main)
  const stop = new AbortController()
  const found = await discover(10_000, {
    signal: stop.signal,
    ports: at,
    onFound () { void printer.stop().then(() => setTimeout(() => stop.abort(), 50)) }
  })
  t.same(found, [])
})

t.test('two that say they are one printer are both shown, and neither says goodbye for the other', async t => {
  const at = await ports()
  const send = sender(t)
  const stop = new AbortController()
  const discovering = discover(10_000, { signal: stop.signal, ports: at })
  const say = (address: string, kind: 'ssdp:alive' | 'ssdp:byebye') =>
    send(notice({ serial: 'S1', address, code: 'C12', firmware: '', name: () => 'shop' }, kind), at.main)
  for (const address of ['192.168.1.5', '192.168.1.66', '192.168.1.77', '192.168.1.66']) await say(address, 'ssdp:alive')
  await say('192.168.1.77', 'ssdp:byebye')
  await new Promise(resolve => setTimeout(resolve, 100))
  stop.abort()
  t.match(await discovering, [{ serial: 'S1', ip: '192.168.1.5', other_ips: ['192.168.1.66'] }])
})

t.test('a flood of made-up printers fills nothing', async t => {
  const at = await ports()
  const send = sender(t)
  const stop = new AbortController()
  const discovering = discover(10_000, { signal: stop.signal, ports: at })
  for (let n = 0; n < 700; n++) {
    await send(notice({ serial: `S${n}`, address: '1.2.3.4', code: 'x', firmware: '', name: () => '' }, 'ssdp:alive'), at.main)
  }
  await new Promise(resolve => setTimeout(resolve, 100))
  stop.abort()
  const { length } = await discovering
  t.ok(length > 0 && length <= 256, `${length}: a sender does not fill the list`)
})

t.test('nonsense on the port hurts nobody', async t => {
  const at = await ports()
  const send = sender(t)
  const stop = new AbortController()
  const discovering = discover(10_000, { signal: stop.signal, ports: at })
  for (const text of ['', '\0', 'NOTIFY', 'x'.repeat(60_000)]) await send(text || ' ', at.main)
  const printer = await announced(t, at.main)
  await new Promise(resolve => setTimeout(resolve, 200))
  stop.abort()
  t.same((await discovering).map(({ serial }) => serial), [printer.serial])
})

t.test('a port that another program keeps to itself', async t => {
  const at = await ports()
  const selfish = createSocket('udp4')
  selfish.bind(at.main)
  await once(selfish, 'listening')
  t.teardown(() => { selfish.close() })
  const { signal } = new AbortController()
  await t.rejects(discover(1_000, { signal, ports: at }),
    { code: 'PRN_ERR_DISCOVERY_FAILED', message: new RegExp(`^Discovery failed: UDP port ${at.main} is in use by another program`) })
  await t.resolves(discover(50, { signal, ports: { main: at.old, old: at.main } }), 'the old port is not needed')
  const { tool } = await empty(t, { config: configFor(at) })
  const answer = await tool('discover_printers', { timeout_seconds: 1 })
  t.ok(answer.failed)
  t.match(answer.value.error, /^Discovery failed: UDP port/)
})

t.test('the tool: what is found, and what to do with it', async t => {
  const at = await ports()
  const printer = await announced(t, at.main)
  const { client } = await empty(t, { config: configFor(at) })
  const heard: (string | undefined)[] = []
  const call = { name: 'discover_printers', arguments: { timeout_seconds: 1 } }
  const { structuredContent } = await client.callTool(call, undefined,
    { onprogress: ({ message }) => { heard.push(message) } })
  t.match(structuredContent, {
    count: 1,
    discovered: [{
      name: 'shop',
      ip: '127.0.0.1',
      serial: printer.serial,
      model: 'C12',
      model_decoded: 'P1S',
      connect_state: 'lan',
      bind_state: 'free'
    }],
    note: /access code/
  })
  t.notMatch(JSON.stringify(structuredContent), printer.accessCode)
  await eventually(() => heard.length > 0)
  t.equal(heard[0], 'shop at 127.0.0.1')
  const odd = await client.callTool({ name: 'discover_printers', arguments: { timeout_seconds: 0 } })
  t.ok(odd.isError)
})
