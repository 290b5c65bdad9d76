import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { answer, createAnnouncer, isSearch, notice } from '../../../plugins/printer-servers/announce.js'
import { createVirtualPrinter } from '../../../plugins/emulator/index.js'
import { eventually } from '../../helpers/eventually.js'

const facts = (name = () => 'shop') =>
  ({ serial: '01P00A000000001', address: '127.0.0.1', code: 'C12', firmware: '01.07.00.00', name })

const notLinux = process.platform !== 'linux' && 'loopback broadcast is a matter of Linux'

async function listener (t: Test) {
  const socket = createSocket('udp4')
  const heard: string[] = []
  socket.on('message', payload => heard.push(payload.toString()))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.teardown(() => new Promise<void>(resolve => socket.close(() => resolve())))
  return { socket, heard, port: socket.address().port }
}

t.test('a notice reads as a printer\'s', async t => {
  const lines = notice(facts(), 'ssdp:alive').toString().split('\r\n')
  t.same(lines.slice(0, 7), [
    'NOTIFY * HTTP/1.1', 'Host: 239.255.255.250:1990', 'Server: UPnP/1.0', 'Location: 127.0.0.1',
    'NT: urn:bambulab-com:device:3dprinter:1', 'NTS: ssdp:alive', 'USN: 01P00A000000001'
  ])
  t.same(lines.slice(-2), ['', ''])
  const replied = answer(facts()).toString()
  t.match(replied, /^HTTP\/1\.1 200 OK\r\n/)
  t.match(replied, '\r\nST: urn:bambulab-com:device:3dprinter:1\r\n')
  t.notMatch(replied, /\r\n(NTS?|Host):/)
})

t.test('which searches are answered', async t => {
  const search = (st: string) => `M-SEARCH * HTTP/1.1\r\nMAN: "ssdp:discover"\r\nST: ${st}\r\n\r\n`
  t.ok(isSearch(search('urn:bambulab-com:device:3dprinter:1')))
  t.ok(isSearch(search('ssdp:all')))
  for (const other of [search('upnp:rootdevice'), search(''), 'NOTIFY * HTTP/1.1\r\nST: ssdp:all\r\n\r\n', '']) t.notOk(isSearch(other))
})

t.test('announced again and again, by its present name, and a goodbye at last', async t => {
  const { heard, port } = await listener(t)
  let name = 'before'
  const announcer = createAnnouncer(facts(() => name), { to: '127.0.0.1', port, everyMs: 20 })
  announcer.start()
  announcer.start()
  await eventually(() => heard.length >= 2)
  t.match(heard[0], 'DevName.bambu.com: before')
  name = 'after'
  await eventually(() => heard.at(-1)?.includes('DevName.bambu.com: after'))
  await announcer.stop()
  await eventually(() => heard.at(-1)?.includes('NTS: ssdp:byebye'))
  const { length } = heard
  await announcer.stop()
  await new Promise(resolve => setTimeout(resolve, 60))
  t.equal(heard.length, length, 'then it is quiet')
})

t.test('a search is answered to whoever asked', async t => {
  const { socket, heard } = await listener(t)
  const free = createSocket('udp4').bind(0, '127.0.0.1')
  await once(free, 'listening')
  const { port: searchPort } = free.address()
  await new Promise<void>(resolve => free.close(() => resolve()))
  const announcer = createAnnouncer(facts(), { to: '127.0.0.1', port: 9, searchPort, everyMs: 60_000 })
  announcer.start()
  t.teardown(() => announcer.stop())
  await eventually(() => {
    socket.send('M-SEARCH * HTTP/1.1\r\nST: ssdp:all\r\n\r\n', searchPort, '127.0.0.1')
    return heard.length > 0
  }, 5_000, 50)
  t.match(heard[0], /^HTTP\/1\.1 200 OK/)
})

t.test('a virtual printer keeps quiet unless it is asked to announce itself', async t => {
  const { heard, port } = await listener(t)
  const quiet = createVirtualPrinter({ model: 'P1S', name: 'quiet' })
  const loud = createVirtualPrinter({ model: 'P1S', name: 'loud', announce: { to: '127.0.0.1', port, everyMs: 20 } })
  await Promise.all([quiet.start(), loud.start()])
  await eventually(() => heard.length >= 3)
  await Promise.all([quiet.stop(), loud.stop()])
  t.ok(heard.every(text => text.includes(loud.serial)))
  await loud.start()
  await loud.stop()
})

t.test('a printer on loopback is announced to this machine', { skip: notLinux }, async t => {
  const socket = createSocket({ type: 'udp4', reuseAddr: true })
  const heard: string[] = []
  socket.on('message', payload => heard.push(payload.toString()))
  socket.bind(0)
  await once(socket, 'listening')
  t.teardown(() => new Promise<void>(resolve => socket.close(() => resolve())))
  const announcer = createAnnouncer(facts(), { port: socket.address().port, searchPort: 0, everyMs: 20 })
  announcer.start()
  await eventually(() => heard.length > 0)
  await announcer.stop()
  t.match(heard[0], 'Location: 127.0.0.1')
})

t.test('a printer on loopback is heard wherever programs on this machine listen', { skip: notLinux }, async t => {
  const announcer = createAnnouncer(facts(), { everyMs: 50 })
  const groups = hasMulticast() ? [hears(t, 2021, GROUP), hears(t, 1990, GROUP)] : []
  const listeners = await Promise.all([hears(t, 2021, '0.0.0.0'), hears(t, 1990, '0.0.0.0'), hears(t, 1990, '127.0.0.1'), ...groups])
  announcer.start()
  t.teardown(() => announcer.stop())
  for (const heard of listeners) {
    await eventually(() => heard.some(text => text.includes('NTS: ssdp:alive')))
    t.match(heard[0], 'Location: 127.0.0.1')
  }
})

const GROUP = '239.255.255.250'

/** A machine without any route has no interface for groups. */
function hasMulticast (): boolean {
  const routes = readFileSync('/proc/net/route', 'utf8').split('\n').slice(1)
  return routes.some(line => line.split('\t')[1] === '00000000')
}

/** What reaches a program that listens at an address: one of this machine, or a group. */
async function hears (t: Test, port: number, address: string): Promise<readonly string[]> {
  const socket = createSocket({ type: 'udp4', reuseAddr: true })
  const heard: string[] = []
  socket.on('message', payload => heard.push(payload.toString()))
  socket.bind(port, address)
  await once(socket, 'listening')
  t.teardown(() => new Promise<void>(resolve => socket.close(() => resolve())))
  if (address === GROUP) socket.addMembership(address)
  return heard
}
