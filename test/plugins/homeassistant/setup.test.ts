import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { brokerProblem } from '../../../plugins/homeassistant/broker-problem.js'
import homeassistant from '../../../plugins/homeassistant/index.js'
import { boot, featuresWith } from '../../helpers/boot-features.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { listen, NO_MOSQUITTO, PASSWORD, startMosquitto } from '../../helpers/mosquitto.js'
import { topicsOf } from './service.js'

const REST = { tls: false, discoveryPrefix: 'homeassistant', topicPrefix: 'prnd', readOnly: false, imageOnAlert: false, imageSeconds: 0 }
const API = '/api/homeassistant'
const start = (t: Test, dataDir = testFolder(t), options: object = {}) => boot(t, {
  preset: featuresWith(homeassistant), models: [{ model: 'P1S', reportEveryMs: 100 }], config: { dataDir, plugins: { homeassistant: options } }
})

t.test('the causes of failures are told apart', async t => {
  const causeOf = (error: object) => brokerProblem(error, text => text).cause
  for (const [error, cause] of [
    [{ code: 5, message: 'Connection refused: Not authorized' }, 'login'],
    [{ code: 'ENOTFOUND' }, 'host'],
    [{ errors: [{ code: 'ECONNREFUSED' }, { code: 'ECONNREFUSED' }] }, 'refused'],
    [{ message: 'connack timeout' }, 'silent'],
    [{ code: 'ERR_SSL_WRONG_VERSION_NUMBER' }, 'tls'],
    [{ cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } }, 'untrusted'],
    [{ message: 'certificate has expired' }, 'expired'],
    [{ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, 'wrong_name'],
    [{ message: 'gone' }, 'other']
  ] as const) t.equal(causeOf(error), cause)
})

t.test('a broker is tried, stored, used after a restart, and left without a trace', { skip: NO_MOSQUITTO }, async t => {
  const { url } = await startMosquitto(t)
  const ha = await listen(t, url)
  const port = Number(new URL(url).port)
  const broker = { ...REST, host: '127.0.0.1', port, username: 'ha' }
  const dataDir = testFolder(t)
  const first = await start(t, dataDir)
  const { own, discovery } = topicsOf(first.printer.serial)
  t.match((await first.http('GET', API)).body, { origin: 'none', settings: null, state: null, initial: { topicPrefix: 'prnd' } })
  const tryIt = async (change: object) => (await first.http('POST', `${API}/test`, { ...broker, ...change })).body.problem
  t.match(await tryIt({ password: 'planted-wrong' }), { cause: 'login' })
  t.match(await tryIt({ port: 1, password: PASSWORD }), { cause: 'refused' })
  t.match(await tryIt({ tls: true, password: PASSWORD }), { cause: 'ended' })
  t.equal(await tryIt({ password: PASSWORD }), null)
  t.equal((await first.http('GET', API)).body.origin, 'none', 'a test stores nothing')

  t.match(await first.http('POST', API, { ...broker, password: PASSWORD }), { status: 200, body: { origin: 'stored', has_password: true } })
  await eventually(() => ha.last(discovery) !== '' && ha.last('prnd/status') === 'online')
  const shown = (await first.http('GET', API)).body
  t.match(shown, { settings: { host: '127.0.0.1', username: 'ha' }, state: { connected_at: Number, failure: null } })
  t.notMatch(JSON.stringify(shown), PASSWORD)
  t.notMatch(await readFile(join(dataDir, 'plugins/homeassistant/broker.json'), 'utf8'), PASSWORD)
  t.equal((await stat(join(dataDir, 'secrets/homeassistant.json'))).mode & 0o077, 0)
  for (const change of [{ host: 'localhost' }, { username: 'other' }, { ca: 'PEM' }, { tls: true }]) {
    for (const path of [API, `${API}/test`]) {
      t.match(await first.http('POST', path, { ...broker, ...change }),
        { status: 400, body: { reason: /password must be given again/ } }, 'a stored password stays with its address')
    }
  }
  t.match(await first.http('POST', API, { ...broker, host: 'a b' }), { status: 400 })
  t.match(await first.http('POST', API, { ...broker, imageSeconds: 5 }), { status: 400 })
  await first.close()

  const second = await start(t, dataDir)
  await eventually(() => ha.last('prnd/status') === 'online' && ha.last(`${own}/availability`) === 'online')
  t.match(await second.http('POST', API, { ...broker, topicPrefix: 'room' }), { status: 200 }, 'with the stored password')
  await eventually(() => ha.last('room/status') === 'online' && ha.last('prnd/status') === '')
  t.match(await second.http('DELETE', API), { status: 200, body: { origin: 'none', state: null, has_password: false } })
  await eventually(() => [discovery, 'room/status'].every(topic => ha.last(topic) === ''))
  t.notMatch(await readFile(join(dataDir, 'secrets/homeassistant.json'), 'utf8'), PASSWORD)
  t.same(second.kernel.connections.list().filter(({ name }) => name === 'homeassistant'), [])
})

t.test('what the configuration file says is shown and not changed', async t => {
  const { http } = await start(t, undefined, { broker: 'mqtts://me:planted-1@127.0.0.1:1', readOnly: true })
  const { body } = await http('GET', API)
  t.match(body, { origin: 'file', settings: { host: '127.0.0.1', port: 1, tls: true, username: 'me', readOnly: true }, has_password: true })
  t.notMatch(JSON.stringify(body), 'planted-1')
  t.match(await http('POST', API, { ...REST, host: 'localhost', port: 1 }), { status: 409, body: { reason: /configuration file/ } })
  t.match(await http('DELETE', API), { status: 409 })
})
