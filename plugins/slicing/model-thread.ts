// The thread that reads, checks, repairs and places models, one task after the other.
import { parentPort } from 'node:worker_threads'
import { inspectModel } from './models/check/inspect-model.js'
import { placeModels } from './models/place/place-models.js'
import { checkerOf, Refusal } from './models/refusal.js'
import type { ModelAnswer, ModelTask } from './models/tasks.js'

const port = parentPort
if (!port) throw new Error('this file runs in a worker thread')

async function answer (task: ModelTask): Promise<ModelAnswer> {
  const checkAborted = checkerOf(task.abort)
  checkAborted() // the caller may have given up while the task waited
  if (task.kind === 'inspect') return { report: await inspectModel(task.file, checkAborted) }
  return { placement: await placeModels(task.plan, task.files, checkAborted) }
}

port.on('message', ({ id, task }: { id: number, task: ModelTask }) => {
  answer(task).then(
    result => port.postMessage({ id, result }),
    (error: unknown) => port.postMessage(error instanceof Refusal
      ? { id, result: { refused: { kind: error.kind, words: error.words } } satisfies ModelAnswer }
      : { id, error: error instanceof Error ? error.message : String(error) }))
})
