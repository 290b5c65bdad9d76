import t from 'tap'
import { createReadings, type Reading } from '../../../plugins/external-chamber/readings.js'

t.test('a flood of messages is told as a few readings, and a silent sensor shows nothing', async t => {
  let now = 0
  const told: Reading[] = []
  const options = { temperatureTopic: 't', currentStateTopic: 's', onValue: 'ON' }
  const readings = createReadings({ options, steady: () => now, tell: reading => told.push(reading) })
  t.teardown(() => readings.close())
  for (let count = 0; count < 1_000; count++) readings.take('t', Buffer.from(String(count % 50)))
  t.equal(told.length, 1)
  t.equal(readings.current.celsius, 49)
  readings.take('s', Buffer.from('ON'))
  readings.take('t', Buffer.alloc(10_000_000, '1'))
  t.same(readings.current, { celsius: 49, heating: true })
  now += 15 * 60_000
  t.same(readings.current, { celsius: undefined, heating: true })
})
