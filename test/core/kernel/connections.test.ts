import t from 'tap'
import { addressWithoutSecrets, createConnections } from '../../../core/kernel/connections.js'
import { wordsOfFailure } from '../../../core/util/failure-words.js'

function place () {
  const faults: string[] = []
  const told: object[] = []
  let at = 1_000
  const connections = createConnections({
    now: () => at++,
    redact: text => text.replaceAll('hunter2', '***'),
    faults: {
      guard: (plugin, kind, name) => ({
        failed: (error: Error) => { faults.push(`${plugin} ${kind} ${name}: ${error.message}`) }
      }) as never
    },
    journal: { info: (fields: object) => { told.push(fields) } } as never
  })
  return { connections, faults, told }
}

t.test('a connection is told of once when it fails, and its problem is kept up to date', t => {
  const { connections, faults, told } = place()
  const report = connections.add({ name: 'broker', plugin: 'p', what: 'the broker', address: 'mqtt://me:hunter2@host:1883/x?y' })
  t.match(connections.list(), [{ name: 'broker', address: 'mqtt://host:1883', status: 'unused', problem: undefined }])
  report.failed(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))
  report.failed(new Error('the password hunter2 is wrong'))
  t.match(connections.list(), [{ status: 'failed', problem: 'the password *** is wrong' }])
  t.match(faults, [/^p connection broker: the broker \(mqtt:\/\/host:1883\): nothing listens there/])
  const [{ since } = { since: 0 }] = connections.list()
  report.failed(new Error('again'))
  t.match(connections.list(), [{ since }], 'since it failed first')
  report.connected()
  t.match(connections.list(), [{ status: 'connected', problem: undefined }])
  report.failed(new Error('away'))
  t.equal(faults.length, 2)
  t.match(told, [{ status: 'failed' }, { status: 'connected' }, { status: 'failed' }])
  t.throws(() => connections.add({ name: 'broker', plugin: 'p', what: '', address: '' }), /Two connections/)
  t.end()
})

t.test('what can be asked is asked, once for all who want to know, and not for ever', async t => {
  const { connections } = place()
  const alive = setInterval(() => {}, 1_000) // the limit of an answer does not keep the process running
  t.teardown(() => clearInterval(alive))
  let asked = 0
  connections.add({ name: 'good', plugin: 'p', what: 'a', address: 'x', check: async () => { asked++ } })
  connections.add({ name: 'silent', plugin: 'p', what: 'b', address: 'x', check: () => new Promise(() => {}) })
  connections.add({ name: 'unasked', plugin: 'p', what: 'c', address: 'x' })
  await connections.refresh('good')
  t.match(connections.list().map(({ status }) => status), ['connected', 'unused', 'unused'])
  const [found] = await Promise.all([connections.refresh(), connections.refresh()])
  t.match(found, [{ status: 'connected' }, { status: 'failed', problem: 'no answer within 3 s' }, { status: 'unused' }])
  t.equal(asked, 1)
})

t.test('of an address no login, path or query is told', t => {
  for (const [address, shown] of Object.entries({
    'https://hooks.example/services/T0/SECRET?token=SECRET': 'https://hooks.example',
    'postgres://user:SECRET@db.local:5433/name': 'postgres://db.local:5433',
    'nats://user:SECRET@a:4222 nats://b:4222': 'nats://a:4222 nats://b:4222',
    'me:SECRET@smtp.local': 'smtp.local',
    'smtp.local': 'smtp.local',
    '': ''
  })) {
    t.notMatch(addressWithoutSecrets(address), /SECRET/)
    t.match(addressWithoutSecrets(address), shown)
  }
  t.end()
})

t.test('failures are told in words, whatever way the cause is wrapped', t => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' })
  for (const error of [refused, new TypeError('fetch failed', { cause: refused }), new AggregateError([refused], '')]) {
    t.match(wordsOfFailure(error), /^nothing listens there/)
  }
  for (const said of ['Connection refused: Not authorized', 'Connection refused: Bad User Name or Password', 'Authorization Violation']) {
    t.equal(wordsOfFailure(new Error(said)), 'user or password is wrong')
  }
  t.match(wordsOfFailure(new Error('SSL routines:ssl3_get_record:wrong version number')), /does not speak TLS/)
  t.notMatch(wordsOfFailure(new Error('')), /undefined/)
  t.notMatch(wordsOfFailure(undefined), /undefined/)
  t.notMatch(wordsOfFailure(new Error('undefined')), /undefined/)
  t.end()
})
