import t from 'tap'
import { ConnectionError, connectionErrorOf } from '../../../core/printer/connection-error.js'

const of = (code: unknown, message = 'no such luck') => connectionErrorOf(Object.assign(new Error(message), { code }), 'host:8883')

t.test('a problem stays the one it is', async t => {
  const problem = new ConnectionError('wrong_serial', 'x')
  t.equal(connectionErrorOf(problem, 'elsewhere'), problem)
})

t.test('network failures are told in words', async t => {
  for (const code of ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'ECONNRESET']) {
    const { code: kind, message } = of(code)
    t.equal(kind, 'unreachable', code)
    t.match(message, /^host:8883: [a-z]/)
    t.notMatch(message, /no such luck/, 'not in those of the system')
  }
})

t.test('something else that listens there', async t => {
  t.equal(of('ERR_SSL_WRONG_VERSION_NUMBER').code, 'not_a_printer')
  t.equal(of('EPROTO').code, 'not_a_printer')
})

t.test('anything else', async t => {
  const { code, message } = of('EWHATEVER')
  t.strictSame([code, message], ['unreachable', 'host:8883: no such luck'])
  t.equal(of(128, 'Subscribe error').message, 'host:8883: Subscribe error', 'codes of MQTT are numbers')
  t.equal(connectionErrorOf('text', 'host:8883').message, 'host:8883: text')
  t.equal(connectionErrorOf(undefined, 'host:8883').code, 'unreachable')
  t.equal(connectionErrorOf(AbortSignal.abort().reason, 'host:8883').code, 'unreachable', 'an aborted signal')
})
