import t from 'tap'
import { createProtocolWarnings } from '../../../../core/printer/mqtt/protocol-warnings.js'
import { collectLog } from '../helpers/log.js'

function complaining () {
  const clock = { now: 1_000_000 }
  const log = collectLog()
  return { clock, log, protocolWarnings: createProtocolWarnings(log.log, () => clock.now) }
}

t.test('every one is counted, by its kind', async t => {
  const { protocolWarnings } = complaining()
  t.strictSame(protocolWarnings.counts, {})
  for (let at = 0; at < 5; at++) protocolWarnings.add('not JSON')
  protocolWarnings.add('type: hms')
  t.strictSame(protocolWarnings.counts, { 'not JSON': 5, 'type: hms': 1 })
})

t.test('each kind is logged once a minute, with its count', async t => {
  const { protocolWarnings, log, clock } = complaining()
  for (let at = 0; at < 100; at++) protocolWarnings.add('not JSON')
  protocolWarnings.add('too large')
  t.strictSame(log.lines.map(({ kind, count }) => [kind, count]), [['not JSON', 1], ['too large', 1]])
  clock.now += 59_999
  protocolWarnings.add('not JSON')
  t.equal(log.lines.length, 2)
  clock.now += 1
  protocolWarnings.add('not JSON')
  t.hasStrict(log.lines[2], { kind: 'not JSON', count: 102 })
})

t.test('a hostile printer cannot make the list or its names grow', async t => {
  const { protocolWarnings, log } = complaining()
  for (let at = 0; at < 500; at++) protocolWarnings.add(`size: ${'x'.repeat(10_000)}${at}`, 'y'.repeat(10_000))
  t.equal(Object.keys(protocolWarnings.counts).length, 1, 'cut to the same name')
  for (let at = 0; at < 500; at++) protocolWarnings.add(`size: field${at}`)
  t.equal(Object.keys(protocolWarnings.counts).length, 65)
  t.equal(protocolWarnings.counts.other, 500 - 63)
  t.ok(log.lines.every(line => JSON.stringify(line).length < 600))
})

t.test('counts are a copy', async t => {
  const { protocolWarnings } = complaining()
  protocolWarnings.add('x')
  const before = protocolWarnings.counts
  protocolWarnings.add('x')
  t.equal(before.x, 1)
})
