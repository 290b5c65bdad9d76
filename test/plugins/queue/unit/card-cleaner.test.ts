import t from 'tap'
import { CardCleaner } from '../../../../plugins/queue/card-cleaner.js'

const MINUTE = 60_000

t.test('a file that cannot be removed from a card is tried again once a minute, until it is gone', async t => {
  let now = 0
  let live = true
  let isBusy = true
  const onCard = new Set(['/cube-1.gcode.3mf'])
  const session = { name: 'x1c', config: { serial: 'S1' }, get live () { return live } }
  const tried: string[] = []
  const said: string[] = []
  const cleaner = new CardCleaner({
    kernel: { now: () => now, printers: { sessions: [session] }, signal: new AbortController().signal } as never,
    files: {
      has: async (_: unknown, path: string) => onCard.has(path),
      async remove (_: unknown, path: string) {
        tried.push(path)
        if (isBusy) throw new Error('the card is busy')
        onCard.delete(path)
      }
    } as never,
    log: { warn: (_: unknown, message?: string) => { said.push(String(message)) } } as never
  })
  const retry = async () => {
    cleaner.retry()
    await cleaner.settled()
  }
  await cleaner.remove(session as never, '/cube-1.gcode.3mf')
  t.match(said, ['the file of an ended copy cannot be removed from its card now'])
  await retry()
  await retry()
  t.equal(tried.length, 2, 'not more often than once a minute')
  now += MINUTE
  live = false
  await retry()
  t.equal(tried.length, 2, 'and not while its printer is away')
  now += MINUTE
  live = true
  isBusy = false
  await retry()
  t.same([...onCard], [])
  now += MINUTE
  await retry()
  t.equal(tried.length, 3, 'then no more')
  t.equal(said.length, 1)
})

t.test('a file that is not there any more is not tried again', async t => {
  let tried = 0
  const session = { name: 'x1c', config: { serial: 'S1' }, live: true }
  const cleaner = new CardCleaner({
    kernel: { now: () => 0, printers: { sessions: [session] }, signal: new AbortController().signal } as never,
    files: {
      has: async () => false,
      async remove () {
        tried++
        throw new Error('there is no such file')
      }
    } as never,
    log: { warn () { throw new Error('nothing is wrong') } } as never
  })
  await cleaner.remove(session as never, '/gone.gcode.3mf')
  cleaner.retry()
  await cleaner.settled()
  t.equal(tried, 1)
})
