import { randomUUID } from 'node:crypto'
import { connect, headers } from '@nats-io/transport-node'
import t from 'tap'
import { probeFleet } from '../../../plugins/fleet/index.js'
import { signMessage } from '../../../plugins/fleet/signed-message.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { NO_NATS, startNats } from '../../helpers/nats.js'
import { bootHub, bootNode } from './fleet.js'
import { makeCertificates, NO_OPENSSL, oldServerConfig } from './guide.js'
import { HUB_KEY, newKey } from './keys.js'
import { answerTo, connectAs, loginAs, pushTo } from './thief.js'

// The servers let through what version 2.0 said they should: what keeps a site from another one here are signatures.
t.test('what a site forges by its NATS credentials', { skip: NO_NATS || NO_OPENSSL }, async t => {
  const folder = testFolder(t)
  makeCertificates(folder)
  const nats = await startNats(t, { scheme: 'tls', host: 'localhost', config: oldServerConfig(folder) })
  const hub = await bootHub(t, { ...await loginAs('hub', nats, folder), site: 'office' }, [])
  await eventually(() => hub.kernel.services.fleet.status().connected)
  const node = await bootNode(t, {
    ...await loginAs('hall', nats, folder), site: 'hall', node: 'a', hubKeys: [HUB_KEY.publicKey]
  }, { models: ['P1S'] })
  const remote = () => hub.kernel.printers.get('p1s')
  await eventually(() => remote()?.live && remote()?.remote?.reachable, 30_000)
  const { thief, settled } = await connectAs(t, 'shed', nats, folder)
  const thiefKey = newKey()
  const statusOf = ({ kernel }: typeof node) => kernel.services.fleet.status()
  const sent = (text: string) => node.printer.requests.filter(({ body }) => JSON.stringify(body).includes(text)).length
  const heat = async (temp: number) => (await hub.http('PATCH', '/api/set_bed_target_temp', { printer: 'p1s', temp })).status

  await t.test('no call of another site is done, and none takes a place', async t => {
    const read: string[] = []
    thief.subscribe('prnd.main.inbox.shed.read', { callback: (_error, message) => { read.push(message.string()) } })
    await pushTo(thief, 'prnd.main.inbox.shed.read', '$KV.prnd-main-state.hall.a.p1s')
    await eventually(() => read.length > 0)
    const run = /"run":"([^"]+)"/.exec(read.join(''))?.[1] ?? ''
    t.match(run, /^[0-9a-f-]{36}$/, 'such servers show it')
    await pushTo(thief, 'prnd.main.call.hall.a.do', '$KV.prnd-main-state.shed.x.>')
    const before = node.printer.requests.length
    const call = (beat: number) => JSON.stringify({
      run,
      beat,
      reply: `prnd.main.inbox.hub.${randomUUID()}`,
      key: randomUUID(),
      printer: 'p1s',
      operation: 'climate.setBedTarget',
      input: { celsius: 77 },
      isRead: false,
      caller: 'token',
      host: 'forged'
    })
    const subject = 'prnd.main.call.hall.a.do'
    const claimed = (content: string) => { // the hub's public key, and a signature of the thief's own
      const message = signMessage(thiefKey, subject, content)
      Buffer.from(HUB_KEY.publicKey, 'base64url').copy(message, 1)
      return message
    }
    const count = 6_000
    for (let at = 0; at < count; at++) {
      const content = call(at % 60)
      thief.publish(`$KV.prnd-main-state.shed.x.${at}`, [
        content, signMessage(thiefKey, subject, content), claimed(content)
      ][at % 3] ?? content)
    }
    await settled()
    await eventually(() => statusOf(node).calls_unproven >= count, 60_000)
    t.same(node.printer.requests.slice(before).filter(({ command }) => command !== 'pushall'), [])
    t.equal(statusOf(node).calls_refused + statusOf(node).calls_done, 0)
    t.equal(await heat(46), 200)
    t.equal(sent('S46'), 1)
    t.equal(sent('S77'), 0)
    const audit = JSON.stringify((await node.http('GET', '/api/audit')).body)
    t.notMatch(audit, /forged/)
  })

  await t.test('no state, no farewell and no beat of another site is believed', async t => {
    const hall = () => statusOf(hub).nodes.find(({ site }) => site === 'hall')
    await eventually(() => hall()?.printers === 1) // its first beat may have been sent before its printer was there
    const state = {
      name: 'p1s', run: randomUUID(), number: 9_999, config: { host: '203.0.113.9', serial: 'FORGED', ports: {}, tls: {} }
    }
    const key = '$KV.prnd-main-state.hall.a.p1s'
    for (const content of [JSON.stringify(state), signMessage(thiefKey, key, JSON.stringify(state))]) {
      await answerTo(thief, 'shed', key, content)
    }
    const gone = JSON.stringify({ run: randomUUID(), number: 9_999 })
    for (const content of ['', gone, signMessage(thiefKey, `${key} gone`, gone)]) {
      await answerTo(thief, 'shed', key, content, 'DEL')
    }
    const beat = JSON.stringify({ run: randomUUID(), number: 5, printers: 0, version: '9', hubs: [] })
    const beats = 'prnd.main.beat.hall.a'
    for (const content of [beat, signMessage(thiefKey, beats, beat)]) await answerTo(thief, 'shed', beats, content)
    // What the thief says of its own site is believed, and comes after all that.
    await answerTo(thief, 'shed', 'prnd.main.beat.shed.z', signMessage(thiefKey, 'prnd.main.beat.shed.z', beat))
    await eventually(() => statusOf(hub).nodes.some(({ site }) => site === 'shed'), 30_000)
    await eventually(() => statusOf(hub).problems.some(text => /hall\/a shows the key/.test(text)), 30_000)
    t.match(remote()?.config, { serial: node.printer.serial, host: '127.0.0.1' })
    t.ok(remote()?.live)
    t.match(hall(), { printers: 1, reachable: true })
    t.equal(await heat(47), 200)
  })

  await t.test('no alert of another site is passed on', async t => {
    const heard: string[] = []
    hub.kernel.events.on('alert', ({ type }) => { heard.push(type) })
    const subject = 'prnd.main.events.hall.a'
    const event = (type: string) => JSON.stringify({
      journal: randomUUID(),
      number: 1,
      alert: { type, printer: 'p1s', timestamp: new Date().toISOString(), severity: 'high', payload: {} }
    })
    await answerTo(thief, 'shed', subject, event('forged'))
    await answerTo(thief, 'shed', subject, signMessage(thiefKey, subject, event('forged')))
    await settled()
    node.printer.startJob({})
    await eventually(() => heard.length > 0, 30_000)
    t.notOk(heard.includes('forged'))
  })

  await t.test('no hub of another site is accepted, and both sides say so', async t => {
    const subject = 'prnd.main.call.hall.a.hub'
    await answerTo(thief, 'shed', subject, signMessage(thiefKey, subject, JSON.stringify({ hub: 'shed/forged' })))
    await eventually(() => statusOf(node).problems.length > 0, 30_000)
    t.match(statusOf(node).problems, [new RegExp(`shed/forged.*${thiefKey.publicKey}.*"hubKeys"`)])
    t.equal(await heat(48), 200)
  })

  await t.test('doctor says that the user of one site may not speak for another', async t => {
    t.match(await probeFleet({ ...await loginAs('hall', nats, folder), site: 'hall', node: 'a' }), /NATS [\d.]+ answers/)
    await t.rejects(probeFleet({ ...await loginAs('shed', nats, folder), site: 'hall', node: 'a' }),
      { message: /may not speak for the site 'hall'/ })
  })

  await t.test('no bucket is emptied by one header', async t => {
    const all = headers()
    all.set('Nats-Rollup', 'all')
    const answer = await thief.request('$KV.prnd-main-state.shed.y', 'x', { headers: all, timeout: 5_000 })
    t.match(answer.string(), /rollup not permitted/)
  })
})

