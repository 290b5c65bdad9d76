import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { createExclusiveLock } from '../../../core/printer/exclusive-lock.js'

const CLAIMED = { code: 'PRN_ERR_PRINTER_CLAIMED', statusCode: 409, message: "Blocked: the start of '/a.3mf' on 'x' is in progress. Try again when it has finished." }
const A = "the start of '/a.3mf'"
const B = "the start of '/b.3mf'"

/** Work that takes until it is told to end. */
function held () {
  let end = (_outcome: string): void => {}
  let fail = (_error: Error): void => {}
  const promise = new Promise<string>((resolve, reject) => { [end, fail] = [resolve, reject] })
  return { work: async () => await promise, end, fail }
}
const free = async () => 'free'

t.test('one claim at a time, until its work ends or fails', async t => {
  const exclusively = createExclusiveLock('x', new AbortController().signal)
  const first = held()
  const running = exclusively(A, first.work)
  await t.rejects(exclusively(B, free), CLAIMED)
  first.end('done')
  t.equal(await running, 'done')
  t.equal(await exclusively(B, free), 'free')

  const second = held()
  const failing = exclusively(A, second.work)
  await t.rejects(exclusively(B, free), CLAIMED)
  second.fail(new Error('broken'))
  await t.rejects(failing, { message: 'broken' })
  t.equal(await exclusively(B, free), 'free')
})

t.test('what holds the claim may claim again, and nobody else meanwhile', async t => {
  const exclusively = createExclusiveLock('x', new AbortController().signal)
  const inner = held()
  const running = exclusively(A, async () => await exclusively('the upload', inner.work))
  await t.rejects(exclusively(B, free), CLAIMED, 'it is told of what was taken first')
  inner.end('inner')
  t.equal(await running, 'inner')
  t.equal(await exclusively(B, free), 'free')

  const both = exclusively(A, async () => {
    const one = held()
    const two = exclusively('one', one.work)
    await t.rejects(exclusively('two', free), { code: 'PRN_ERR_PRINTER_CLAIMED' }, 'two within one claim')
    one.end('')
    await two
    return await exclusively('two', free)
  })
  t.equal(await both, 'free')
})

t.test('work may hold several printers, and each of them again', async t => {
  const signal = new AbortController().signal
  const [x, y] = [createExclusiveLock('x', signal), createExclusiveLock('y', signal)]
  const inner = held()
  const running = x(A, async () => await y(B, async () => [await x('again', free), await y('again', inner.work)]))
  await t.rejects(x(A, free), CLAIMED)
  await t.rejects(y(A, free), { code: 'PRN_ERR_PRINTER_CLAIMED' })
  inner.end('inner')
  t.same(await running, ['free', 'inner'])
  t.same([await x(A, free), await y(A, free)], ['free', 'free'])
})

t.test('a claim ends with the session, its signal and its time, whatever its work does', async t => {
  const session = new AbortController()
  const exclusively = createExclusiveLock('x', session.signal)
  const reasons: unknown[] = []
  const never = async (signal: AbortSignal) => {
    signal.addEventListener('abort', () => reasons.push(signal.reason))
    return await new Promise<never>(() => {})
  }

  void exclusively(A, never, { withinMs: 1 })
  while (reasons.length < 1) await sleep(1)
  t.match(reasons.at(-1), { code: 'PRN_ERR_CLAIM_EXPIRED', statusCode: 504 })
  t.equal(await exclusively(B, free), 'free')

  const caller = new AbortController()
  void exclusively(A, never, { signal: caller.signal })
  await t.rejects(exclusively(B, free), CLAIMED)
  caller.abort(new Error('went away'))
  t.match(reasons.at(-1), { message: 'went away' })
  t.equal(await exclusively(B, free), 'free')

  void exclusively(A, never)
  session.abort()
  t.match(reasons.at(-1), { code: 'PRN_ERR_NOT_CONNECTED' })
  await t.rejects(exclusively(B, free), { code: 'PRN_ERR_NOT_CONNECTED' })
})

t.test('a claim that expired does not end the one that came after it', async t => {
  const exclusively = createExclusiveLock('x', new AbortController().signal)
  const late = held()
  const expired = exclusively(A, late.work, { withinMs: 1 })
  await sleep(20)
  const next = held()
  const running = exclusively(A, next.work)
  late.end('late')
  await expired
  await t.rejects(exclusively(B, free), CLAIMED)
  next.end('next')
  t.equal(await running, 'next')
})
