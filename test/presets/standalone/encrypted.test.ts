import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { get } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { io } from 'socket.io-client'
import t from 'tap'
import { testFolder } from '../../helpers/folder.js'
import { bootApp } from './boot.js'

t.test('routes and Socket.IO are also encrypted, on the same port', async t => {
  const app = await bootApp(t, { listen: true, config: { dataDir: testFolder(t) } })
  const { port } = app.kernel.app.server.address() as AddressInfo
  const ca = (await app.kernel.app.inject('/https/ca.crt')).body

  const asked = get({ host: '127.0.0.1', port, path: '/api/printer', ca })
  const [answer] = await once(asked, 'response') as [IncomingMessage]
  t.match({ status: answer.statusCode, body: JSON.parse(await text(answer)) },
    { status: 200, body: { _printer_state: { gcode_state: /\w/ } } })

  for (const transport of ['websocket', 'polling']) {
    const socket = io(`https://127.0.0.1:${port}`, { transports: [transport], ca, reconnection: false, forceNew: true })
    t.teardown(() => { socket.disconnect() })
    const update = new Promise<object>((resolve, reject) => {
      socket.once('printer_update', resolve)
      socket.once('connect_error', reject)
    })
    await new Promise<void>(resolve => { socket.once('connect', resolve) })
    app.printer.patch({ wifi_signal: transport === 'polling' ? '-41dBm' : '-42dBm' })
    t.ok(await update, transport)
    socket.disconnect()
  }
  t.match((await app.get('https')).body, { root: { path: '/https/ca.crt' } })
  t.equal((await app.get('printer')).status, 200, 'and as ever')
})
