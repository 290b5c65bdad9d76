// Something else than a printer answers at the address: said in words a person can act on.
import t, { type Test } from 'tap'
import { createServer as createHttp } from 'node:http'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { createServer as createHttps } from 'node:https'
import { createIdentity } from '../../../plugins/printer-servers/identity.js'
import { boot } from '../../helpers/boot.js'
import { stranger } from './preset.js'

const OPENSSL = /openssl|ssl routines|ssl3|EPROTO|ECONNRESET|wrong version|packet length|0A000|\.c:\d+|undefined/i

async function listen (t: Test, server: Server): Promise<number> {
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => server.close())
  return (server.address() as AddressInfo).port
}

t.test('what answers instead of a printer is named', async t => {
  const { tool } = await boot(t, { models: [] })
  const { args } = await stranger(t)
  const { key, certificate: cert } = await createIdentity('web.example.org')
  const talk = (text: string) => createServer(socket => { socket.on('error', () => {}).write(text) })
  const servers = {
    http: createHttp((_request, response) => response.end('hello')),
    ssh: talk('SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n'),
    ftp: talk('220 Welcome\r\n'),
    smtp: talk('220 mail.example.org ESMTP\r\n'),
    mute: createServer(socket => { socket.on('error', () => {}); socket.once('data', () => socket.end()) }),
    noise: createServer(socket => { socket.on('error', () => {}).once('data', () => socket.end(Buffer.from([1, 2, 3, 250, 9]))) }),
    https: createHttps({ key, cert }, (_request, response) => response.end('hello'))
  }
  for (const [what, server] of Object.entries(servers)) {
    const port = await listen(t, server as Server)
    const { text, failed } = await tool('add_printer', { ...args, name: 'p', mqtt_port: port })
    t.ok(failed, what)
    t.notMatch(text, OPENSSL, what)
    t.match(text, /no printer|was closed|no MQTT|instead|identifies itself|no encrypted connection/i, what)
  }
})
