import t from 'tap'
import { recordChange, type Delivery } from '../../../../plugins/notify/deliveries.js'
import { Sender } from '../../../../plugins/notify/sender.js'
import { NotDelivered, type Message } from '../../../../plugins/notify/targets/types.js'
import { MOST_WAITING } from '../../../../plugins/notify/waiting-deliveries.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const delivery = (id: string, more: Partial<Delivery> = {}): Delivery => ({
  id,
  created_at: 0,
  target: 'phone',
  printer: 'x1c',
  alert: 'job_finished',
  severity: 'high',
  at: '2026-01-01T00:00:00+00:00',
  title: id,
  text: '',
  payload: '{}',
  attachment: '',
  status: 'waiting',
  attempts: 0,
  due_at: 0,
  give_up_at: 24 * HOUR,
  ended_at: null,
  problem: null,
  ...more
})

const settle = () => new Promise(resolve => setImmediate(resolve))

/** A sender on a clock of the test, whose target does what the test says. */
function desk (take: (message: Message, signal: AbortSignal) => Promise<void> = async () => {}) {
  let now = 0
  let respond = take
  const tried: string[] = []
  const rows = new Map<string, Delivery>()
  const send = (message: Message, signal: AbortSignal) => {
    tried.push(message.id)
    return respond(message, signal)
  }
  const sender = new Sender({
    targets: new Map(['phone', 'mail'].map(name => [name, { name, type: 'test', takes: {}, send }])),
    messageOf: async one => ({ ...one, payload: {} }) as unknown as Message,
    onChanged: one => rows.set(one.id, one),
    redact: text => text.replaceAll('hidden', '***'),
    now: () => now,
    log: { warn () {}, info () {}, debug () {} }
  })
  const tick = async () => {
    now += 1_000
    sender.tick()
    await settle()
  }
  return {
    sender,
    tried,
    rows,
    tick,
    respond: (other: typeof take) => { respond = other },
    /** Lets time pass as the service does, second by second. */
    async pass (ms: number) { for (let past = 0; past < ms; past += 1_000) await tick() }
  }
}

t.test('a message is sent once, and one to a target at a time', async t => {
  const { sender, tried, rows, tick } = desk()
  for (const id of ['a', 'b']) sender.add(delivery(id))
  sender.add(delivery('c', { target: 'mail' }))
  await tick()
  t.same(tried, ['a', 'c'])
  await tick()
  await tick()
  t.same(tried, ['a', 'c', 'b'])
  t.same([...rows.values()].map(({ status, attempts }) => [status, attempts]), [['delivered', 1], ['delivered', 1], ['delivered', 1]])
})

t.test('a target that is away for an hour gets everything when it is back, in order, each once', async t => {
  const away = async () => { throw new NotDelivered('it is busy, hidden') }
  const { sender, tried, rows, pass, respond } = desk(away)
  for (const id of ['a', 'b', 'c']) sender.add(delivery(id))
  await pass(HOUR)
  t.ok(tried.length < 40, `${tried.length} attempts in an hour`)
  t.match(sender.status('phone'), { waiting: 3, problem: 'it is busy, ***' })
  t.match(rows.get('a'), { status: 'waiting', problem: 'it is busy, ***' })
  respond(async () => {})
  const before = tried.length
  await pass(11 * MINUTE)
  t.same(tried.slice(before).toSorted(), ['a', 'b', 'c'])
  t.same([...rows.values()].map(({ status }) => status), ['delivered', 'delivered', 'delivered'])
  t.match(sender.status('phone'), { waiting: 0, problem: undefined })
})

t.test('one that is never taken holds up no other, and is given up in the end', async t => {
  const { sender, tried, rows, pass } = desk(async ({ id }) => { if (id === 'bad') throw new Error('it answered 500') })
  sender.add(delivery('bad', { give_up_at: 2 * HOUR }))
  sender.add(delivery('good'))
  await pass(30_000)
  t.match(rows.get('good'), { status: 'delivered' })
  await pass(3 * HOUR)
  t.match(rows.get('bad'), { status: 'given_up', problem: 'it answered 500', ended_at: Number })
  const attempts = tried.filter(id => id === 'bad').length
  t.ok(attempts > 10 && attempts < 40, `${attempts} attempts`)
})

