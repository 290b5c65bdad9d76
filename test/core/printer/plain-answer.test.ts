import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { createServer as createTls } from 'node:tls'
import t, { type Test } from 'tap'
import { ConnectionError, connectionErrorOf, wordsOf } from '../../../core/printer/connection-error.js'
import { openTls } from '../../../core/printer/open-tls.js'
import { shellWord } from '../../../core/printer/tls.js'
import { eventually } from '../../helpers/eventually.js'
import { configOf, openCard } from './ftp/server.js'
import { openSession } from './helpers/session.js'

const LIBRARY = /SSL routines|openssl|ssl3|:error:|ERR_SSL|EPROTO|wrong.version/i

/** What servers of other kinds say, and whether they wait to be spoken to. */
const SERVERS = [
  { kind: 'ftp', first: true, says: '500 OOPS: vsf_sysutil_bind\r\n', words: /file server there does not work: it says '500 OOPS: vsf_sysutil_bind'.*card/ },
  { kind: 'web', first: false, says: 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n', words: /a web server answers there.*HTTP\/1\.1 400 Bad Request/ },
  { kind: 'html', first: false, says: '<html><body>400</body></html>\n', words: /a web server answers there/ },
  { kind: 'ssh', first: true, says: 'SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n', words: /an SSH server answers there.*SSH-2\.0-OpenSSH_9\.2p1/ },
  { kind: 'smtp', first: true, says: '220 mail.example ESMTP\r\n', words: /a server without encryption answers there.*220 mail/ },
  { kind: 'mail in words', first: true, says: 'Welcome\x1b[31m to \u202Ethe jungle\r\n', words: /a server without encryption answers there.*'Welcome \[31m to .*the jungle'/ }
] as const

async function listening (t: Test, serve: (socket: Socket) => void): Promise<number> {
  const open = new Set<Socket>()
  const server = createServer(socket => {
    open.add(socket.on('error', () => {}))
    serve(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    for (const socket of open) socket.destroy()
  })
  return (server.address() as AddressInfo).port
}

const none = { get: () => undefined, set () {} }
const signal = AbortSignal.timeout(60_000)

for (const { kind, first, says, words } of SERVERS) {
  t.test(`${kind} in place of a printer is told in words on every port`, async t => {
    const port = await listening(t, socket => first ? socket.end(says) : socket.once('data', () => socket.end(says)))
    const isPlain = (error: unknown): void => {
      t.match((error as Error).message, words)
      t.notMatch((error as Error).message, LIBRARY)
      // eslint-disable-next-line no-control-regex
      t.notMatch((error as Error).message, /[\u0000-\u001f\u007f-\uffff]/, 'nothing that moves a terminal')
    }
    const { ports } = configOf(0)
    for (const label of ['camera', 'rtsps', 'ftps'] as const) {
      const config = configOf(0, { ports: { ...ports, [label]: port } })
      await openTls(config, port, none, { signal }).then(() => t.fail('connected'), isPlain)
    }
    const { card, end } = openCard(port, undefined)
    t.teardown(end)
    await card.list().then(() => t.fail('listed'), isPlain)
    const { session } = openSession(t, { port, serial: '00M00A123456789' })
    await eventually(() => session.problem !== undefined)
    isPlain(session.problem)
  })
}

t.test('a server that speaks another TLS is told without the words of the library', async t => {
  const server = createTls({ minVersion: 'TLSv1.2' }).on('tlsClientError', () => {}).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.close() })
  const { port } = server.address() as AddressInfo
  const config = configOf(0, { ports: { ...configOf(0).ports, camera: port } })
  await openTls(config, port, none, { signal }).then(() => t.fail('connected'), (error: ConnectionError) => {
    t.equal(error.code, 'not_a_printer')
    t.match(error.message, /no encryption that both sides know/)
    t.notMatch(error.message, LIBRARY)
  })
})

t.test('no failure of TLS shows the words of the library', async t => {
  const codes = ['ERR_SSL_WRONG_VERSION_NUMBER', 'EPROTO', 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'ERR_SSL_UNSUPPORTED_PROTOCOL',
    'ERR_SSL_SSLV3_ALERT_BAD_RECORD_MAC', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', undefined]
  const message = '4017F0:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/openssl/ssl.c:354:'
  for (const code of codes) {
    const failure = Object.assign(new Error(message), { code })
    t.notMatch(wordsOf(failure), LIBRARY, `${code}`)
    t.notMatch(connectionErrorOf(failure, 'host:8883').message, LIBRARY, `${code}`)
  }
  t.equal(wordsOf(new Error('read ECONNRESET')), 'read ECONNRESET')
})

t.test('a name stands in a command as a shell takes it', async t => {
  t.equal(shellWord('x1c-2.b'), 'x1c-2.b')
  t.equal(shellWord('Big one'), "'Big one'")
  t.equal(shellWord("Ann's; rm"), "'Ann'\\''s; rm'")
})
