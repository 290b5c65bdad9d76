import t from 'tap'
import { createInferenceClient, type ModelProcess, type ProcessEvents } from '../../../../plugins/health-model/runtime/client.js'
import type { Model } from '../../../../plugins/health-model/index.js'

/** A process that answers when the test says. */
function scene () {
  const sent: { readonly id: number, readonly file: string }[] = []
  let events: ProcessEvents | undefined
  let killed = 0
  const process = {
    send: (request: { id: number, file: string }) => { sent.push(request); return true },
    kill: () => { killed++; return true },
    ref () {},
    unref () {},
    channel: null
  } as unknown as ModelProcess
  const client = createInferenceClient('folder', undefined, (_args, its) => { events = its; return process })
  const reading = (id: number) => ({ id, reading: { value: id, boxes: [], ms: 1, runtime: 'fake' } })
  return {
    client,
    files: () => sent.map(({ file }) => file),
    infer: (file: string, signal?: AbortSignal) => client.infer(file, {} as Model, new Uint8Array(1), signal),
    /** The answer to the picture that it has. */
    answer: () => events?.onReply(reading(sent.at(-1)?.id ?? 0)),
    exit: () => events?.onExit('SIGSEGV'),
    get killed () { return killed }
  }
}
const turn = () => new Promise(resolve => setImmediate(resolve))

t.test('pictures that nobody waits for any more are never computed', async t => {
  const { infer, files, answer } = scene()
  const gone = new AbortController()
  const asked = ['a', 'b', 'c', 'd'].map(file => infer(file, gone.signal).catch((error: Error) => error.message))
  await turn()
  gone.abort(new Error('no answer in 30 s'))
  t.same(await Promise.all(asked), Array(4).fill('no answer in 30 s'), 'nobody waits for the process')
  const next = infer('next')
  await turn()
  t.same(files(), ['a'], 'which is still busy with the first one')
  answer()
  await turn()
  t.same(files(), ['a', 'next'])
  answer()
  t.match(await next, { runtime: 'fake' })
})

t.test('a process that ends fails the picture that it had, and the next gets a new one', async t => {
  const { infer, files, answer, exit } = scene()
  const first = infer('a')
  const second = infer('b')
  await turn()
  exit()
  await t.rejects(first, { message: 'The process of the network ended (SIGSEGV)' })
  await turn()
  t.same(files(), ['a', 'b'])
  answer()
  t.match(await second, { runtime: 'fake' })
})

t.test('all who wait are let go when it is closed', async t => {
  const scened = scene()
  const asked = [scened.infer('a'), scened.infer('b')]
  await turn()
  scened.client.close()
  for (const one of asked) await t.rejects(one, { message: 'The process of the network was ended' })
  await turn()
  t.same([scened.files(), scened.killed], [['a'], 1])
})
