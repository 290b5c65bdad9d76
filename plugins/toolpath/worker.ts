// The thread that reads plates, one after the other.
import { parentPort } from 'node:worker_threads'
import { readPlate, type ReadTask } from './worker/read-plate.js'

const port = parentPort
if (!port) throw new Error('this file runs in a worker thread')

port.on('message', ({ id, task }: { id: number, task: ReadTask }) => {
  readPlate(task).then(
    result => port.postMessage({ id, result }),
    (error: unknown) => port.postMessage({ id, error: error instanceof Error ? error.message : String(error) }))
})
