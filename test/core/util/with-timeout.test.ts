import t from 'tap'
import { withTimeout } from '../../../core/util/with-timeout.js'

const never = new Promise<never>(() => {})
const late = () => new Error('too late')

t.test('work that is done in time gives its value, or its own error', async t => {
  t.equal(await withTimeout(1_000, Promise.resolve('done'), late), 'done')
  await t.rejects(withTimeout(1_000, Promise.reject(new Error('own')), late), { message: 'own' })
})

t.test('work that is not gives the error made for it', async t => {
  await t.rejects(withTimeout(5, never, late), { message: 'too late' })
})

t.test('a signal ends the wait with its reason, before and during', async t => {
  await t.rejects(withTimeout(1_000, never, late, AbortSignal.abort(new Error('before'))), { message: 'before' })
  const controller = new AbortController()
  const waiting = withTimeout(1_000, never, late, controller.signal)
  controller.abort(new Error('during'))
  await t.rejects(waiting, { message: 'during' })
})

t.test('no timer is left behind', async t => {
  const timers = () => process.getActiveResourcesInfo().filter(kind => kind === 'Timeout').length
  const before = timers()
  await withTimeout(60_000, Promise.resolve(), late)
  t.equal(timers(), before)
})

t.test('work that takes a signal is aborted and waited for', async t => {
  const closed: string[] = []
  const work = (signal: AbortSignal) => new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => setImmediate(() => { closed.push('work'); reject(new Error('closed')) }))
  })
  await t.rejects(withTimeout(5, work, late), { message: 'too late' }, 'not what the work fails with because of it')
  t.same(closed, ['work'])
  const controller = new AbortController()
  const waiting = withTimeout(60_000, work, late, controller.signal)
  controller.abort(new Error('during'))
  await t.rejects(waiting, { message: 'during' })
  t.same(closed, ['work', 'work'])
  await t.rejects(withTimeout(60_000, () => t.fail('begun') as never, late, AbortSignal.abort(new Error('before'))),
    { message: 'before' })
  t.equal(await withTimeout(60_000, async () => 'done', late), 'done')
  await t.rejects(withTimeout(60_000, async () => { throw new Error('own') }, late), { message: 'own' })
})
