import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { printerPorts } from '../../helpers/ports.js'
import { connectClient, openCard, REAL } from './relay.js'

t.test('a client made in the browser connects with its code, and is thrown out with each change', async t => {
  const dataDir = testFolder(t)
  const service = await boot(t, {
    models: [{ model: 'X1C', accessCode: REAL, reportEveryMs: 100 }], config: { dataDir, plugins: { relay: { announce: false } } }
  })
  const { http, kernel } = service
  const ports = await printerPorts()
  const { serial } = service.printer
  const relayed = { ...service, printer: service.printer, serial, ports, name: service.name }
  const setup = async () => (await http('GET', '/api/relay/setup')).body
  const openPorts = async () => Object.keys((await setup()).places[0]?.ports ?? {})
  const heard: string[] = []
  kernel.events.on('operation:done', done => { heard.push(JSON.stringify([done.operation, done.note ?? ''])) })

  t.match(await setup(), { is_open: false, places: [], clients: [] })
  const place = { printer: 'x1c', bind: '127.0.0.1', ports }
  t.match(await http('POST', '/api/relay/printers?dry_run=true', place), { status: 200, body: { dry_run: true, consequence: /listens there/ } })
  t.same((await setup()).places, [], 'a dry run stores nothing')
  t.match(await http('POST', '/api/relay/printers', place), { status: 200 })
  t.same(await openPorts(), [], 'nothing is open without a client')

  const made = await http('POST', '/api/relay/clients', { name: 'Orca', access: 'read', printers: null })
  const { code } = made.body
  t.match(made, { status: 200, body: { name: 'Orca', enter: [{ printer: 'x1c', addresses: ['127.0.0.1'], serial, model: 'X1C', port: ports.mqtt }] } })
  t.match(code, /^[a-km-np-z2-9]{8}$/)
  await eventually(async () => (await openPorts()).includes('mqtt'))
  const viewer = await connectClient(t, relayed, code)
  const card = await openCard(t, relayed, code)
  await viewer.answer('print', ({ msg }) => msg === 0)
  t.match(await setup(), {
    is_open: true,
    places: [{ printer: 'x1c', origin: 'stored', problem: '', serial }],
    clients: [{ name: 'Orca', access: 'read', origin: 'stored', connections: [{ printer: 'x1c', protocol: 'mqtt' }, { protocol: 'ftps' }] }]
  })

  t.match(await http('PATCH', '/api/relay/clients', { name: 'Orca', access: 'full' }), { status: 200 })
  await eventually(() => !viewer.client.connected)
  await t.rejects(card.list('/'), 'the card, too')
  const full = await connectClient(t, relayed, code)
  await full.ask({ system: { command: 'ledctrl', led_node: 'chamber_light', led_mode: 'on', sequence_id: '1' } })
  t.match(await full.answer('system', ({ sequence_id: id }) => id === '1'), { result: 'success' })

  const { body: { code: second } } = await http('POST', '/api/relay/clients/code', { name: 'Orca' })
  await eventually(() => !full.client.connected)
  const last = await connectClient(t, relayed, second)
  const other = await http('POST', '/api/relay/clients', { name: 'Other', access: 'read', printers: ['x1c'] })
  t.match(await http('DELETE', '/api/relay/clients?name=Orca'), { status: 200 })
  await eventually(() => !last.client.connected)
  await Promise.all([code, second].map(old => t.rejects(connectClient(t, relayed, old), { code: 5 })))
  t.match(await http('DELETE', '/api/relay/clients?name=Other'), { status: 200 })
  await eventually(async () => (await openPorts()).length === 0)

  const shown = JSON.stringify([await setup(), (await http('GET', '/api/relay')).body, (await http('GET', '/api/audit')).body, heard]) +
    await readFile(join(dataDir, 'prnd.log'), 'utf8').catch(() => '')
  for (const secret of [code, second, other.body.code]) t.notOk(shown.includes(secret), 'no code is shown again')
  t.ok(heard.includes(JSON.stringify(['relay.addClient', 'Orca: read, all printers'])))
  t.ok(heard.includes(JSON.stringify(['relay.changeClient', 'Orca, full'])))
})