t.test('somebody who reads and writes everything on the servers', { skip: NO_NATS }, async t => {
  const nats = await startNats(t)
  const fleet = { servers: [nats.url], site: 'hall', hubKeys: [HUB_KEY.publicKey] }
  const dataDir = testFolder(t)
  const node = await bootNode(t, { ...fleet, node: 'a' }, { models: ['P1S'], config: { dataDir } })
  const other = await bootNode(t, { ...fleet, node: 'b' }, { models: [{ model: 'X1C', name: 'x1c' }] })
  const hub = await bootHub(t, { servers: [nats.url] }, ['p1s', 'x1c'])
  const thief = await connect({ servers: nats.url, noEcho: true })
  t.teardown(() => thief.close())
  const calls: Uint8Array[] = []
  const forged = new TextEncoder().encode(JSON.stringify({ pieces: 0, error: { name: 'Error', message: 'forged' } }))
  thief.subscribe('prnd.main.call.hall.a.do', {
    callback (_error, { data, reply = '' }) {
      calls.push(Uint8Array.from(data))
      for (const end of [forged, signMessage(newKey(), `${reply} end`, forged)]) {
        thief.publish(reply, Buffer.concat([Buffer.from([3]), end]))
      }
    }
  })
  await thief.flush()
  const heat = (temp: number) => hub.http('PATCH', '/api/set_bed_target_temp', { printer: 'p1s', temp })
  const sent = (text: string) => node.printer.requests.filter(({ body }) => JSON.stringify(body).includes(text)).length

  await t.test('cannot answer for a node', async t => {
    t.match(await heat(51), { status: 200 })
    t.equal(sent('S51'), 1)
  })

  await t.test('cannot have done once more, or elsewhere, what a hub has asked for', async t => {
    const before = node.kernel.services.fleet.status()
    for (const call of calls) {
      for (const subject of ['prnd.main.call.hall.a.do', 'prnd.main.call.hall.b.do']) thief.publish(subject, call)
    }
    await thief.flush()
    await eventually(() => other.kernel.services.fleet.status().calls_unproven === calls.length)
    t.match(await heat(52), { status: 200 })
    t.equal(sent('S51'), 1)
    const after = node.kernel.services.fleet.status()
    t.equal(after.calls_done - before.calls_done, 1, 'only the one that was asked for')
  })

  await t.test('also not after the node has begun anew', async t => {
    await node.kernel.close()
    const again = await bootNode(t, { ...fleet, node: 'a' }, { models: ['P1S'], config: { dataDir } })
    await eventually(() => hub.kernel.printers.get('p1s')?.live, 60_000)
    const seen = calls.length
    for (const call of calls.slice(0, seen)) thief.publish('prnd.main.call.hall.a.do', call)
    await thief.flush()
    t.match(await heat(53), { status: 200 })
    const texts = JSON.stringify(again.printer.requests.map(({ body }) => body))
    t.ok(texts.includes('S53'))
    t.notMatch(texts, /S51|S52/)
    t.equal(again.kernel.services.fleet.status().calls_done, 1)
  })
})
