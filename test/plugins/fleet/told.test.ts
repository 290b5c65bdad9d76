import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { NO_NATS, startNats } from '../../helpers/nats.js'
import { probeFleet } from '../../../plugins/fleet/index.js'
import { checkFleetProblems } from '../../../presets/cli/doctor/machine-checks.js'
import { bootHub, bootNode, isThere } from './fleet.js'
import { makeCertificates, NO_OPENSSL, serverConfig } from './guide.js'
import { HUB_KEY } from './keys.js'
import { loginAs } from './thief.js'

t.test('with the accounts of the guide', { skip: NO_NATS || NO_OPENSSL }, async t => {
  const folder = testFolder(t)
  makeCertificates(folder)
  const nats = await startNats(t, { scheme: 'tls', host: 'localhost', config: serverConfig(folder) })
  const as = { hub: await loginAs('hub', nats, folder), hall: await loginAs('hall', nats, folder), shed: await loginAs('shed', nats, folder) }
  t.match(await probeFleet({ ...as.hall, site: 'hall', node: 'a' }), /answers/, 'before the hub was there nothing can be told')
  const hub = await bootHub(t, { ...as.hub, site: 'office' }, [])
  await eventually(() => hub.kernel.services.fleet.status().connected)
  const hall = await bootNode(t, { ...as.hall, site: 'hall', node: 'a', hubKeys: [HUB_KEY.publicKey] }, { models: [{ model: 'P1S', name: 'p1s' }] })
  await eventually(() => isThere(hub, 'p1s'), 30_000)

  await t.test('doctor tells a site that is not that of the user', async t => {
    for (const [user, site] of [['hall', 'hall'], ['shed', 'shed'], ['hub', 'office']] as const) {
      t.match(await probeFleet({ ...as[user], site, node: 'a' }), /answers/, `${user} for ${site}`)
    }
    for (const [user, site] of [['hall', 'shed'], ['shed', 'hall'], ['hall', 'hal'], ['shed', 'Shed']] as const) {
      await t.rejects(probeFleet({ ...as[user], site, node: 'a' }), { message: new RegExp(`may not speak for the site '${site}'.*plugins.fleet.site`) },
        `${user} for ${site}`)
    }
  })

  await t.test('the record of a node names the hub that had something done', async t => {
    const { status } = await hub.http('PATCH', '/api/set_bed_target_temp', { printer: 'p1s', temp: 42 })
    t.equal(status, 200)
    const paused = await hub.http('POST', '/api/pause_printing', { printer: 'p1s' })
    t.equal(paused.status, 409)
    const acts = async () => (await hall.http('GET', '/api/audit')).body.entries as Record<string, string>[]
    await eventually(async () => (await acts()).some(({ act }) => act === 'print.pause'))
    for (const [act, outcome] of [['climate.setBedTarget', 'done'], ['print.pause', /^PRN_ERR/]] as const) {
      const entry = (await acts()).find(entry => entry.act === act)
      t.match(entry, { outcome, detail: new RegExp(`hub with the key ${HUB_KEY.publicKey}`) })
    }
    await hall.http('PATCH', '/api/set_bed_target_temp', { printer: 'p1s', temp: 0 })
    await eventually(async () => (await acts()).length === 3)
    t.equal((await acts())[0]?.detail, null, 'what is done at the node itself names none')
  })

  await t.test('a clash of names is told by doctor, until it ends', async t => {
    const service = { call: async <T>(_method: string, path: string) => (await hub.http('GET', path as never)).body as T }
    t.same(await checkFleetProblems(service as never), [])
    const shed = await bootNode(t, { ...as.shed, site: 'shed', node: 'b', hubKeys: [HUB_KEY.publicKey] }, { models: [{ model: 'X1C', name: 'p1s' }] })
    await eventually(() => hub.kernel.printers.names.some(name => name.includes('@shed')), 30_000)
    t.match(await checkFleetProblems(service as never), [{
      name: 'fleet problems', status: 'warning', detail: /named 'p1s'.*'p1s@shed-b'/, fix: /name of its own/
    }])
    await shed.close()
    const gone = { call: async () => { throw new Error('not reached') } }
    t.match(await checkFleetProblems(gone as never), [{ status: 'warning', detail: /not reached/ }])
  })
})
