import t from 'tap'
import { createChangeNotice } from '../../../../plugins/people/change-notice.js'
import type { Snapshot } from '../../../../plugins/people/snapshot.js'

t.test('rights are told to have changed at a change, at an expiry, and once a minute', async t => {
  let now = 1_000_000
  let told = 0
  const notice = createChangeNotice({ now: () => now, tell: () => { told++ } })
  const read = (role: string, until: number | null): Snapshot => JSON.parse(JSON.stringify({
    users: [{ id: 'u', role }], keys: [{ id: 'k', expires_at: until }], sessions: [{ id: 's', expires_at: 1_040_000 }]
  }))
  const after = (ms: number, work: () => void) => {
    const before = told
    now += ms
    work()
    return told - before
  }
  t.equal(after(0, () => notice.put(read('view', null))), 1)
  t.equal(after(5_000, () => notice.put(read('view', null))), 0, 'nothing is different')
  t.equal(after(5_000, () => notice.put(read('operate', 1_020_000))), 1, 'another role')
  t.equal(after(5_000, () => notice.look()), 0)
  t.equal(after(5_000, () => notice.look()), 1, 'the key expires, also where nothing is read')
  t.equal(after(5_000, () => notice.put(read('operate', 1_020_000))), 0, 'once')
  t.equal(after(15_000, () => notice.put(read('operate', 1_020_000))), 1, 'the login expires')
  t.equal(after(59_000, () => notice.put(read('operate', 1_020_000))), 0)
  t.equal(after(1_000, () => notice.put(read('operate', 1_020_000))), 1, 'again, for whoever failed to act on it')
})
