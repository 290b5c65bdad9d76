import t from 'tap'
import { TaskThread, ThreadBusy } from '../../../core/util/task-thread.js'

/** Answers with what it gets, dies, or never answers. */
const CODE = `
  import { parentPort, threadId } from 'node:worker_threads'
  parentPort.on('message', ({ id, task }) => {
    if (task === 'die') process.exit(3)
    else if (task === 'hang') while (true);
    else if (task === 'fail') parentPort.postMessage({ id, error: 'no such thing' })
    else if (task === 'grow') { let memory = []; while (true) memory.push(new Array(1e5).fill(memory.length)) }
    else if (task !== 'wait') parentPort.postMessage({ id, result: [task, threadId] })
  })`

function threadOf (t: Tap, options: { readonly timeoutMs?: number, readonly mostWaiting?: number } = {}): TaskThread {
  const thread = new TaskThread({
    name: 'test',
    subject: 'the work',
    file: () => new URL(`data:text/javascript,${encodeURIComponent(CODE)}`),
    maxMemoryMb: 32,
    youngMemoryMb: 4,
    timeoutMs: 60_000,
    ...options
  })
  t.teardown(() => thread.close())
  return thread
}
type Tap = Pick<typeof t, 'teardown'>

t.test('a thread that dies fails one task, and the next one gets a new thread', async t => {
  const thread = threadOf(t)
  const [first, failed, died, after] = await Promise.allSettled(['a', 'fail', 'die', 'b'].map(task => thread.run(task)))
  t.match(first, { value: ['a', Number] })
  t.match(failed, { reason: { message: 'no such thing' } })
  t.match(died, { reason: { message: 'the work broke off: its thread ended with code 3' } })
  t.match(after, { value: ['b', Number] }, 'what waited is not lost')
  t.not((after as PromiseFulfilledResult<number[]>).value[1], (first as PromiseFulfilledResult<number[]>).value[1])
})

t.test('a task that needs too much memory ends its thread and not the process', async t => {
  const thread = threadOf(t)
  await t.rejects(thread.run('grow'), { code: 'ERR_WORKER_OUT_OF_MEMORY' })
  t.match(await thread.run('a'), ['a', Number])
})

t.test('the limit of time counts from the beginning of a task', async t => {
  const thread = threadOf(t, { timeoutMs: 8_000 }) // several times what a busy machine needs to start a thread
  const [hung, after] = await Promise.allSettled([thread.run('hang'), thread.run('a')])
  t.match(hung, { reason: { message: 'the work took more than 8 s' } })
  t.match(after, { value: ['a', Number] }, 'and not from its place in the queue')
})

t.test('the queue is bounded, and an aborted task leaves it', async t => {
  const thread = threadOf(t, { mostWaiting: 1 })
  const controller = new AbortController()
  const running = thread.run('wait')
  const waiting = thread.run('a', { signal: controller.signal })
  t.ok(await thread.run('b').catch(error => error) instanceof ThreadBusy)
  controller.abort(new Error('not needed any more'))
  await t.rejects(waiting, { message: 'not needed any more' })
  const ended = Promise.allSettled([running, thread.run('c')])
  await thread.close()
  for (const one of await ended) t.match(one, { reason: { message: 'the work has ended' } })
  await t.rejects(thread.run('d'), { message: 'the work has ended' })
})
