import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { x1c } from './fixtures/x1c.data.js'
import type { Fields } from './helpers/feed.js'
import { createPeer, type Peer } from './helpers/peer.js'
import { openSession } from './helpers/session.js'

const status = (fields: Fields) => ({ print: { command: 'push_status', ...fields } })

/** A peer that answers as an X1C does. */
const answering = (peer: Peer): void => {
  peer.manners.answer = request => 'pushing' in request ? [status(x1c.report)] : 'info' in request ? [versions()] : []
}

const versions = (printer = '01.08.02.00') =>
  ({ info: { command: 'get_version', module: [{ name: 'ota', sw_ver: printer, sn: x1c.serial }] } })

const versionRequests = (peer: Peer) => peer.requests().filter(request => request === 'info.get_version').length

/** What is still on its way arrives before the clock is moved. */
const quiet = () => new Promise(resolve => setTimeout(resolve, 150))

t.test('versions that got lost are asked for again, at most ten times', async t => {
  const peer = await createPeer(t, x1c.serial)
  peer.manners.answer = request => 'pushing' in request ? [status(x1c.report)] : []
  const { session, advance } = openSession(t, { serial: x1c.serial, port: peer.port })
  await eventually(() => session.live)
  t.equal(versionRequests(peer), 1)
  for (let asked = 2; asked <= 10; asked++) {
    advance(2_000)
    await eventually(() => versionRequests(peer) === asked)
  }
  advance(5_000)
  await quiet()
  t.equal(versionRequests(peer), 10)
  t.equal(peer.requests().filter(request => request === 'pushing.pushall').length, 1, 'the rest is not asked again')
  answering(peer)
  await session.refresh()
  await eventually(() => session.state?.firmware.printer === '01.08.02.00')
  t.equal(versionRequests(peer), 11, 'a new request may be answered')
  advance(5_000)
  await quiet()
  t.equal(versionRequests(peer), 11)
})

t.test('a module that was added, removed or updated: the versions are asked for again', async t => {
  const peer = await createPeer(t, x1c.serial)
  answering(peer)
  const { session, advance } = openSession(t, { serial: x1c.serial, port: peer.port })
  await eventually(() => session.state?.firmware.printer === '01.08.02.00')
  for (const [at, change] of [{ online: { version: 11 } }, { ams: { version: 30_186 } }].entries()) {
    const updated = `01.09.00.0${at}`
    peer.manners.answer = () => [versions(updated)]
    advance(20_000)
    peer.say(status({ msg: 1, wifi_signal: `-4${at}dBm` }))
    await eventually(() => session.state?.device.wifiSignal === `-4${at}dBm`)
    await quiet()
    t.equal(versionRequests(peer), at + 1, 'other news are none')
    advance(20_000)
    peer.say(status({ msg: 1, ...change }))
    await eventually(() => session.state?.firmware.printer === updated)
  }
  await quiet()
  t.equal(versionRequests(peer), 3)
})
