// Worker thread for analysis and rendering. Tasks run one after the other, so that all printers share one core.
import { parentPort } from 'node:worker_threads'
import { perform, type Task } from './worker/tasks.js'

const port = parentPort
if (!port) throw new Error('this file runs in a worker thread')

let last: Promise<void> = Promise.resolve()
port.on('message', ({ id, task }: { id: number, task: Task }) => {
  last = last.then(async () => {
    try {
      port.postMessage({ id, result: await perform(task) })
    } catch (error) {
      port.postMessage({ id, error: error instanceof Error ? error.message : String(error) })
    }
  })
})
