import t from 'tap'
import { createAlertHistory } from '../../../plugins/alerts/history.js'
import type { Alert } from '../../../plugins/alerts/index.js'
import { boot } from '../../helpers/boot-features.js'

const alert = (type: string, printer = 'x1c'): Alert =>
  ({ type, printer, timestamp: '2026-01-01T00:00:00+00:00', severity: 'low', payload: {} })
const types = (alerts: readonly Alert[]) => alerts.map(({ type }) => type)

t.test('each reader has its own place', async t => {
  const history = createAlertHistory('00c0ffee')
  t.same(history.after(''), { alerts: [], cursor: '00c0ffee-0', missed: false })
  history.push(alert('a'))
  history.push(alert('b', 'p1s'))
  const first = history.after('', 'x1c')
  t.same([types(first.alerts), first.missed], [['a'], false])
  t.same(types(history.after('').alerts), ['a', 'b'], 'all printers, oldest first')
  t.same(types(history.after('00c0ffee-0').alerts), ['a', 'b'], 'nobody takes anything')
  history.push(alert('c'))
  t.same(types(history.after(first.cursor, 'x1c').alerts), ['c'])
  t.same(history.after(history.after('').cursor), { alerts: [], cursor: '00c0ffee-3', missed: false })
})

t.test('what is not kept any more is told, and a place in another run', async t => {
  const history = createAlertHistory('00c0ffee')
  for (let i = 1; i <= 52; i++) history.push(alert(`a${i}`))
  t.equal(history.after('').alerts.length, 50)
  t.equal(history.after('').missed, false, 'a first call has missed nothing')
  t.equal(history.after('00c0ffee-1').missed, true)
  t.equal(history.after('00c0ffee-2').missed, false)
  t.equal(history.after('00c0ffee-1', 'p1s').missed, false, 'nothing of this printer')
  const other = history.after('0badcafe-51')
  t.same([other.alerts.length, other.missed], [50, true])
  history.forget('x1c')
  t.same(history.after('').alerts, [])
  for (const bad of ['7', 'x-1', '00c0ffee-', '00c0ffee--1', '00C0FFEE-1']) {
    t.throws(() => history.after(bad), { code: 'PRN_ERR_BAD_INPUT', message: /^since must be/ }, bad)
  }
})

t.test('peek and since leave the queue as it is, a plain read empties it', async t => {
  const { http, kernel, name } = await boot(t, { models: ['X1C'] })
  const { queue, history } = kernel.services.alerts
  const ask = async (params: Record<string, string | boolean>) => (await http('GET', '/api/alerts', params)).body as any
  await ask({ printer: name }) // what came at the start
  const { cursor } = await ask({ printer: name, since: '' })
  for (const type of ['a', 'b']) {
    queue.push(alert(type))
    history.push(alert(type))
  }
  for (const peek of [true, 'TRUE']) t.same(types(await ask({ printer: name, peek })), ['a', 'b'])
  t.same(types((await ask({ all: true, peek: true }))[name]), ['a', 'b'])
  t.same(types((await ask({ printer: name, since: cursor })).alerts), ['a', 'b'])
  t.same(types(await ask({ printer: name, peek: false })), ['a', 'b'], 'still there')
  t.same(await ask({ printer: name }), [], 'and now taken')
  t.same(await ask({ all: true }), {})
  t.match(await ask({ printer: name, since: cursor }), { alerts: [{ type: 'a' }, { type: 'b' }], missed: false })
  t.match(await ask({ all: true, since: cursor }), { alerts: [{ type: 'a' }, { type: 'b' }], missed: false })
  const { status, body } = await http('GET', '/api/alerts', { printer: name, since: 'yesterday' })
  t.equal(status, 400)
  t.match(body.reason, /cursor of an earlier answer/)
  t.equal((await http('GET', '/api/alerts', { printer: 'nobody', since: '' })).status, 400)
})
