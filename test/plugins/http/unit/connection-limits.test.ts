import t from 'tap'
import { connectionLimitReached } from '../../../../plugins/http/limits.js'
import { REMOTE } from '../../../helpers/addresses.js'

const MOST = 16
const times = (count: number, address: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => ({ address: address(at) }))

t.test('an address has a quarter of the places, however it is written', async t => {
  const same = times(4, at => [`${REMOTE}.1`, `::ffff:${REMOTE}.1`][at % 2] ?? '')
  t.equal(connectionLimitReached(`${REMOTE}.1`, same.slice(1), MOST), undefined)
  t.match(connectionLimitReached(`${REMOTE}.1`, same, MOST), { of: 'address', members: same })
  t.equal(connectionLimitReached(`${REMOTE}.2`, same, MOST), undefined)
  t.match(connectionLimitReached('2001:db8::9', times(4, at => `2001:db8::${at}`), MOST), { of: 'address' }, 'one network')
  t.equal(connectionLimitReached('2001:db8:0:1::9', times(4, at => `2001:db8::${at}`), MOST), undefined)
})

t.test('some places are kept for this machine, which may take them all', async t => {
  const remote = times(14, at => `${REMOTE}.${at}`)
  t.match(connectionLimitReached(`${REMOTE}.200`, remote, MOST), { of: 'remote' })
  t.equal(connectionLimitReached('127.0.0.1', remote, MOST), undefined)
  t.equal(connectionLimitReached('::1', [...remote, { address: '::1' }], MOST), undefined)
  t.match(connectionLimitReached('127.0.0.1', times(16, () => '127.0.0.1'), MOST), { of: 'all' })
  t.match(connectionLimitReached(`${REMOTE}.1`, times(16, () => '127.0.0.1'), MOST), { of: 'all' })
})

t.test('where there is one place only, everybody may have it', async t => {
  t.equal(connectionLimitReached(`${REMOTE}.1`, [], 1), undefined)
  t.ok(connectionLimitReached(`${REMOTE}.2`, times(1, () => `${REMOTE}.1`), 1))
})