t.test('a refusal is final, and a pause that was asked for is kept', async t => {
  const { sender, tried, rows, tick, pass, respond } = desk(async () => { throw new NotDelivered('no', { final: true }) })
  sender.add(delivery('a'))
  await tick()
  t.match(rows.get('a'), { status: 'given_up', attempts: 1, problem: 'no' })
  respond(async () => { throw new NotDelivered('too many', { retryAfterMs: 20 * MINUTE }) })
  sender.add(delivery('b'))
  await tick()
  respond(async () => {})
  await pass(19 * MINUTE)
  t.same(tried, ['a', 'b'])
  await pass(2 * MINUTE)
  t.same(tried, ['a', 'b', 'b'])
})

t.test('a target that refuses the picture gets the message without it, and the file goes', async t => {
  const { sender, tried, rows, tick, pass, respond } = desk(async message => {
    if ((message as any).attachment !== '') throw new NotDelivered('it answered 413', { final: true })
  })
  const removed: string[] = []
  const deps = {
    deliveries: { put () {} },
    attachments: { remove: async (reference: string) => { removed.push(reference) } },
    waiting: sender.deliveries
  }
  const first = delivery('a', { attachment: 'picture:a' })
  sender.add(first)
  await tick()
  await tick()
  t.same(tried, ['a', 'a'])
  t.match(rows.get('a'), { status: 'delivered', attempts: 2, attachment: '' })
  recordChange(deps, rows.get('a')!, first)
  t.same(removed, ['picture:a'])
  respond(async message => { if ((message as any).attachment !== '') throw new Error('the connection was closed') })
  sender.add(delivery('b', { attachment: 'picture:b' }))
  await pass(10 * MINUTE)
  t.match(rows.get('b'), { status: 'delivered', attempts: 4 }, 'also where the connection breaks while it is sent')
})

t.test('what is due later waits, and so does what waits for its picture', async t => {
  const { sender, tried, rows, tick, pass } = desk()
  let come: (more: Partial<Delivery>) => void = () => {}
  sender.add(delivery('night', { due_at: HOUR }))
  sender.add(delivery('picture'), new Promise(resolve => { come = resolve }))
  await tick()
  t.same(tried, [])
  come({ attachment: 'picture:x' })
  await settle()
  await tick()
  t.same(tried, ['picture'])
  t.match(rows.get('picture'), { attachment: 'picture:x', status: 'delivered' })
  await pass(HOUR)
  t.same(tried, ['picture', 'night'])
})

t.test('a message whose picture does not come goes without it', async t => {
  const { sender, tried, tick } = desk()
  sender.add(delivery('a'), Promise.reject(new Error('no camera')))
  await settle()
  await tick()
  t.same(tried, ['a'])
})

t.test('so many wait and no more; the oldest go', async t => {
  const { sender, rows } = desk()
  for (let at = 0; at < MOST_WAITING + 2; at++) sender.add(delivery(String(at)))
  t.equal(sender.status('phone').waiting, MOST_WAITING)
  t.match([rows.get('0'), rows.get('1'), rows.get('2')], [{ status: 'given_up' }, { status: 'given_up' }, { status: 'waiting' }])
})

t.test('one printer with too many messages pushes out none of another', async t => {
  const { sender, rows } = desk()
  sender.add(delivery('first', { printer: 'other' }))
  for (let at = 0; at < MOST_WAITING; at++) sender.add(delivery(String(at)))
  t.match([rows.get('first'), rows.get('0')], [{ status: 'waiting' }, { status: 'given_up' }])
})

t.test('what an earlier run has left comes first, and nothing goes to a target that is gone', async t => {
  const { sender, tried, rows, tick } = desk()
  sender.add(delivery('new'))
  sender.resume([delivery('left', { attempts: 3 }), delivery('gone', { target: 'pager' })])
  await tick()
  t.same(tried, ['left'])
  t.match(rows.get('left'), { status: 'delivered', attempts: 4 })
  t.match(rows.get('gone'), { status: 'given_up', problem: 'the target is no longer configured' })
})

t.test('at shutdown what is being sent is waited for; what then is not there waits for the next start', async t => {
  let finish: () => void = () => {}
  const quick = desk(() => new Promise(resolve => { finish = resolve }))
  quick.sender.add(delivery('a'))
  await quick.tick()
  const closing = quick.sender.close()
  finish()
  await closing
  t.match(quick.rows.get('a'), { status: 'delivered' })
  const never = desk(() => new Promise(() => {}))
  never.sender.add(delivery('b'))
  await never.tick()
  await never.sender.close()
  t.match(never.rows.get('b'), { status: 'waiting' })
})
