import t from 'tap'
import { AwaitedStarts } from '../../../../plugins/history/awaited-starts.js'
import type { Starts } from '../../../../plugins/history/starts.js'
import type { Print } from '../../../../plugins/history/types.js'

t.test('a start belongs to one print, also after a restart of the service', async t => {
  const stored: Starts[] = []
  const start = { by: 'queue', calledAt: 1_000, asked: { plate: 1 } as Print['asked'] }
  new AwaitedStarts({}, starts => stored.push(starts)).add('S', start)
  const starts = new AwaitedStarts(stored[0] ?? {}, left => stored.push(left))
  const print = { id: 'a', job: { subtaskName: 'cube' }, startedAt: 2_000, startedBy: 'elsewhere' } as Print

  t.equal(starts.claim('other', print, 2_000), print, 'a print of another printer')
  t.equal(starts.claim('S', { ...print, startedAt: 500 }, 2_000).startedBy, 'elsewhere', 'one that began before')
  t.match(starts.claim('S', print, 2_000), { id: 'a', startedBy: 'queue', asked: { plate: 1 } })
  t.equal(starts.claim('S', print, 2_000), print, 'the next one')
  t.same(stored, [{ S: start }, {}])
})
