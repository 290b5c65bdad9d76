import t from 'tap'
import { createKeyedQueue } from '../../../core/util/keyed-queue.js'

/** Work that ends when it is told to, and what has begun so far. */
function scene (concurrency?: number) {
  const queue = createKeyedQueue(concurrency)
  const begun: string[] = []
  const ends = new Map<string, { resolve: (value: string) => void, reject: (error: Error) => void }>()
  const run = (key: string, name: string, signal?: AbortSignal) => queue.run(key, () => {
    begun.push(name)
    return new Promise<string>((resolve, reject) => ends.set(name, { resolve, reject }))
  }, signal)
  const end = (name: string) => ends.get(name)?.resolve(name)
  const fail = (name: string) => ends.get(name)?.reject(new Error(name))
  const settle = () => new Promise(resolve => setImmediate(resolve))
  return { queue, run, end, fail, begun, settle }
}

t.test('work of one key runs one after the other, whatever became of what came before', async t => {
  const { run, end, fail, begun, settle } = scene()
  const first = run('a', 'first')
  const second = run('a', 'second')
  const third = run('a', 'third')
  await settle()
  t.same(begun, ['first'])
  fail('first')
  await t.rejects(first, { message: 'first' })
  await settle()
  t.same(begun, ['first', 'second'])
  end('second')
  t.equal(await second, 'second')
  await settle()
  end('third')
  t.equal(await third, 'third')
})

t.test('work of different keys runs at the same time, up to a limit, in the order it came', async t => {
  const { run, end, begun, settle } = scene(2)
  const all = [run('a', 'a1'), run('a', 'a2'), run('b', 'b1'), run('c', 'c1')]
  await settle()
  t.same(begun, ['a1', 'b1'])
  end('b1')
  await settle()
  t.same(begun, ['a1', 'b1', 'c1'], 'a2 waits for a1, so c1 goes first')
  end('a1')
  await settle()
  t.same(begun, ['a1', 'b1', 'c1', 'a2'])
  end('c1')
  end('a2')
  t.same(await Promise.all(all), ['a1', 'a2', 'b1', 'c1'])
})

t.test('what is aborted while it waits never begins, and holds nobody up', async t => {
  const { queue, run, end, begun, settle } = scene()
  const controller = new AbortController()
  const first = run('a', 'first')
  const unwanted = run('a', 'unwanted', controller.signal)
  const last = run('a', 'last')
  await settle()
  controller.abort(new Error('not wanted'))
  await t.rejects(unwanted, { message: 'not wanted' }, 'at once, not after the first')
  t.same(begun, ['first'])
  end('first')
  await first
  await settle()
  end('last')
  await last
  t.same(begun, ['first', 'last'])
  await t.rejects(queue.run('a', () => t.fail('begun'), AbortSignal.abort(new Error('before'))), { message: 'before' })
})

t.test('what is aborted as its turn comes does not begin either', async t => {
  const { queue } = scene()
  const controller = new AbortController()
  const work = queue.run('a', () => t.fail('begun'), controller.signal)
  controller.abort(new Error('late'))
  await t.rejects(work, { message: 'late' })
  t.equal(await queue.run('a', () => 'free'), 'free')
})

t.test('keys are known while something runs or waits', async t => {
  const { queue, run, end, settle } = scene(1)
  const both = [run('a', 'a'), run('b', 'b')]
  t.same([...queue.keys()], ['a', 'b'])
  await settle()
  end('a')
  await settle()
  t.same([...queue.keys()], ['b'])
  end('b')
  await Promise.all(both)
  t.same([...queue.keys()], [])
})
